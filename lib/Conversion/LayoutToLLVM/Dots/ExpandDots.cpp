//===- ExpandDots.cpp - operands of products where they belong -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %d = tile.dot %a, %b, %c under any layouts
// After:   the same under a matrix unit's layouts, with conversions around it; or, where the chip has no unit for it,
//          %d = layout.shared_dot of buffers with %a and %b
// Needs:   layouts.  Gives: products that are emitted as they are.
// Place:   before shared memory becomes explicit, which conversions need.
// Numerics: f32 is multiplied as f32 unless less is asked for and the unit has it; what a unit lacks is computed more
//           exactly, and said in a remark.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Products.h"
#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"

#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

#define GEN_PASS_DEF_EXPANDDOTSPASS
#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h.inc"

namespace {

struct ExpandDots : impl::ExpandDotsPassBase<ExpandDots> {
  using ExpandDotsPassBase::ExpandDotsPassBase;

  void runOnOperation() override {
    const arch::Chip *const chip = hooks ? &hooks->chip() : arch::findChip(target.getValue());
    if (!chip) {
      getOperation().emitError("there is no chip `") << target << "`";
      return signalPassFailure();
    }
    const GpuHooks portable(*chip);
    const GpuHooks &used = hooks ? *hooks : portable;
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      if (const std::optional<layout::KernelShape> shape = layout::kernelShapeOf(kernel))
        expand(kernel, static_cast<unsigned>(shape->numWarps), used);
  }

  static void expand(tile::KernelOp kernel, unsigned numWarps, const GpuHooks &hooks) {
    SmallVector<tile::DotOp> dots;
    kernel.walk([&](tile::DotOp dot) {
      if (layout::encodingOf(dot.getType()))
        dots.push_back(dot);
    });
    for (tile::DotOp dot : dots) {
      const std::optional<MatrixUnit> unit = hooks.matrixUnit(dot, numWarps);
      if (!unit && dot.getPrecision() != tile::DotPrecision::IEEE)
        dot.emitRemark("multiplies f32 exactly: the chip has no `")
            << tile::stringifyDotPrecision(dot.getPrecision()) << "` for it";
      if (unit)
        useWarps(dot, *unit);
      else
        useThreads(dot);
    }
  }

  const GpuHooks *hooks = nullptr; ///< null: those that every GPU has
};

} // namespace

std::unique_ptr<mlir::Pass> createExpandDotsPass(const GpuHooks &hooks) {
  auto pass = std::make_unique<ExpandDots>();
  pass->hooks = &hooks;
  return pass;
}

} // namespace tessera::ir::gpu
