//===- LastingNumber.h - a number that outlives a loop ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LASTINGNUMBER_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LASTINGNUMBER_H

#include "IRSupport/LLVM.h"

namespace tessera::ir::layout {

/// An i32 that an op finds as it left it the last time that it ran; 0 the first time. Loops and branches around the op
/// carry it.
class LastingNumber {
public:
  /// Whether \p op can have one: all around it are `scf.for` and `scf.if`, up to the kernel.
  static bool isPossible(Operation *op);

  /// For \p op. Loops and branches around it are replaced by others that hold the same ops.
  explicit LastingNumber(Operation *op);

  /// What \p op finds.
  Value before() const { return found; }
  /// Must be called once, with what is left.
  void leave(Value after);

private:
  /// A loop or branch on the way out: what it hands on, and its result.
  struct Hop {
    Operation *terminator;
    Value result;
  };

  Value found;
  SmallVector<Hop> hops; ///< from the outermost in
};

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_LASTINGNUMBER_H
