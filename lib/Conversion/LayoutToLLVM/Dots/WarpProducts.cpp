//===- WarpProducts.cpp - products on matrix units of warps ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The product becomes a `layout.shared_dot` of buffers that are stored in the order in which operands come and read as
// the unit takes them, both without bank conflicts where that can be. An operand that does not change in the loops
// around the product is stored before them.
//
// Operands that threads hold as the unit takes them stay in registers: the left one of a `layout.shared_dot`, or both
// of a `tile.dot`.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/CodeTypes.h"
#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Conversion/LayoutToLLVM/Dots/Products.h"
#include "Layout/Conversion.h"
#include "Layout/OperandBuffer.h"
#include "Layout/StraightCopy.h"

#include <algorithm>

namespace tessera::ir::gpu {

using ::tessera::layout::BufferUse;
using ::tessera::layout::ConversionKind;
using ::tessera::layout::conversionKind;
using ::tessera::layout::operandBuffer;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

/// How many bytes of what threads load as \p layout copies bring straight to a buffer at a time, \p widest at most; 0
/// if threads load pieces of another size.
static int straightBytes(const TileLayout &layout, int elementBytes, int widest) {
  constexpr int kMostBytes = 16; // of an access
  int bytes = 0;
  for (int axis = 0; axis != layout.rank(); ++axis)
    bytes = std::max(bytes, static_cast<int>(contiguousRegisters(layout, axis)) * elementBytes);
  bytes = std::min(bytes, kMostBytes);
  return ::tessera::layout::isStraightWidth(bytes, widest) ? bytes : 0;
}

/// Stores \p x, which a unit holds as \p unit and reads in steps along \p axis, counted from the last one.
static StoredOperand store(OperandStores &stores, Value x, const TileLayout &unit, int axis, BufferUse use,
                           tile::DotOp dot) {
  const auto bytes = static_cast<int>(storedBytes(tile::elementOf(x.getType())));
  const Origin origin(x);
  use.keepsOrder &= origin.isLoaded();
  use.straightBytes = origin.isLoaded() ? straightBytes(layout::layoutOf(x.getType()), bytes, use.straightBytes) : 0;
  use.axis = axis;
  const SharedLayout layout = operandBuffer(layout::layoutOf(x.getType()), unit, bytes, use);
  return stores.store(origin, layout, dot, placeOf(origin, dot));
}

/// Whether \p x is best brought to registers as \p unit without a buffer.
static bool staysInRegisters(Value x, const TileLayout &unit) {
  const ConversionKind kind = conversionKind(layout::layoutOf(x.getType()), unit);
  // What is loaded would be shuffled word by word; matrices are read from a buffer four words at a time.
  return kind <= ConversionKind::Registers || (kind == ConversionKind::Warp && !Origin(x).isLoaded());
}

void useWarps(tile::DotOp dot, const MatrixUnit &unit, BufferUse use, OperandStores &stores) {
  use.step = unit.depth;
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const Value x = withElements(b, loc, dot.getA(), unit.aElement), y = withElements(b, loc, dot.getB(), unit.bElement);
  const bool keepsX = staysInRegisters(x, unit.a), keepsY = keepsX && staysInRegisters(y, unit.b);
  SmallVector<StoredOperand> buffers;
  const auto place = [&](Value operand, const TileLayout &held, int axis) {
    buffers.push_back(store(stores, operand, held, axis, use, dot));
    return buffers.back().buffer;
  };
  const Value left = keepsX ? under(b, loc, x, unit.a) : place(x, unit.a, 0);
  const Value right = keepsY ? under(b, loc, y, unit.b) : place(y, unit.b, 1);
  const Value acc = under(b, loc, dot.getAcc(), unit.acc);
  const Value product = keepsY ? tile::DotOp::create(b, loc, left, right, acc, dot.getPrecision()).getResult()
                               : layout::SharedDotOp::create(b, loc, left, right, acc, dot).getResult();
  stores.free(b, buffers, dot);
  replaceProduct(dot, under(b, loc, product, layout::layoutOf(dot.getType())));
}

} // namespace tessera::ir::gpu
