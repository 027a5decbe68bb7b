//===- PointerRoots.h - which memory a pointer may address -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A kernel's pointers come from its parameters, from the workspaces it asks for, or from anywhere.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_POINTERROOTS_H
#define TESSERA_ANALYSIS_POINTERROOTS_H

#include "IRSupport/LLVM.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::ir {

/// Whether values of the type address memory: pointers, tiles of them, and views.
bool isPointerLike(Type type);

/// For each pointer-like value of a kernel, the memory it may address. Errs on the side of "may".
class PointerRoots {
public:
  /// What is taken to be behind an address that was loaded or made of an integer.
  enum class Unknown {
    Everything, ///< any parameter's or workspace's memory
    Apart       ///< a root of its own, the last
  };

  explicit PointerRoots(tile::KernelOp kernel, Unknown unknown = Unknown::Everything);

  /// One bit for each parameter, then one for each workspace in the order of the text, then one for what is apart.
  const llvm::BitVector &of(Value pointer) const;
  /// Everything that the pointer-like operands of \p op may address.
  llvm::BitVector ofOperands(Operation *op) const;
  /// Whether memory of one set may be memory of the other: they share a root, or a parameter that is declared
  /// `tile.may_alias` meets another.
  bool meet(const llvm::BitVector &a, const llvm::BitVector &b) const;

  unsigned size() const { return count; }

private:
  void visit(Operation *op);
  void join(Value into, const llvm::BitVector &roots);

  const Unknown unknown;
  unsigned count = 0;
  unsigned parameters = 0;
  bool changed = false;
  llvm::BitVector mayAlias;
  llvm::BitVector none;
  llvm::DenseMap<Value, llvm::BitVector> sets;
  llvm::DenseMap<Operation *, unsigned> workspaces;
};

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_POINTERROOTS_H
