//===- Families.cpp - the families of ops ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"

namespace tessera::ir::gpu {

const OpTable &opTable() {
  static const OpTable table = [] {
    OpTable ops;
    registerProgramOps(ops);
    registerCreateOps(ops);
    registerRenamingOps(ops);
    registerControlFlowOps(ops);
    registerMemoryOps(ops);
    registerAtomicOps(ops);
    registerDebugOps(ops);
    registerInlineAsm(ops);
    registerLaneOps(ops);
    return ops;
  }();
  return table;
}

} // namespace tessera::ir::gpu
