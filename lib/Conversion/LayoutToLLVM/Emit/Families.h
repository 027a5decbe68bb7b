//===- Families.h - the families of ops ------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each family has a file and registers the ops it emits. `opTable` in Families.cpp calls them all.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_FAMILIES_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_FAMILIES_H

namespace tessera::ir::gpu {

class OpTable;

void registerProgramOps(OpTable &table);
void registerCreateOps(OpTable &table);
void registerRenamingOps(OpTable &table);
void registerControlFlowOps(OpTable &table);
void registerMemoryOps(OpTable &table);
void registerAtomicOps(OpTable &table);
void registerDebugOps(OpTable &table);
void registerInlineAsm(OpTable &table);

/// Every op that can be emitted, elementwise ones apart.
const OpTable &opTable();

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_FAMILIES_H
