//===- GpuHooks.cpp - what a vendor does its own way ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/GpuHooks.h"

namespace tessera::ir::gpu {

GpuHooks::~GpuHooks() = default;

Value GpuHooks::compute(Emitter &, Operation &, ValueRange) const { return {}; }

SmallVector<Value> GpuHooks::convertFloats(Emitter &, ArrayRef<Value>, Type, Type, const numbers::Narrowing &) const {
  return {};
}

bool GpuHooks::hasWarpReduce(border::Reduction) const { return false; }

std::optional<MatrixUnit> GpuHooks::matrixUnit(tile::DotOp, unsigned) const { return std::nullopt; }

SmallVector<Value> GpuHooks::multiply(Emitter &, tile::DotOp, ArrayRef<Value>, ArrayRef<Value>,
                                      ArrayRef<Value> acc) const {
  return SmallVector<Value>(acc);
}

bool GpuHooks::hasAtomic(border::Atomic, border::AccessType type, bool) const {
  return !type.isFloat() && type.lanes == 1 && hasCompareAndSwap(type.bits());
}

} // namespace tessera::ir::gpu
