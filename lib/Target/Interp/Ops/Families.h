//===- Families.h - the op families of the interpreter -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One file, one function per family. Program.cpp calls them all.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_OPS_FAMILIES_H
#define TESSERA_TARGET_INTERP_OPS_FAMILIES_H

namespace tessera::ir::interp {

class OpTable;

void registerProgramOps(OpTable &table); ///< program ids, workspaces, arange, splat, philox
void registerControlOps(OpTable &table); ///< scf
void registerIntOps(OpTable &table);     ///< integer arithmetic, comparison, selection
void registerFloatOps(OpTable &table);   ///< float arithmetic and elementary functions
void registerCastOps(OpTable &table);    ///< conversions between element types
void registerShapeOps(OpTable &table);   ///< moving elements without computing on them
void registerMemoryOps(OpTable &table);  ///< addptr, load, store
void registerViewOps(OpTable &table);    ///< access through views
void registerHintOps(OpTable &table);    ///< hint, assume
void registerReduceOps(OpTable &table);  ///< reductions
void registerScanOps(OpTable &table);    ///< prefix combinations
void registerSortOps(OpTable &table);    ///< sort, histogram
void registerGatherOps(OpTable &table);  ///< gather
void registerDotOps(OpTable &table);     ///< dot
void registerAtomicOps(OpTable &table);  ///< atomic access
void registerDebugOps(OpTable &table);   ///< print, assert, inline_asm

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_OPS_FAMILIES_H
