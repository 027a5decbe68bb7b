//===- FlyingProducts.h - products that rounds leave under way --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A product on an accumulator that the loop carries can be waited for a round later: where the next round first needs
// the accumulator, or, if nothing but the next round's product does, when that is begun.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_FLYINGPRODUCTS_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_FLYINGPRODUCTS_H

#include "Dialect/Layout/Transforms/PipelineLoops/CopiedLoads.h"

namespace tessera::ir::layout {

/// So many groups of products can be under way behind a wait.
constexpr unsigned kMostPending = 7;

/// The asynchronous products of a loop that can be left under way.
struct FlyingProducts {
  /// An accumulator on its way through a round.
  struct Accumulator {
    unsigned carried;             ///< its number among the values that the loop carries
    Value last;                   ///< the result of the round's last product on it
    Operation *landing = nullptr; ///< needs the accumulator of the round before; null if only a product does
  };

  SmallVector<Accumulator> accumulators;
  llvm::DenseSet<Operation *> waits;  ///< of the body, which are not needed
  SmallVector<SharedAllocOp> doubled; ///< buffers that a round fills while the last round's are read
  unsigned groups = 0;                ///< that a round commits

  explicit operator bool() const { return !accumulators.empty(); }
  /// The op of the body before which all products of the round before are over; null if some go on to its end.
  Operation *lastLanding() const;
};

/// Of \p loop, where \p loads fill rings.
FlyingProducts flyingProducts(mlir::scf::ForOp loop, ArrayRef<CopiedLoad> loads);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_FLYINGPRODUCTS_H
