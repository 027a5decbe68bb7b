//===- NoteNarrowing.cpp - note conversions to e4m3 without a clamp --===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  any kernel.
// After:   the same kernel; a remark on each conversion to e4m3 that may overflow to NaN (SEMANTICS C1).
// Needs:   canonical form (conversions merged, constants folded).  Gives: notes for the compile log.
// Place:   last in the tile stage, so that a kernel is noted as the back ends see it.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace tessera::ir::tile {

#define GEN_PASS_DEF_NOTENARROWINGPASS
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

/// The largest number of e4m3.
constexpr double kLargest = 448;

/// How many operations are looked through for a clamp.
constexpr int kMaxDepth = 8;

/// Which ends of e4m3's range a value is known not to exceed.
struct Bounds {
  bool below = false, above = false;
  bool both() const { return below && above; }
};

std::optional<double> constantOf(Value value) {
  APFloat number(0.0);
  if (!matchPattern(value, mlir::m_ConstantFloat(&number)))
    return std::nullopt;
  bool losesInfo = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

Bounds boundsOf(Value value, int depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxDepth)
    return {};
  if (const std::optional<double> number = constantOf(value))
    return {*number >= -kLargest, *number <= kLargest};
  const auto source = [&](unsigned operand) { return boundsOf(op->getOperand(operand), depth + 1); };
  if (isa<MaxNumOp, mlir::arith::MaximumFOp>(op)) { // at least each side, at most the greater
    const Bounds a = source(0), b = source(1);
    return {a.below || b.below, a.above && b.above};
  }
  if (isa<MinNumOp, mlir::arith::MinimumFOp>(op)) {
    const Bounds a = source(0), b = source(1);
    return {a.below && b.below, a.above || b.above};
  }
  if (isa<mlir::arith::SelectOp>(op)) {
    const Bounds a = source(1), b = source(2);
    return {a.below && b.below, a.above && b.above};
  }
  if (isa<SigmoidOp, mlir::math::TanhOp, mlir::math::SinOp, mlir::math::CosOp, mlir::math::ErfOp>(op))
    return {true, true};
  if (isa<mlir::arith::SIToFPOp, mlir::arith::UIToFPOp>(op))
    return bitsOf(elementOf(op->getOperand(0).getType())) <= 8 ? Bounds{true, true} : Bounds{};
  if (isa<ConvertFloatOp, SplatOp, BroadcastOp, ExpandDimsOp, ReshapeOp, TransOp, FlipOp, SliceOp>(op))
    return source(0);
  return {};
}

struct NoteNarrowing : impl::NoteNarrowingPassBase<NoteNarrowing> {
  using NoteNarrowingPassBase::NoteNarrowingPassBase;

  void runOnOperation() override {
    getOperation().walk([](ConvertFloatOp op) {
      if (!isa<mlir::Float8E4M3FNType>(elementOf(op.getType())) || op.getSaturate() || boundsOf(op.getSource()).both())
        return;
      op.emitRemark(
          "a conversion to e4m3 without a clamp before it: what is beyond 448 becomes NaN, where NVIDIA's own "
          "instruction gives 448; clamp to -448 and 448 first, or convert with .saturate = true");
    });
    markAllAnalysesPreserved();
  }
};

} // namespace

} // namespace tessera::ir::tile
