//===- ExpandDots.cpp - operands of products where they belong -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %d = tile.dot %a, %b, %c under any layouts
// After:   a layout.async_dot of buffers with %a and %b, or %a in registers, where the chip multiplies beside the
//          program (GroupProducts.cpp); the same product under the layouts of warps' units (WarpProducts.cpp); or,
//          where the chip has no unit for it, a layout.shared_dot of buffers (ThreadProducts.cpp)
// Needs:   layouts.  Gives: products that are emitted as they are.
// Place:   before shared memory becomes explicit, which conversions need.
// Numerics: f32 is multiplied as f32 unless less is asked for and the unit has it; what a unit lacks is computed more
//           exactly, and said in a remark.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Conversion/LayoutToLLVM/Dots/Parts.h"
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
    const arch::Chip *const used = chip ? chip : arch::findChip(target.getValue());
    if (!used) {
      getOperation().emitError("there is no chip `") << target << "`";
      return signalPassFailure();
    }
    if (!units && unitsOf)
      units = &unitsOf(*used);
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      if (const std::optional<layout::KernelShape> shape = layout::kernelShapeOf(kernel))
        expand(kernel, static_cast<unsigned>(shape->numWarps), *used, units);
  }

  /// Says that no unit takes \p dot.
  static void noteLack(tile::DotOp dot) {
    if (dot.getPrecision() != tile::DotPrecision::IEEE)
      dot.emitRemark("multiplies f32 exactly: the chip has no `")
          << tile::stringifyDotPrecision(dot.getPrecision()) << "` for it";
    else
      dot.emitRemark("is multiplied without a matrix unit, which the chip does not have for ")
          << tile::elementOf(dot.getA().getType()) << " in these shapes";
  }

  /// How warps of \p chip use what they read operands from.
  static ::tessera::layout::BufferUse useOf(const arch::Chip &chip, const MatrixUnits &units) {
    return {.keepsOrder = chip.has(arch::Feature::AsyncCopy),
            .loads = units.matrixLoads(),
            .loadBanks = chip.sharedBanks,
            .straightBytes = chip.directToSharedBytes};
  }

  static void expand(tile::KernelOp kernel, unsigned numWarps, const arch::Chip &chip, const MatrixUnits *units) {
    SmallVector<tile::DotOp> dots;
    kernel.walk([&](tile::DotOp dot) {
      if (layout::encodingOf(dot.getType()))
        dots.push_back(dot);
    });
    OperandStores stores;
    for (tile::DotOp dot : dots) {
      const SmallVector<tile::DotOp> parts = partsAlongK(dot, chip.sharedBytesOfProgram);
      const std::optional<MatrixUnit> unit = units ? units->matrixUnit(parts.front(), numWarps) : std::nullopt;
      if (!unit)
        noteLack(parts.front());
      for (tile::DotOp part : parts)
        if (!unit)
          useThreads(part, stores);
        else if (unit->kind == MatrixUnit::Kind::Group)
          useGroups(part, *unit, stores);
        else
          useWarps(part, *unit, useOf(chip, *units), stores);
    }
  }

  const arch::Chip *chip = nullptr;   ///< null: that which the option names
  const MatrixUnits *units = nullptr; ///< of `chip`
  MatrixUnitsOf unitsOf = nullptr;    ///< gives `units` where they are not known; null: no chip has any
};

} // namespace

std::unique_ptr<mlir::Pass> createExpandDotsPass(const arch::Chip &chip, const MatrixUnits &units) {
  auto pass = std::make_unique<ExpandDots>();
  pass->chip = &chip;
  pass->units = &units;
  return pass;
}

void registerLayoutToLLVM(MatrixUnitsOf unitsOf) {
  registerConvertLayoutToLLVMPass();
  mlir::registerPass([unitsOf]() -> std::unique_ptr<mlir::Pass> {
    auto pass = std::make_unique<ExpandDots>();
    pass->unitsOf = unitsOf;
    return pass;
  });
}

} // namespace tessera::ir::gpu
