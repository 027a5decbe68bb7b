//===- Border.h - parts of lowering the border's functions -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_BORDER_H
#define TESSERA_TARGET_NVIDIA_BORDER_H

#include "Arch/Chip.h"
#include "Conversion/LayoutToLLVM/Border.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace tessera::ir::nvidia {

/// One call of the border on its way to PTX. The builder stands before it.
struct BorderCall {
  llvm::CallInst &call;
  const border::Callee &callee;
  const arch::Chip &chip;
  llvm::IRBuilderBase &b;

  const llvm::DataLayout &layout() const { return call.getDataLayout(); }
  llvm::Value *operand(unsigned number) const { return call.getArgOperand(number); }
};

/// What takes the place of the call's result; null for a call without. The error says what the chip lacks.
using Lowered = llvm::Expected<llvm::Value *>;

/// load, volatile_load, store, shared_load, shared_store.
Lowered lowerAccess(const BorderCall &call);
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
