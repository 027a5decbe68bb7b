//===- AffineForm.h - tiles as base plus strides times indices --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Recognises integer and pointer tiles that are linear in the indices of their elements.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_AFFINEFORM_H
#define TESSERA_ANALYSIS_AFFINEFORM_H

#include "Analysis/UniformExpr.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera::ir {

/// The element of an integer tile of w bits at `i` is `base + sum over d of strides[d] * i[d]` modulo 2^w. A pointer is
/// that many *bytes* past `pointer`. Holds whenever every condition in `needs` does.
struct AffineForm {
  UniformExpr base;
  Value pointer; ///< a scalar pointer, or a view (its base address); null for integers and for addresses made of them
  SmallVector<UniformExpr, 5> strides; ///< one per axis of the tile
  SmallVector<Condition, 2> needs;

  /// Whether no condition can fail.
  bool isExact() const { return needs.empty(); }
};

/// Affine forms of the values of one kernel, found on demand. Creates no IR; the kernel must not change meanwhile.
class AffineForms {
public:
  /// With \p enabled false, no tile has a form.
  explicit AffineForms(UniformExprs &exprs, bool enabled = true) : exprs(exprs), enabled(enabled) {}

  /// The form of an integer or pointer tile, or of a scalar, or null if it is not known to be linear.
  const AffineForm *of(Value value);
  /// Whether every element of the integer tile \p value, read as a signed integer, *is* `base + strides * i`, not only
  /// modulo 2^w, provided that the conditions appended to \p needs hold.
  bool isExactSigned(Value value, SmallVectorImpl<Condition> &needs) { return isExact(value, true, needs); }
  bool isExactUnsigned(Value value, SmallVectorImpl<Condition> &needs) { return isExact(value, false, needs); }

  UniformExprs &getExprs() { return exprs; }
  bool isEnabled() const { return enabled; }

private:
  bool isExact(Value value, bool isSigned, SmallVectorImpl<Condition> &needs);
  std::optional<AffineForm> compute(Value value);

  UniformExprs &exprs;
  bool enabled;
  llvm::DenseMap<Value, std::unique_ptr<AffineForm>> forms;
};

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_AFFINEFORM_H
