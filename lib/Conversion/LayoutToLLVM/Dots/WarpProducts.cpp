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

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::gpu {

namespace scf = mlir::scf;
using ::tessera::layout::ConversionKind;
using ::tessera::layout::conversionKind;
using ::tessera::layout::operandBuffer;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

namespace {

/// Where an operand lies.
struct Stored {
  Value buffer;               ///< as the product reads it
  Value allocation;           ///< what to free
  Operation *place = nullptr; ///< before which it is stored and behind which it is freed
};

} // namespace

/// Whether \p x comes straight from memory.
static bool isLoaded(Value x) {
  while (auto trans = x.getDefiningOp<tile::TransOp>())
    x = trans.getSource();
  return isa_and_nonnull<tile::LoadOp, tile::ViewLoadOp>(x.getDefiningOp());
}

/// The outermost loop around \p dot in which \p x does not change, or \p dot.
static Operation *placeOf(Value x, tile::DotOp dot) {
  Operation *place = dot;
  for (Operation *parent = dot->getParentOp(); isa<scf::ForOp, scf::WhileOp, scf::IfOp>(parent);
       parent = parent->getParentOp()) {
    if (parent->isAncestor(x.getParentBlock()->getParentOp()))
      break;
    if (!isa<scf::IfOp>(parent))
      place = parent;
  }
  return place;
}

/// Stores \p x, which a unit holds as \p unit. What is a transposed tile is stored as it was before, and the buffer is
/// transposed.
static Stored store(OpBuilder &b, Location loc, Value x, const TileLayout &unit, tile::DotOp dot) {
  Stored result;
  result.place = placeOf(x, dot);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(result.place);
  auto trans = x.getDefiningOp<tile::TransOp>();
  const Value source = trans ? trans.getSource() : x;
  TileLayout held = unit;
  if (trans) {
    SmallVector<int> back(trans.getPermutation().size());
    for (const auto [to, from] : llvm::enumerate(trans.getPermutation()))
      back[static_cast<size_t>(from)] = static_cast<int>(to);
    held = transposed(unit, back);
  }
  const auto bytes = static_cast<int>(storedBytes(tile::elementOf(x.getType())));
  result.allocation =
      stored(b, loc, source, operandBuffer(layout::layoutOf(source.getType()), held, bytes, isLoaded(x)));
  result.buffer = trans ? layout::SharedTransOp::create(b, loc, result.allocation, trans.getPermutation()).getResult()
                        : result.allocation;
  return result;
}

/// Whether \p x is best brought to registers as \p unit without a buffer.
static bool staysInRegisters(Value x, const TileLayout &unit) {
  const ConversionKind kind = conversionKind(layout::layoutOf(x.getType()), unit);
  // What is loaded would be shuffled word by word; matrices are read from a buffer four words at a time.
  return kind <= ConversionKind::Registers || (kind == ConversionKind::Warp && !isLoaded(x));
}

void useWarps(tile::DotOp dot, const MatrixUnit &unit) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const Value x = withElements(b, loc, dot.getA(), unit.aElement), y = withElements(b, loc, dot.getB(), unit.bElement);
  const bool keepsX = staysInRegisters(x, unit.a), keepsY = keepsX && staysInRegisters(y, unit.b);
  SmallVector<Stored> buffers;
  const auto place = [&](Value operand, const TileLayout &held) {
    buffers.push_back(store(b, loc, operand, held, dot));
    return buffers.back().buffer;
  };
  const Value left = keepsX ? under(b, loc, x, unit.a) : place(x, unit.a);
  const Value right = keepsY ? under(b, loc, y, unit.b) : place(y, unit.b);
  const Value acc = under(b, loc, dot.getAcc(), unit.acc);
  const Value product = keepsY ? tile::DotOp::create(b, loc, left, right, acc, dot.getPrecision()).getResult()
                               : layout::SharedDotOp::create(b, loc, left, right, acc, dot).getResult();
  for (const Stored &operand : buffers) {
    OpBuilder::InsertionGuard guard(b);
    if (operand.place != dot)
      b.setInsertionPointAfter(operand.place);
    layout::SharedFreeOp::create(b, loc, operand.allocation);
  }
  dot.getResult().replaceAllUsesWith(under(b, loc, product, layout::layoutOf(dot.getType())));
  dot.erase();
}

} // namespace tessera::ir::gpu
