//===- IndexOverflow.h - which arithmetic reaches an address or a mask --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Integers wrap (SEMANTICS T5), which is fine in a hash and a defect in an index. A walk from every address and mask
// back through additions, subtractions, products, casts, selections and shape operations finds the arithmetic to watch.
// It stops at divisions, remainders, shifts, bit operations, loads and reductions: behind them a wrapped value is
// either meant or has another cause.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_INDEXOVERFLOW_H
#define TESSERA_TARGET_INTERP_CHECKS_INDEXOVERFLOW_H

#include "llvm/ADT/DenseSet.h"

#include <cstdint>

namespace mlir {
class Operation;
class Value;
} // namespace mlir

namespace tessera::ir::interp {

/// How an addition, subtraction or product is watched. Integers are signless in IR: `tile.unsigned` on the operation
/// says how it was written.
enum class OverflowMode : std::uint8_t { None, Signed, Unsigned };

class IndexOverflow {
public:
  explicit IndexOverflow(mlir::Operation *kernel);
  /// How \p op (arith.addi, subi or muli) is watched.
  OverflowMode modeOf(mlir::Operation *op) const;

private:
  llvm::DenseSet<mlir::Operation *> watched;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_INDEXOVERFLOW_H
