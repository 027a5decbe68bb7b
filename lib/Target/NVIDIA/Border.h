//===- Border.h - parts of lowering the border's functions -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_BORDER_H
#define TESSERA_TARGET_NVIDIA_BORDER_H

#include "Target/Gpu/LowerBorder.h"

namespace tessera::ir::nvidia {

using gpu::BorderCall;
using gpu::Lowered;

/// load, volatile_load, store, shared_load, shared_store.
Lowered lowerAccess(const BorderCall &call);
Lowered lowerClusterStore(const BorderCall &call);
/// atomic, atomic.cas, atomic.load, atomic.store.
Lowered lowerAtomic(const BorderCall &call);
/// `tessera.nv.<opcode>`: the instruction of PTX with that opcode. The result comes first and then the operands, in
/// order; a pointer is an address in brackets, a vector or struct a group of registers in braces, an i1 a predicate,
/// and a constant integer is written out, but not inside a group. What the instruction does to memory and lanes stands
/// on the declaration.
Lowered lowerNative(const BorderCall &call);

/// The address space in an opcode: ".global", ".shared".
llvm::StringRef spaceOf(llvm::Value *pointer);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_BORDER_H
