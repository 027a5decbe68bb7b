//===- GroupProducts.cpp - products of groups of warps --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The product becomes a `layout.async_dot` of buffers in the layouts that the unit reads, with the wait for it behind
// it. A left operand that every thread has in registers where the unit takes it stays there. One that does not change
// in the loops around the product is stored before them.
//
// A unit that reads an operand only where k is contiguous gets it so: the store into the buffer transposes. A left one
// may be read across k, where threads can read it for the unit; then a right one is the left one of the transposed
// product, whose accumulator goes in and out by a change of names.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Conversion/LayoutToLLVM/Dots/Products.h"
#include "Layout/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <array>

namespace tessera::ir::gpu {

namespace arith = mlir::arith;
using ::tessera::layout::ConversionKind;
using ::tessera::layout::conversionKind;
using ::tessera::layout::Dim;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

/// The axis of a matrix along which neighbours are neighbours in a thread, or else in the lanes of a warp.
static int contiguousAxis(const TileLayout &layout) {
  const std::uint32_t alongRows = contiguousRegisters(layout, 0), alongColumns = contiguousRegisters(layout, 1);
  if (alongRows != alongColumns)
    return alongRows > alongColumns ? 0 : 1;
  for (const std::uint32_t column : layout.bases(Dim::Lane))
    if (column != 0)
      return (column & layout.axisMask(0)) != 0 ? 0 : 1;
  return 1;
}

/// Stores \p x, an operand of \p dot, into one of \p buffers: that which has its contiguous axis, if there is one.
static StoredOperand store(OperandStores &stores, Value x, const MatrixUnit::Buffers &buffers, tile::DotOp dot) {
  const int axis = contiguousAxis(layout::layoutOf(x.getType()));
  const SharedLayout &layout = *(buffers[axis] ? buffers[axis] : buffers[1 - axis]);
  const Origin origin(x);
  Operation *const place = placeOf(origin, dot);
  return stores.store(origin, layout, dot, place, /*isFenced=*/place != dot);
}

/// Whether \p acc is a tile of zeros.
static bool isZero(Value acc) {
  while (auto convert = acc.getDefiningOp<layout::ConvertOp>())
    acc = convert.getSource();
  if (auto splat = acc.getDefiningOp<tile::SplatOp>())
    acc = splat.getSource();
  return mlir::matchPattern(acc, mlir::m_PosZeroFloat()) || mlir::matchPattern(acc, mlir::m_Zero());
}

/// \p x transposed, under the layout that goes with its own: nothing moves.
static Value transposed(OpBuilder &b, Location loc, Value x) {
  const ArrayRef<std::int64_t> shape = tile::shapeOf(x.getType());
  const auto type = RankedTensorType::get({shape[1], shape[0]}, tile::elementOf(x.getType()));
  const TileLayout layout = ::tessera::layout::transposed(layout::layoutOf(x.getType()), std::array{1, 0});
  return tile::TransOp::create(b, loc, layout::withLayout(type, layout), x, ArrayRef<std::int32_t>{1, 0});
}

void useGroups(tile::DotOp dot, const MatrixUnit &unit, OperandStores &stores) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  Value x = withElements(b, loc, dot.getA(), unit.swapsOperands ? unit.bElement : unit.aElement),
        y = withElements(b, loc, dot.getB(), unit.swapsOperands ? unit.aElement : unit.bElement);
  Value acc = under(b, loc, dot.getAcc(), unit.acc);
  if (unit.swapsOperands) {
    const Value left = transposed(b, loc, y);
    y = transposed(b, loc, x);
    x = left;
    acc = transposed(b, loc, acc);
  }
  const bool staysInRegisters = conversionKind(layout::layoutOf(x.getType()), unit.a) <= ConversionKind::Registers;
  const StoredOperand left =
      staysInRegisters ? StoredOperand{under(b, loc, x, unit.a), {}, nullptr} : store(stores, x, unit.aBuffers, dot);
  const StoredOperand right = store(stores, y, unit.bBuffers, dot);
  layout::ProxyFenceOp::create(b, loc, layout::FenceSpace::Shared);
  // Zeros that are added are no registers.
  const Value accumulates = isZero(dot.getAcc()) ? arith::ConstantOp::create(b, loc, b.getBoolAttr(false)) : Value();
  const Value started = layout::AsyncDotOp::create(b, loc, acc.getType(), left.buffer, right.buffer, acc, accumulates);
  layout::AsyncDotCommitOp::create(b, loc);
  Value product = layout::AsyncDotWaitOp::create(b, loc, started, 0).getResult(0);
  stores.free(b, {left, right}, dot);
  if (unit.swapsOperands) {
    product = transposed(b, loc, product);
    for (const Value operand : {x, y}) // stored as they were before
      if (operand.use_empty())
        operand.getDefiningOp()->erase();
  }
  replaceProduct(dot, under(b, loc, product, layout::layoutOf(dot.getType())));
}

} // namespace tessera::ir::gpu
