//===- NvidiaHooks.h - what NVIDIA's chips do their own way ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTONVVM_NVIDIAHOOKS_H
#define TESSERA_CONVERSION_LAYOUTTONVVM_NVIDIAHOOKS_H

#include "Conversion/LayoutToLLVM/GpuHooks.h"

namespace tessera::ir::gpu {

class NvidiaHooks final : public GpuHooks {
public:
  using GpuHooks::GpuHooks;

  // NativeMath.cpp
  Value compute(Emitter &e, Operation &op, ValueRange wide) const override;
  // NativeCasts.cpp
  SmallVector<Value> convertFloats(Emitter &e, ArrayRef<Value> stored, Type from, Type to,
                                   const numbers::Narrowing &how) const override;
  // ChooseUnit.cpp
  std::optional<MatrixUnit> matrixUnit(tile::DotOp dot, unsigned numWarps) const override;
  // NativeDot.cpp
  SmallVector<Value> multiply(Emitter &e, tile::DotOp dot, ArrayRef<Value> a, ArrayRef<Value> b,
                              ArrayRef<Value> acc) const override;
  // NvidiaHooks.cpp
  bool hasWarpReduce(border::Reduction how) const override;
  bool hasAtomic(border::Atomic how, border::AccessType type, bool isShared) const override;
  bool hasCompareAndSwap(unsigned bits) const override;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTONVVM_NVIDIAHOOKS_H
