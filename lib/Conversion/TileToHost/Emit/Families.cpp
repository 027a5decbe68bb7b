//===- Families.cpp - the families of structured ops -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Families.h"

#include "Conversion/TileToHost/Emit/Emitter.h"

namespace tessera::ir::host {

const OpTable &opTable() {
  static const OpTable table = [] {
    OpTable ops;
    registerReduceOps(ops);
    registerScanOps(ops);
    registerSortOps(ops);
    registerMoveOps(ops);
    registerAtomicOps(ops);
    registerDebugOps(ops);
    registerDotOps(ops);
    registerInlineAsm(ops);
    return ops;
  }();
  return table;
}

} // namespace tessera::ir::host
