//===- LayoutSharedOps.cpp - verifiers of ops on buffers -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/IR/Verify.h"
#include "Layout/FlatIndex.h"

#include "llvm/Support/MathExtras.h"

namespace tessera::ir::layout {

//===----------------------------------------------------------------------===//
// Lifetime
//===----------------------------------------------------------------------===//

LogicalResult SharedAllocOp::verify() {
  const std::optional<uint64_t> offset = getOffset();
  if (!offset)
    return success();
  const int64_t bytes = getResult().getType().bytesOfElement(), at = static_cast<int64_t>(*offset);
  if (at >= 0 && at % bytes == 0) // shared_alloc_c1
    return success();
  return emitOpError("expected `offset` to be a multiple of the ") << bytes << " bytes of an element, got " << at;
}

LogicalResult SharedFreeOp::verify() { // shared_free_c1
  auto alloc = getBuffer().getDefiningOp<SharedAllocOp>();
  if (!alloc || alloc->getBlock() != (*this)->getBlock())
    return emitOpError("expected a buffer of a `layout.shared_alloc` in the same block");
  for (Operation *user : getBuffer().getUsers())
    if (user != *this && isa<SharedFreeOp>(user))
      return emitOpError("expected the only `layout.shared_free` of its buffer, got another");
  return success();
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

LogicalResult SharedSlotOp::verify() {
  if (!getRing().getType().isRing()) // shared_slot_c1
    return emitOpError("expected a ring, got ") << getRing().getType();
  return success();
}

/// The offsets in the buffer of the flat index bits of a box of extents \p box at its origin.
static SmallVector<uint32_t> boxOffsets(const SharedLayout &layout, ArrayRef<int64_t> box) {
  SmallVector<uint32_t> offsets;
  for (size_t axis = box.size(); axis-- > 0;) {
    const int low = ::tessera::layout::axisShiftOf(layout.shape(), static_cast<int>(axis));
    llvm::append_range(offsets, layout.bases().subspan(low, llvm::Log2_64(box[axis])));
  }
  return offsets;
}

int64_t SharedSubviewOp::elementOffset() {
  const SharedLayout &layout = getBuffer().getType().getLayout().getLayout();
  uint32_t flat = 0;
  for (const auto [offset, extent] : llvm::zip_equal(getOffsets(), layout.shape()))
    flat = static_cast<uint32_t>(flat * extent + offset);
  return layout.offset(flat);
}

LogicalResult SharedSubviewOp::verify() {
  const BufferType buffer = getBuffer().getType(), result = getType();
  if (buffer.isRing() || buffer.getElement() != result.getElement() ||
      buffer.getShape().size() != result.getShape().size()) // shared_subview_c1
    return emitOpError("expected no ring, and one element type and rank, got ") << buffer << " and " << result;
  if (getOffsets().size() != buffer.getShape().size()) // shared_subview_c2
    return emitOpError("expected one offset for each of ")
           << buffer.getShape().size() << " axes, got " << getOffsets().size();
  for (const auto [axis, offset, size, extent] : llvm::enumerate(getOffsets(), result.getShape(), buffer.getShape()))
    if (offset < 0 || size > extent || offset > extent - size || offset % size != 0) // shared_subview_c2
      return emitOpError("expected an offset on axis ")
             << axis << " that is a multiple of " << size << " and leaves the box inside the extent " << extent
             << ", got " << offset;
  const int64_t count = result.bytesOfSlot() / result.bytesOfElement();
  if (boxOffsets(buffer.getLayout().getLayout(), result.getShape()) != result.getLayout().getOffsets() ||
      elementOffset() % count != 0) // shared_subview_c3
    return emitOpError("expected a box that lies in one piece in the order of ")
           << result.getLayout() << ", which it does not in " << buffer.getLayout();
  return success();
}

LogicalResult SharedTransOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                              ValueRange operands, DictionaryAttr attributes,
                                              mlir::OpaqueProperties properties, mlir::RegionRange regions,
                                              SmallVectorImpl<Type> &types) { // shared_trans_c2
  Adaptor adaptor(operands, attributes, properties, regions);
  const auto buffer = cast<BufferType>(adaptor.getBuffer().getType());
  const ArrayRef<int32_t> permutation = adaptor.getPermutation();
  SmallVector<int32_t> sorted(permutation);
  llvm::sort(sorted);
  if (buffer.isRing() ||
      !llvm::equal(sorted, llvm::seq<int32_t>(0, static_cast<int32_t>(buffer.getShape().size())))) // shared_trans_c1
    return mlir::emitOptionalError(location, "expected no ring and a permutation of its ", buffer.getShape().size(),
                                   " axes, got ", buffer);
  const SharedLayout &layout = buffer.getLayout().getLayout();
  types.push_back(BufferType::get(
      buffer.getElement(),
      SharedLayoutAttr::get(context, ::tessera::layout::transposed(layout, {permutation.data(), permutation.size()}))));
  return success();
}

void SharedReshapeOp::build(OpBuilder &builder, mlir::OperationState &state, Value buffer, ArrayRef<int64_t> shape) {
  const auto type = cast<BufferType>(buffer.getType());
  const auto layout = ::tessera::layout::reshaped(type.getLayout().getLayout(), {shape.data(), shape.size()});
  build(builder, state, BufferType::get(type.getElement(), SharedLayoutAttr::get(builder.getContext(), layout)),
        buffer);
}

LogicalResult SharedReshapeOp::verify() {
  const BufferType buffer = getBuffer().getType(), result = getType();
  if (buffer.isRing() || result.isRing() || buffer.getElement() != result.getElement() ||
      buffer.bytesOfSlot() != result.bytesOfSlot()) // shared_reshape_c1
    return emitOpError("expected no ring, and as many elements of one type, got ") << buffer << " and " << result;
  if (buffer.getLayout().getOffsets() != result.getLayout().getOffsets()) // shared_reshape_c2
    return emitOpError("expected elements to stay where they are, got ")
           << buffer.getLayout() << " and " << result.getLayout();
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult SharedStoreOp::verify() {
  return verifyMoved(*this, getBuffer().getType(), "value", getValue().getType()); // shared_store_c1, _c2
}

LogicalResult SharedLoadOp::verify() {
  return verifyMoved(*this, getBuffer().getType(), "result", getType()); // shared_load_c1, _c2
}

/// What accesses at run-time indices share; \p name is the tile that is moved.
static LogicalResult verifyIndexed(Operation *op, BufferType buffer, int64_t axis, RankedTensorType index,
                                   StringRef name, RankedTensorType moved) {
  if (failed(verifyNoRing(op, buffer))) // _c1
    return failure();
  SmallVector<int64_t> expected(buffer.getShape());
  if (axis < 0 || axis >= static_cast<int64_t>(expected.size())) // _c1
    return op->emitOpError("expected `axis` to be 0 to ") << expected.size() - 1 << ", got " << axis;
  if (index.getRank() == static_cast<int64_t>(expected.size()))
    expected[axis] = index.getDimSize(axis);
  if (index.getShape() != ArrayRef(expected)) // _c2
    return op->emitOpError("expected `index` to have the extents [")
           << buffer.getShape() << "] of the buffer on every axis but " << axis << ", got [" << index.getShape() << "]";
  if (moved != index.clone(buffer.getElement())) // _c3
    return op->emitOpError("expected `") << name << "` to be " << index.clone(buffer.getElement()) << ", got " << moved;
  return success();
}

LogicalResult SharedGatherOp::verify() {
  return verifyIndexed(*this, getBuffer().getType(), static_cast<int32_t>(getAxis()),
                       cast<RankedTensorType>(getIndex().getType()), "result", cast<RankedTensorType>(getType()));
}

LogicalResult SharedScatterOp::verify() {
  return verifyIndexed(*this, getBuffer().getType(), static_cast<int32_t>(getAxis()),
                       cast<RankedTensorType>(getIndex().getType()), "value",
                       cast<RankedTensorType>(getValue().getType()));
}

LogicalResult SharedAtomicAddOp::verify() {
  const BufferType buffer = getBuffer().getType();
  const Type element = buffer.getElement();
  if (buffer.getShape().size() != 1 || buffer.isRing() ||
      !(element.isInteger(32) || element.isInteger(64) || element.isF32())) // shared_atomic_add_c1
    return emitOpError("expected a buffer of rank 1 of i32, i64 or f32, got ") << buffer;
  auto index = cast<RankedTensorType>(getIndex().getType()), value = cast<RankedTensorType>(getValue().getType());
  if (index.getEncoding() != value.getEncoding() || index.getShape() != value.getShape()) // shared_atomic_add_c2
    return emitOpError("expected `index` and `value` to have one shape and layout, got ") << index << " and " << value;
  if (value.getElementType() != element) // shared_atomic_add_c3
    return emitOpError("expected `value` to have the elements ")
           << element << " of the buffer, got " << value.getElementType();
  return success();
}

LogicalResult SharedFillOp::verify() {
  const BufferType buffer = getBuffer().getType();
  if (failed(verifyNoRing(*this, buffer))) // shared_fill_c1
    return failure();
  if (getValue().getType() != buffer.getElement()) // shared_fill_c2
    return emitOpError("expected `value` to be ") << buffer.getElement() << ", got " << getValue().getType();
  return success();
}

} // namespace tessera::ir::layout
