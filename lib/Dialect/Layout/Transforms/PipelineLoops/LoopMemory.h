//===- LoopMemory.h - what a loop does to memory ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LOOPMEMORY_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LOOPMEMORY_H

#include "IRSupport/LLVM.h"

#include "Analysis/PointerRoots.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

/// Says which ops of a loop's body may run before their round.
class LoopMemory {
public:
  explicit LoopMemory(mlir::scf::ForOp loop);

  /// Whether loads may move from a round to an earlier one at all.
  bool letsLoadsPass() const { return !ordersLoads; }
  /// Whether \p op, of the body, may run before its round.
  bool mayRunAhead(Operation *op) const;
  /// Whether the kernel writes what \p op reads. Copies of boxes see what threads write after a fence only.
  bool isEverWritten(Operation *op) const;

private:
  void visit(Operation *op, bool isInside);

  PointerRoots roots;
  llvm::BitVector written, everWritten; ///< by the loop, by the kernel
  bool ordersLoads = false, hasAsm = false;
};

/// Whether \p op loads a tile or a scalar from global memory.
bool isLoad(Operation *op);

/// Whether \p op multiplies matrices.
bool isProduct(Operation *op);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LOOPMEMORY_H
