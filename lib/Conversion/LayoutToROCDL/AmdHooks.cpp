//===- AmdHooks.cpp - what AMD's chips do their own way -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToROCDL/AmdHooks.h"

namespace tessera::ir::gpu {

// Where the chip's own addition of floats loses denormals or does not exist, LLVM makes the loop.
bool AmdHooks::hasAtomic(border::Atomic how, border::AccessType type, bool isShared) const {
  if (how == border::Atomic::FAdd)
    return type.lanes == 1 && (type.element == border::Element::F32 || type.element == border::Element::F64);
  return GpuHooks::hasAtomic(how, type, isShared);
}

} // namespace tessera::ir::gpu
