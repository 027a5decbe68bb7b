//===- LoopRewriter.h - write a loop as a pipeline -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LOOPREWRITER_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LOOPREWRITER_H

#include "Dialect/Layout/Transforms/PipelineLoops/FlyingProducts.h"

namespace tessera::ir::layout {

/// What is decided of a loop.
struct LoopPlan {
  mlir::scf::ForOp loop;
  int64_t stages = 2; ///< slots of a ring, at least 2
  SmallVector<CopiedLoad> loads;
  FlyingProducts flying;
};

/// Replaces the loop. Loops and branches around it may be replaced by others, too.
void rewriteLoop(LoopPlan plan);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LOOPREWRITER_H
