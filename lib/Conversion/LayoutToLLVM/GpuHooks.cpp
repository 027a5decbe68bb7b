//===- GpuHooks.cpp - what a vendor does its own way ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/GpuHooks.h"

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"

#include "Conversion/LayoutToLLVM/TensorCopyUnit.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

using ::tessera::layout::TileLayout;
using ::tessera::layout::WarpGrid;

GpuHooks::~GpuHooks() = default;
TensorCopyUnit::~TensorCopyUnit() = default;

Value GpuHooks::compute(Emitter &, Operation &, ValueRange) const { return {}; }

bool GpuHooks::hasExp2() const { return false; }
Value GpuHooks::exp2(Emitter &, Value) const { return {}; }

SmallVector<Value> GpuHooks::convertFloats(Emitter &, ArrayRef<Value>, Type, Type, const numbers::Narrowing &) const {
  return {};
}

bool GpuHooks::hasWarpReduce(border::Reduction) const { return false; }

std::optional<MatrixUnit> GpuHooks::matrixUnit(tile::DotOp, unsigned) const { return std::nullopt; }

std::optional<WarpUnit> GpuHooks::warpUnit(const Product &, WarpGrid) const { return std::nullopt; }

std::optional<WarpUnit> GpuHooks::warpUnitOf(const Product &product, unsigned numWarps, const TileLayout &acc) const {
  for (int rows = static_cast<int>(numWarps); rows != 0; rows /= 2)
    if (std::optional<WarpUnit> unit = warpUnit(product, {rows, static_cast<int>(numWarps) / rows});
        unit && unit->acc == acc)
      return unit;
  return std::nullopt;
}

SmallVector<Value> GpuHooks::multiply(Emitter &, const Product &, WarpGrid, ArrayRef<Value>, ArrayRef<Value>,
                                      ArrayRef<Value> acc) const {
  return SmallVector<Value>(acc);
}

SmallVector<Value> GpuHooks::loadMatrices(Emitter &, Value, const ::tessera::layout::MatrixAccess &) const {
  return {};
}
static void refuseProduct(Emitter &e, Operation &op) {
  e.refuse(op, "is about products beside the program, which the chip does not have");
  e.setPlaceholders(op);
}

void GpuHooks::startProduct(Emitter &e, layout::AsyncDotOp dot) const { refuseProduct(e, *dot); }
void GpuHooks::commitProducts(Emitter &e, layout::AsyncDotCommitOp commit) const { refuseProduct(e, *commit); }
void GpuHooks::waitForProducts(Emitter &e, layout::AsyncDotWaitOp wait) const { refuseProduct(e, *wait); }
void GpuHooks::storeMatrices(Emitter &, Value, ArrayRef<Value>, bool) const {}

bool GpuHooks::hasAtomic(border::Atomic, border::AccessType type, bool) const {
  return !type.isFloat() && type.lanes == 1 && hasCompareAndSwap(type.bits());
}

void GpuHooks::asyncCopy(Emitter &e, Value to, Value from, unsigned bytes, Value mask) const {
  const border::AccessType type = border::integers(32, bytes / 4);
  const Value loaded =
      mask ? e.border().load(type, from, mask, e.zero(e.border().typeOf(type)), {}, /*isVolatile=*/false)
           : mlir::LLVM::LoadOp::create(e.builder(), e.loc(), e.border().typeOf(type), from, bytes).getResult();
  mlir::LLVM::StoreOp::create(e.builder(), e.loc(), loaded, to, bytes);
}

void GpuHooks::asyncCommit(Emitter &) const {}
void GpuHooks::asyncWait(Emitter &, unsigned, unsigned) const {}

} // namespace tessera::ir::gpu
