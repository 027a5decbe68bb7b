//===- NoteRows.cpp - notes what is known of rows ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %e = math.exp (%v - max %v)   %p = arith.divf %e, sum %e   convert_float %p : f16
// After:   %e = math.exp … {layout.beside_one}   %p = arith.divf … {layout.part_of_sum}
//
// The element that is the maximum has the exponential 1, so that the sum is at least 1; it is NaN if a number is, or no
// number is finite. Blocks have at most 2^20 elements, each of which is at most 1 but for the error of the exponential.
// Sums are rounded monotonically, so that none is below what it is made of. Quotients that are not rounded to f16 leave
// the exponential its bound, but not against those of its row: {layout.seen_as_parts}.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/NoteRows.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/RowFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tessera::ir::layout {

using tile::CombineKind;

/// The reduction of one tile along one axis that \p repeated repeats along that axis; null if it is none.
static tile::ReduceOp repeatedReduction(Value repeated) {
  tile::ReduceOp reduce;
  if (auto splat = repeated.getDefiningOp<tile::SplatOp>()) {
    reduce = splat.getSource().getDefiningOp<tile::ReduceOp>();
  } else if (auto broadcast = repeated.getDefiningOp<tile::BroadcastOp>()) {
    auto expand = broadcast.getSource().getDefiningOp<tile::ExpandDimsOp>();
    reduce = expand ? expand.getSource().getDefiningOp<tile::ReduceOp>() : tile::ReduceOp();
    if (reduce && reduce.getAxis() != expand.getAxis())
      return {};
  }
  if (!reduce || reduce.getInputs().size() != 1 ||
      tile::shapeOf(reduce.getInputs()[0].getType()) != tile::shapeOf(repeated.getType()))
    return {};
  return reduce;
}

static bool isReduction(tile::ReduceOp reduce, Value tile, CombineKind kind) {
  return reduce && reduce.getInputs().size() == 1 && reduce.getInputs()[0] == tile &&
         tile::matchCombine(reduce.getCombine()) == kind;
}

/// The axis along which \p exp counts from the maximum; nothing if it does not.
static std::optional<int32_t> axisOfMaximum(mlir::math::ExpOp exp) {
  auto difference = exp.getOperand().getDefiningOp<mlir::arith::SubFOp>();
  if (!difference || !tile::elementOf(exp.getType()).isF32())
    return std::nullopt;
  tile::ReduceOp most = repeatedReduction(difference.getRhs());
  if (!isReduction(most, difference.getLhs(), CombineKind::MaxNum) &&
      !isReduction(most, difference.getLhs(), CombineKind::MaximumF))
    return std::nullopt;
  return static_cast<int32_t>(most.getAxis());
}

static bool isRoundedToF16(Operation *user) {
  auto convert = dyn_cast<tile::ConvertFloatOp>(user);
  return convert && tile::elementOf(convert.getType()).isF16() &&
         convert.getRounding() == tile::FloatRounding::Nearest && !convert.getSaturate();
}

/// Whether \p user divides \p part by the sum along \p axis of the tile that it is of.
static bool isPartOfSum(Operation *user, Value part, int32_t axis) {
  auto divide = dyn_cast<mlir::arith::DivFOp>(user);
  if (!divide || divide.getLhs() != part)
    return false;
  tile::ReduceOp sum = repeatedReduction(divide.getRhs());
  return isReduction(sum, part, CombineKind::AddF) && static_cast<int32_t>(sum.getAxis()) == axis;
}

/// Whether nothing is made of \p sum, of the tile \p parts along \p axis, but quotients of parts by it.
static bool onlyDivides(Value sum, Value parts, int32_t axis) {
  return llvm::all_of(sum.getUsers(), [&](Operation *user) {
    if (isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp>(user))
      return onlyDivides(user->getResult(0), parts, axis);
    return isPartOfSum(user, parts, axis);
  });
}

static void noteRow(mlir::math::ExpOp exp) {
  const std::optional<int32_t> axis = axisOfMaximum(exp);
  if (!axis)
    return;
  const UnitAttr unit = UnitAttr::get(exp.getContext());
  bool besideOne = true, seenAsParts = true;
  for (Operation *user : exp->getUsers()) {
    auto sum = dyn_cast<tile::ReduceOp>(user);
    if (isPartOfSum(user, exp, *axis)) {
      user->setAttr(kPartOfSum, unit);
      besideOne &= llvm::all_of(user->getUsers(), isRoundedToF16);
    } else {
      const bool isSum = isReduction(sum, exp, CombineKind::AddF) && static_cast<int32_t>(sum.getAxis()) == *axis;
      besideOne &= isSum || isRoundedToF16(user);
      seenAsParts &= isSum && onlyDivides(sum.getResult(0), exp, *axis);
    }
  }
  if (besideOne)
    exp->setAttr(kBesideOne, unit);
  else if (seenAsParts)
    exp->setAttr(kSeenAsParts, unit);
}

void noteRows(tile::KernelOp kernel) { kernel.getBody().walk(noteRow); }

} // namespace tessera::ir::layout
