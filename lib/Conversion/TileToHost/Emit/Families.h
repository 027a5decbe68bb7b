//===- Families.h - the families of structured ops -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each family has a file and registers the ops it emits. `opTable` in Families.cpp calls them all.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_EMIT_FAMILIES_H
#define TESSERA_CONVERSION_TILETOHOST_EMIT_FAMILIES_H

namespace tessera::ir::host {

class OpTable;

void registerReduceOps(OpTable &table);
void registerScanOps(OpTable &table);
void registerSortOps(OpTable &table);
void registerMoveOps(OpTable &table);
void registerAtomicOps(OpTable &table);
void registerDebugOps(OpTable &table);
void registerDotOps(OpTable &table);
void registerInlineAsm(OpTable &table);

/// Every structured op that can be emitted.
const OpTable &opTable();

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_EMIT_FAMILIES_H
