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
  bool hasExp2() const override { return true; }
  Value exp2(Emitter &e, Value x) const override;
  // NativeCasts.cpp
  SmallVector<Value> convertFloats(Emitter &e, ArrayRef<Value> stored, Type from, Type to,
                                   const numbers::Narrowing &how) const override;
  // ChooseUnit.cpp
  std::optional<MatrixUnit> matrixUnit(tile::DotOp dot, unsigned numWarps) const override;
  std::optional<WarpUnit> warpUnit(const Product &product, ::tessera::layout::WarpGrid warps) const override;
  // NativeDot.cpp
  SmallVector<Value> multiply(Emitter &e, const Product &product, ::tessera::layout::WarpGrid warps, ArrayRef<Value> a,
                              ArrayRef<Value> b, ArrayRef<Value> acc) const override;
  ::tessera::layout::MatrixLoads matrixLoads() const override { return ::tessera::layout::MatrixLoads::Rows; }
  SmallVector<Value> loadMatrices(Emitter &e, Value row, const ::tessera::layout::MatrixAccess &access) const override;
  // NativeWgmma.cpp
  void startProduct(Emitter &e, layout::AsyncDotOp dot) const override;
  void commitProducts(Emitter &e, layout::AsyncDotCommitOp commit) const override;
  void waitForProducts(Emitter &e, layout::AsyncDotWaitOp wait) const override;
  // NativeCopies.cpp
  void asyncCopy(Emitter &e, Value to, Value from, unsigned bytes, Value mask) const override;
  void asyncCommit(Emitter &e) const override;
  void asyncWait(Emitter &e, unsigned pending, unsigned accesses) const override;
  const TensorCopyUnit *tensorCopyUnit() const override;
  // NativeMatrices.cpp
  bool storesMatrices() const override { return chip().has(arch::Feature::MatrixStore); }
  void storeMatrices(Emitter &e, Value row, ArrayRef<Value> words, bool isTransposed) const override;
  // NvidiaHooks.cpp
  bool hasWarpReduce(border::Reduction how) const override;
  bool hasAtomic(border::Atomic how, border::AccessType type, bool isShared) const override;
  bool hasCompareAndSwap(unsigned bits) const override;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTONVVM_NVIDIAHOOKS_H
