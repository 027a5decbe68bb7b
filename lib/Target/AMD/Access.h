//===- Access.h - accesses of the border -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_ACCESS_H
#define TESSERA_TARGET_AMD_ACCESS_H

#include "Target/Gpu/LowerBorder.h"

namespace tessera::ir::amd {

/// A call that reads or writes memory under a mask, or copies from global to shared memory.
struct Access {
  llvm::CallInst *call = nullptr;
  border::Callee callee = {};

  bool isStore() const {
    return callee.function == border::Function::Store || callee.function == border::Function::SharedStore;
  }
  bool isShared() const {
    return callee.function == border::Function::SharedLoad || callee.function == border::Function::SharedStore;
  }
  bool isCopy() const { return callee.function == border::Function::CopyToShared; }
  /// Whether each execution counts.
  bool isVolatile() const;
  /// Whether what it moves is used once, and need not stay in caches.
  bool isUsedOnce() const;
  llvm::Value *pointer() const { return call->getArgOperand(0); }
  llvm::Value *mask() const { return call->getArgOperand(isStore() ? 2 : 1); }
  /// What a load gives where its mask is false.
  llvm::Value *other() const { return call->getArgOperand(2); }
  /// Where a copy puts what the first lane brings.
  llvm::Value *target() const { return call->getArgOperand(2); }
  /// Puts \p value, null for a store, in the place of the call.
  void replaceWith(llvm::Value *value) const;
};

/// Empty if \p instruction is none.
Access accessOf(llvm::Instruction &instruction);

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_ACCESS_H
