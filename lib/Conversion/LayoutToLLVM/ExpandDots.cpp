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

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"

#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

#define GEN_PASS_DEF_EXPANDDOTSPASS
#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h.inc"

using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

namespace {

/// \p x with elements of the float type \p element, which holds them exactly.
Value withElements(OpBuilder &b, Location loc, Value x, Type element) {
  if (tile::elementOf(x.getType()) == element)
    return x;
  return tile::ConvertFloatOp::create(b, loc, tile::withElement(x.getType(), element), x);
}

Value under(OpBuilder &b, Location loc, Value x, const TileLayout &layout) {
  if (layout::layoutOf(x.getType()) == layout)
    return x;
  return layout::ConvertOp::create(b, loc, layout::withLayout(x.getType(), layout), x);
}

void useUnit(tile::DotOp dot, const MatrixUnit &unit) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const Value x = under(b, loc, withElements(b, loc, dot.getA(), unit.aElement), unit.a);
  const Value y = under(b, loc, withElements(b, loc, dot.getB(), unit.bElement), unit.b);
  const Value acc = under(b, loc, dot.getAcc(), unit.acc);
  auto product = tile::DotOp::create(b, loc, x, y, acc, dot.getPrecision());
  const Value result = under(b, loc, product.getResult(), layout::layoutOf(dot.getType()));
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
}

/// A buffer that holds \p x in row-major order.
Value stored(OpBuilder &b, Location loc, Value x) {
  const ArrayRef<int64_t> shape = tile::shapeOf(x.getType());
  SmallVector<int> order(llvm::reverse(llvm::seq<int>(0, static_cast<int>(shape.size()))));
  const SharedLayout rows = SharedLayout::inOrder({shape.data(), shape.size()}, order);
  const auto type =
      layout::BufferType::get(tile::elementOf(x.getType()), layout::SharedLayoutAttr::get(b.getContext(), rows));
  const Value buffer = layout::SharedAllocOp::create(b, loc, type);
  layout::SharedStoreOp::create(b, loc, buffer, x);
  return buffer;
}

void useBuffers(tile::DotOp dot) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const Value x = stored(b, loc, dot.getA()), y = stored(b, loc, dot.getB());
  const Value acc = under(b, loc, dot.getAcc(), layout::layoutOf(dot.getType()));
  const Value result = layout::SharedDotOp::create(b, loc, dot.getType(), x, y, acc);
  layout::SharedFreeOp::create(b, loc, x);
  layout::SharedFreeOp::create(b, loc, y);
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
}

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
        useUnit(dot, *unit);
      else
        useBuffers(dot);
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
