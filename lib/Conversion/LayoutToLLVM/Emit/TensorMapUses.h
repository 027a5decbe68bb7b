//===- TensorMapUses.h - the descriptors of a kernel -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Copies of boxes with equal recipes share a descriptor, which is an argument of the function.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_TENSORMAPUSES_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_TENSORMAPUSES_H

#include "Analysis/TensorMaps.h"

#include "llvm/ADT/MapVector.h"

namespace tessera::ir::gpu {

/// How an op copies, and the number of its descriptor.
struct TensorMapUse {
  TensorMapPlan plan;
  size_t number = 0;
};

class TensorMapUses {
public:
  /// Of the copies of boxes in \p kernel. Those that have no descriptor are left out.
  void collect(tile::KernelOp kernel, UniformExprs &exprs);

  /// Of the copy \p op; null if it has none.
  const TensorMapUse *find(Operation *op) const;
  /// One for each descriptor.
  ArrayRef<rt::TensorMapRecipe> recipes() const { return all; }
  /// What must not be 0 at a launch.
  ArrayRef<rt::Expr> requirements() const { return needs; }

  /// What stands for the descriptors in code, in order.
  SmallVector<Value> codes;
  Value code(const TensorMapUse &use) const { return codes[use.number]; }

private:
  llvm::MapVector<Operation *, TensorMapUse> uses;
  SmallVector<rt::TensorMapRecipe> all;
  SmallVector<rt::Expr> needs;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_TENSORMAPUSES_H
