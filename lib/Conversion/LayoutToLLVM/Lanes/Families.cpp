//===- Families.cpp - families of ops in which lanes meet ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Families.h"

namespace tessera::ir::gpu {

void registerLaneOps(OpTable &table) {
  registerAsyncCopyOps(table);
  registerAsyncDotOps(table);
  registerBoxOps(table);
  registerConvertOps(table);
  registerDotOps(table);
  registerMBarrierOps(table);
  registerReduceOps(table);
  registerScanOps(table);
  registerSharedOps(table);
  registerTensorCopyOps(table);
}

} // namespace tessera::ir::gpu
