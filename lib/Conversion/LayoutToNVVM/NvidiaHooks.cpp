//===- NvidiaHooks.cpp - what NVIDIA's chips do their own way -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

namespace tessera::ir::gpu {

bool NvidiaHooks::hasWarpReduce(border::Reduction) const { return chip().has(arch::Feature::WarpReduce); }

bool NvidiaHooks::hasAtomic(border::Atomic how, border::AccessType type, bool) const {
  if (type.lanes != 1)
    return false;
  if (how == border::Atomic::FAdd)
    return type.element == border::Element::BF16 ? chip().has(arch::Feature::Bf16Atomics) : type.isFloat();
  return !type.isFloat() && (type.bits() == 32 || type.bits() == 64);
}

bool NvidiaHooks::hasCompareAndSwap(unsigned bits) const { return bits == 16 || bits == 32 || bits == 64; }

} // namespace tessera::ir::gpu
