//===- UniformTests.h - conditions tested where a kernel starts --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A condition can be tested at the start if what it speaks of follows from arguments and the program's place in the
// grid by scalar arithmetic that has no effects.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_UNIFORMTESTS_H
#define TESSERA_CONVERSION_TILETOLAYOUT_UNIFORMTESTS_H

#include "Analysis/MaskForm.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tessera::ir::layout {

/// What must hold for \p mask to be true in all lanes of a tile of \p shape, but for its scalars and tiles. Nothing if
/// it never is.
std::optional<SmallVector<Condition>> conditionsOfFull(const MaskForm &mask, ArrayRef<int64_t> shape);

/// Tests conditions at the start of one kernel.
class UniformTests {
public:
  explicit UniformTests(tile::KernelOp kernel) : start(&kernel.getBody().front()) {}

  bool canTest(ArrayRef<Condition> conditions) const;
  /// Whether any of them speaks of the program's place.
  bool dependsOnProgram(ArrayRef<Condition> conditions) const;
  /// An i1, made at the place of \p builder, which is at the start of the kernel. canTest() it first.
  Value emit(OpBuilder &builder, Location loc, const Condition &condition);

private:
  bool isKnownAtStart(Value value, unsigned depth = 0) const;
  bool canEmit(UniformExpr expr) const;
  bool canCompare(UniformExpr expr, int64_t bound, bool isLower) const;
  Value scalar(OpBuilder &builder, Value value);
  Value emit(OpBuilder &builder, Location loc, UniformExpr expr);
  Value compare(OpBuilder &builder, Location loc, UniformExpr expr, int64_t bound, bool isLower);

  Block *start;
  llvm::DenseMap<Value, Value> scalars; ///< copies at the start
};

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_UNIFORMTESTS_H
