//===- Stream.h - copies that run rounds ahead of a loop -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The loads of a loop that are begun the same number of rounds ahead. A stream has a state, which the loop carries: how
// far the bound still is from the round that comes next, what its slice carries, and tiles that are loaded.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_STREAM_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_STREAM_H

#include "Dialect/Layout/Transforms/PipelineLoops/CopiedLoads.h"

#include "mlir/IR/IRMapping.h"

namespace tessera::ir::layout {

class Stream {
public:
  /// Begins \p load at the round whose values \p map gives. Where \p when (i1) is given and false there is no such
  /// round.
  using Begin = function_ref<void(OpBuilder &b, const CopiedLoad &load, const mlir::IRMapping &map, Value when)>;

  /// Of those of \p all that \p isMeant names.
  Stream(mlir::scf::ForOp loop, ArrayRef<CopiedLoad> all, function_ref<bool(const CopiedLoad &)> isMeant);

  bool isEmpty() const { return loads.empty(); }
  ArrayRef<CopiedLoad> getLoads() const { return loads; }
  unsigned stateSize() const { return 1 + slice.carried.size() + tiles; }

  /// The state before any round, with zeros for tiles. Emitted before the loop.
  SmallVector<Value> start(OpBuilder &b) const;
  /// One round further, if there is one: \p begin for each load with a ring, once \p before was called; others are
  /// loaded. Gives the new state. Where loads are copied straight there is a round in any case, which may be for
  /// nothing.
  SmallVector<Value> advance(OpBuilder &b, mlir::ValueRange state, function_ref<void(OpBuilder &)> before,
                             Begin begin) const;
  /// The tiles of a state, one for each load without a ring.
  mlir::ValueRange tilesOf(mlir::ValueRange state) const { return state.take_back(tiles); }

private:
  SmallVector<Value> advanceOne(OpBuilder &b, mlir::ValueRange state, Value when,
                                function_ref<void(OpBuilder &)> before, Begin begin) const;

  mlir::scf::ForOp loop;
  SmallVector<CopiedLoad> loads;
  Slice slice;
  unsigned tiles = 0;
};

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_STREAM_H
