//===- GroupProducts.cpp - products of groups of warps --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The product becomes a `layout.async_dot` of buffers in the layouts that the unit reads, with the wait for it behind
// it. A left operand that every thread has in registers where the unit takes it stays there.
//
// A unit that reads an operand only where k is contiguous gets it so: the store into the buffer transposes.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Conversion/LayoutToLLVM/Dots/Products.h"
#include "Layout/Conversion.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

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

/// Where an operand lies.
struct StoredOperand {
  Value buffer;     ///< as the product reads it
  Value allocation; ///< null for an operand in registers
};

/// Stores \p x into one of \p buffers: that which has its contiguous axis, if there is one. What is a transposed tile
/// is stored as it was before, and the buffer is transposed.
static StoredOperand store(OpBuilder &b, Location loc, Value x, const MatrixUnit::Buffers &buffers) {
  const int axis = contiguousAxis(layout::layoutOf(x.getType()));
  const SharedLayout &layout = *(buffers[axis] ? buffers[axis] : buffers[1 - axis]);
  auto trans = x.getDefiningOp<tile::TransOp>();
  if (!trans) {
    const Value buffer = stored(b, loc, x, layout);
    return {buffer, buffer};
  }
  // Of two axes a permutation is its own inverse.
  const ArrayRef<int32_t> permutation = trans.getPermutation();
  const Value buffer = stored(b, loc, trans.getSource(), transposed(layout, {permutation.data(), permutation.size()}));
  return {layout::SharedTransOp::create(b, loc, buffer, permutation), buffer};
}

/// Whether \p acc is a tile of zeros.
static bool isZero(Value acc) {
  while (auto convert = acc.getDefiningOp<layout::ConvertOp>())
    acc = convert.getSource();
  if (auto splat = acc.getDefiningOp<tile::SplatOp>())
    acc = splat.getSource();
  return mlir::matchPattern(acc, mlir::m_PosZeroFloat()) || mlir::matchPattern(acc, mlir::m_Zero());
}

void useGroups(tile::DotOp dot, const MatrixUnit &unit) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const Value x = withElements(b, loc, dot.getA(), unit.aElement), y = withElements(b, loc, dot.getB(), unit.bElement);
  const bool staysInRegisters = conversionKind(layout::layoutOf(x.getType()), unit.a) <= ConversionKind::Registers;
  const StoredOperand left =
      staysInRegisters ? StoredOperand{under(b, loc, x, unit.a), {}} : store(b, loc, x, unit.aBuffers);
  const StoredOperand right = store(b, loc, y, unit.bBuffers);
  layout::ProxyFenceOp::create(b, loc, layout::FenceSpace::Shared);
  // Zeros that are added are no registers.
  const Value accumulates = isZero(dot.getAcc()) ? arith::ConstantOp::create(b, loc, b.getBoolAttr(false)) : Value();
  const Value acc = under(b, loc, dot.getAcc(), unit.acc);
  const Value started = layout::AsyncDotOp::create(b, loc, acc.getType(), left.buffer, right.buffer, acc, accumulates);
  layout::AsyncDotCommitOp::create(b, loc);
  const Value product = layout::AsyncDotWaitOp::create(b, loc, started, 0).getResult(0);
  for (const Value allocation : {left.allocation, right.allocation})
    if (allocation)
      layout::SharedFreeOp::create(b, loc, allocation);
  dot.getResult().replaceAllUsesWith(under(b, loc, product, layout::layoutOf(dot.getType())));
  dot.erase();
}

} // namespace tessera::ir::gpu
