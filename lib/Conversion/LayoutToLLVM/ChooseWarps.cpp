//===- ChooseWarps.cpp - how warps lie over a product ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/ChooseWarps.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace tessera::ir::gpu {

using ::tessera::layout::WarpGrid;

/// Whether \p tile comes from a product, by ops on elements and changes of layout alone.
static bool comesFromProduct(Value tile, unsigned steps = 0) {
  constexpr unsigned kMost = 16; // a chain longer than this is no part of a product
  Operation *const op = tile.getDefiningOp();
  if (!op || steps == kMost)
    return false;
  if (isa<tile::DotOp, layout::SharedDotOp, layout::AsyncDotOp, layout::AsyncDotWaitOp>(op))
    return true;
  if (op->getNumRegions() != 0 || isa<tile::LoadOp, tile::ViewLoadOp, tile::ReduceOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<RankedTensorType>(operand.getType()) &&
           tile::shapeOf(operand.getType()) == tile::shapeOf(tile.getType()) && comesFromProduct(operand, steps + 1);
  });
}

/// Whether whole rows of \p tile, or of what is computed of it element by element, are reduced or multiplied.
static bool goesAlongRows(Value tile, llvm::SmallPtrSetImpl<Operation *> &seen) {
  for (OpOperand &use : tile.getUses()) {
    Operation *const user = use.getOwner();
    if (auto reduce = dyn_cast<tile::ReduceOp>(user)) {
      if (reduce.getAxis() == tile::shapeOf(tile.getType()).size() - 1)
        return true;
      continue;
    }
    if (auto dot = dyn_cast<tile::DotOp>(user)) {
      if (use.get() == dot.getA())
        return true;
      continue;
    }
    if (user->getNumRegions() != 0 || !seen.insert(user).second)
      continue;
    if (auto yield = dyn_cast<mlir::scf::YieldOp>(user)) {
      Operation *const parent = yield->getParentOp();
      if (isa<mlir::scf::ForOp, mlir::scf::IfOp>(parent) &&
          goesAlongRows(parent->getResult(use.getOperandNumber()), seen))
        return true;
      continue;
    }
    for (const Value result : user->getResults())
      if (isa<RankedTensorType>(result.getType()) && tile::shapeOf(result.getType()) == tile::shapeOf(tile.getType()) &&
          goesAlongRows(result, seen))
        return true;
  }
  return false;
}

/// The warps under which all of them together read least of the operands. Where that is equal more of them lie along
/// rows, since what follows a product often goes along rows; where it is known to, all that have rows of their own do.
static WarpGrid gridOf(const Product &product, unsigned numWarps, Extents one, bool keepsRows) {
  WarpGrid best;
  std::int64_t least = 0;
  for (int rows = static_cast<int>(numWarps); rows != 0; rows /= 2) {
    const int columns = static_cast<int>(numWarps) / rows;
    if (keepsRows && rows * one.rows <= product.rows)
      return {rows, columns};
    const std::int64_t read =
        columns * std::max(product.rows, rows * one.rows) + rows * std::max(product.columns, columns * one.columns);
    if (least == 0 || read < least) {
      best = {rows, columns};
      least = read;
    }
  }
  return best;
}

std::optional<WarpUnit> chooseWarpUnit(const GpuHooks &hooks, tile::DotOp dot, unsigned numWarps, Extents one) {
  const Product product(dot);
  if (layout::encodingOf(dot.getType()))
    if (std::optional<WarpUnit> known = hooks.warpUnitOf(product, numWarps, layout::layoutOf(dot.getType())))
      return known;
  llvm::SmallPtrSet<Operation *, 16> seen;
  const bool keepsRows = comesFromProduct(dot.getA()) || goesAlongRows(dot.getResult(), seen);
  return hooks.warpUnit(product, gridOf(product, numWarps, one, keepsRows));
}

} // namespace tessera::ir::gpu
