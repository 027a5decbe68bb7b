//===- LayoutAsyncOps.cpp - verifiers of copies that go on beside the program -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Copies by threads and of boxes, and the barriers that count their bytes.
//
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/IR/Verify.h"

namespace tessera::ir::layout {

/// How many groups or accesses may be left.
static LogicalResult verifyCounted(Operation *op, StringRef name, uint32_t count) {
  if (static_cast<int32_t>(count) >= 0)
    return success();
  return op->emitOpError("expected `") << name << "` not to be negative, got " << static_cast<int32_t>(count);
}

/// A number that 20 bits of a barrier hold.
static LogicalResult verifyCount(Operation *op, StringRef name, uint32_t number, uint32_t least) {
  constexpr uint32_t kMost = (1u << 20) - 1;
  if (number >= least && number <= kMost)
    return success();
  return op->emitOpError("expected `") << name << "` to be " << least << " to " << kMost << ", got "
                                       << static_cast<int32_t>(number);
}

/// `slot` is given exactly where there are several barriers.
static LogicalResult verifySlot(Operation *op, MBarrierType barrier, Value slot) {
  if ((barrier.getSlots() > 1) == static_cast<bool>(slot))
    return success();
  return op->emitOpError("expected ") << (slot ? "no slot of " : "a slot of ") << barrier << ", got "
                                      << (slot ? "one" : "none");
}

/// A view and a buffer of one rank, and a coordinate for each axis.
static LogicalResult verifyPlace(Operation *op, tile::ViewType view, size_t coords, BufferType buffer) {
  if (failed(verifyNoRing(op, buffer))) // _c1
    return failure();
  if (coords != view.getRank() || buffer.getShape().size() != view.getRank()) // _c2
    return op->emitOpError("expected a coordinate and an extent of the buffer for each of the ")
           << view.getRank() << " axes of the view, got " << coords << " and " << buffer.getShape().size();
  return success();
}

//===----------------------------------------------------------------------===//
// Copies by threads
//===----------------------------------------------------------------------===//

LogicalResult AsyncCopyOp::verify() {
  return verifyMoved(*this, getBuffer().getType(), "ptr", tile::pointeeOf(getPtr().getType())); // _c1, _c2
}

LogicalResult ViewAsyncCopyOp::verify() {
  const tile::ViewType view = getView().getType();
  const BufferType buffer = getBuffer().getType();
  if (failed(verifyPlace(*this, view, getCoords().size(), buffer))) // _c1, _c2
    return failure();
  if (view.getElement() != buffer.getElement()) // view_async_copy_c3
    return emitOpError("expected one element type, got ") << view.getElement() << " and " << buffer.getElement();
  if (!llvm::equal(getAccess().getLayout().shape(), buffer.getShape())) // view_async_copy_c4
    return emitOpError("expected `access` to have the shape of ") << buffer << ", got " << getAccess();
  return success();
}

LogicalResult AsyncWaitOp::verify() {
  return failure(failed(verifyCounted(*this, "pending", getPending())) ||              // async_wait_c1
                 failed(verifyCounted(*this, "accesses", getAccesses().value_or(0)))); // async_wait_c2
}

//===----------------------------------------------------------------------===//
// Copies of boxes
//===----------------------------------------------------------------------===//

/// What loads and stores of boxes share.
static LogicalResult verifyBox(Operation *op, tile::ViewType view, size_t coords, BufferType buffer) {
  if (failed(verifyPlace(op, view, coords, buffer))) // _c1, _c2
    return failure();
  const Type element = buffer.getElement();
  if (view.getElement() != element || isa<tile::PtrType>(element) || element.isInteger(1)) // _c3
    return op->emitOpError("expected one element type that is a float or an integer of at least 8 bits, got ")
           << view.getElement() << " and " << element;
  return success();
}

LogicalResult TensorLoadOp::verify() {
  if (failed(verifyBox(*this, getView().getType(), getCoords().size(), getBuffer().getType())))
    return failure();
  return verifySlot(*this, getBarrier().getType(), getSlot()); // tensor_load_c4
}

LogicalResult TensorStoreOp::verify() {
  return verifyBox(*this, getView().getType(), getCoords().size(), getBuffer().getType());
}

LogicalResult TensorWaitOp::verify() { return verifyCounted(*this, "pending", getPending()); } // tensor_wait_c1

//===----------------------------------------------------------------------===//
// Barriers that count
//===----------------------------------------------------------------------===//

LogicalResult MBarrierAllocOp::verify() {
  if (const std::optional<uint64_t> offset = getOffset();
      offset && (static_cast<int64_t>(*offset) < 0 || *offset % 8 != 0)) // mbarrier_alloc_c1
    return emitOpError("expected `offset` to be a multiple of 8, got ") << static_cast<int64_t>(*offset);
  if (!isa_and_nonnull<tile::KernelOp>((*this)->getParentOp())) // mbarrier_alloc_c2
    return emitOpError("expected to stand in the body of a kernel, not in a loop, branch or role");
  return success();
}

LogicalResult MBarrierInitOp::verify() { return verifyCount(*this, "count", getCount(), 1); } // mbarrier_init_c1

LogicalResult MBarrierArriveOp::verify() {
  return verifySlot(*this, getBarrier().getType(), getSlot()); // mbarrier_arrive_c1
}

LogicalResult MBarrierExpectOp::verify() {
  return failure(failed(verifySlot(*this, getBarrier().getType(), getSlot())) || // mbarrier_expect_c1
                 failed(verifyCount(*this, "bytes", getBytes(), 0)));            // mbarrier_expect_c2
}

LogicalResult MBarrierWaitOp::verify() {
  return verifySlot(*this, getBarrier().getType(), getSlot()); // mbarrier_wait_c1
}

} // namespace tessera::ir::layout
