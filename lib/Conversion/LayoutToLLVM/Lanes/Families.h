//===- Families.h - families of ops in which lanes meet --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each family has a file in this folder and registers the ops it emits.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_FAMILIES_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_FAMILIES_H

namespace tessera::ir::gpu {

class OpTable;

void registerAsyncCopyOps(OpTable &table);
void registerAsyncDotOps(OpTable &table);
void registerBoxOps(OpTable &table);
void registerConvertOps(OpTable &table);
void registerDotOps(OpTable &table);
void registerMBarrierOps(OpTable &table);
void registerReduceOps(OpTable &table);
void registerScanOps(OpTable &table);
void registerSharedOps(OpTable &table);
void registerTensorCopyOps(OpTable &table);

/// All of the above.
void registerLaneOps(OpTable &table);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_FAMILIES_H
