//===- ChooseWarpUnit.cpp - products that a warp multiplies ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What of fp8 a unit lacks is multiplied as f16, which holds it exactly. Matrices smaller than an instruction's are
// held with copies.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Conversion/LayoutToNVVM/UnitElements.h"
#include "Conversion/LayoutToNVVM/WarpInstruction.h"
#include "Layout/MatrixUnits.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::ir::gpu {

using namespace ::tessera::layout;

std::optional<WarpInstruction> warpInstructionOf(Type a, Type b, tile::DotPrecision precision, std::int64_t depth) {
  if (isOcpFp8(a) && isOcpFp8(b))
    return WarpInstruction{"m16n8k32", nameOfFp8(a), nameOfFp8(b), "f32", 32, 4, 2, 4};
  if (a != b)
    return std::nullopt;
  if (a.isF16())
    return WarpInstruction{"m16n8k16", "f16", "f16", "f32", 16, 4, 2, 4};
  if (a.isBF16())
    return WarpInstruction{"m16n8k16", "bf16", "bf16", "f32", 16, 4, 2, 4};
  if (a.isInteger(8))
    return WarpInstruction{"m16n8k32", "s8", "s8", "s32", 32, 4, 2, 4};
  if (a.isF64())
    return WarpInstruction{"m8n8k4", "f64", "f64", "f64", 4, 1, 1, 2};
  if (!a.isF32() || precision == tile::DotPrecision::IEEE)
    return std::nullopt;
  constexpr std::int64_t kDepthOfHalves = 16; // parts of tf32 are more exact, and need less
  if (precision == tile::DotPrecision::BF16x3 && depth >= kDepthOfHalves)
    return WarpInstruction{"m16n8k16", "bf16", "bf16", "f32", kDepthOfHalves, 4, 2, 4, 2};
  return WarpInstruction{"m16n8k8", "tf32", "tf32", "f32", 8, 4, 2, 4};
}

std::optional<WarpUnit> NvidiaHooks::warpUnit(const Product &product, WarpGrid warps) const {
  const auto elementFor = [&](Type type) {
    return unitElement(chip(), product.a, product.maxImpreciseK.has_value(), type);
  };
  const Type a = elementFor(product.a), b = elementFor(product.b);
  const std::optional<WarpInstruction> instruction = warpInstructionOf(a, b, product.precision, product.depth);
  if (!instruction)
    return std::nullopt;
  const auto bits = static_cast<int>(a.getIntOrFloatBitWidth());
  WarpUnit unit;
  unit.instruction = fmt::format("mma.{}.{}.{}.{}", instruction->shape.str(), instruction->sum.str(),
                                 instruction->a.str(), instruction->b.str());
  unit.acc = mmaAccumulator(product.shapeOfResult(), a.isF64() ? 64 : 32, warps);
  unit.a = mmaOperandA(product.shapeOfA(), bits, warps);
  unit.b = mmaOperandB(product.shapeOfB(), bits, warps);
  unit.aElement = a;
  unit.bElement = b;
  unit.warps = warps;
  unit.depth = instruction->k;
  return unit;
}

//===----------------------------------------------------------------------===//
// How many warps along rows
//===----------------------------------------------------------------------===//

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
static WarpGrid gridOf(const Product &product, unsigned numWarps, bool keepsRows) {
  constexpr std::int64_t kRows = 16, kColumns = 8; // of an instruction
  WarpGrid best;
  std::int64_t least = 0;
  for (int rows = static_cast<int>(numWarps); rows != 0; rows /= 2) {
    const int columns = static_cast<int>(numWarps) / rows;
    if (keepsRows && rows * kRows <= product.rows)
      return {rows, columns};
    const std::int64_t read =
        columns * std::max(product.rows, rows * kRows) + rows * std::max(product.columns, columns * kColumns);
    if (least == 0 || read < least) {
      best = {rows, columns};
      least = read;
    }
  }
  return best;
}

std::optional<WarpUnit> chooseWarpUnit(const GpuHooks &hooks, tile::DotOp dot, unsigned numWarps) {
  const Product product(dot);
  if (layout::encodingOf(dot.getType()))
    if (std::optional<WarpUnit> known = hooks.warpUnitOf(product, numWarps, layout::layoutOf(dot.getType())))
      return known;
  llvm::SmallPtrSet<Operation *, 16> seen;
  const bool keepsRows = comesFromProduct(dot.getA()) || goesAlongRows(dot.getResult(), seen);
  return hooks.warpUnit(product, gridOf(product, numWarps, keepsRows));
}

} // namespace tessera::ir::gpu
