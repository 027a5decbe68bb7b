//===- AmdHooks.cpp - what AMD's chips do their own way -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToROCDL/AmdHooks.h"

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Layout/StraightCopy.h"

namespace tessera::ir::gpu {

// Where the chip's own addition of floats loses denormals or does not exist, LLVM makes the loop.
bool AmdHooks::hasAtomic(border::Atomic how, border::AccessType type, bool isShared) const {
  if (how == border::Atomic::FAdd)
    return type.lanes == 1 && (type.element == border::Element::F32 || type.element == border::Element::F64);
  return GpuHooks::hasAtomic(how, type, isShared);
}

bool AmdHooks::copiesStraight(unsigned bytes) const {
  return ::tessera::layout::isStraightWidth(bytes, chip().directToSharedBytes);
}

void AmdHooks::asyncWait(Emitter &e, unsigned, unsigned accesses) const {
  if (chip().directToSharedBytes != 0)
    e.border().copyWait(e.i32(accesses));
}

} // namespace tessera::ir::gpu
