//===- FlyingProducts.h - products that rounds leave under way --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A product on an accumulator that nothing but the next round's product needs can be waited for a round later.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_FLYINGPRODUCTS_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_FLYINGPRODUCTS_H

#include "Dialect/Layout/Transforms/PipelineLoops/CopiedLoads.h"

namespace tessera::ir::layout {

/// The asynchronous products of a loop, if all of them can be left under way; else nothing.
struct FlyingProducts {
  /// An accumulator on its way through a round.
  struct Accumulator {
    unsigned carried; ///< its number among the values that the loop carries
    Value last;       ///< the result of the round's last product on it
  };

  SmallVector<Accumulator> accumulators;
  llvm::DenseSet<Operation *> waits;  ///< of the body, which are not needed
  SmallVector<SharedAllocOp> doubled; ///< buffers that a round fills while the last round's are read
  unsigned groups = 0;                ///< that a round commits

  explicit operator bool() const { return !accumulators.empty(); }
};

/// Of \p loop, where \p loads fill rings.
FlyingProducts flyingProducts(mlir::scf::ForOp loop, ArrayRef<CopiedLoad> loads);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_FLYINGPRODUCTS_H
