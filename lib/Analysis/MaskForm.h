//===- MaskForm.h - masks as boxes of indices ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Recognises masks that are bounds: true for the lanes inside a box, and nowhere else. Bounds may depend on scalars.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_MASKFORM_H
#define TESSERA_ANALYSIS_MASKFORM_H

#include "Analysis/AffineForm.h"

namespace tessera::ir {

/// The indices from `lo` to below `hi`. A null bound does not bound.
struct Interval {
  UniformExpr lo, hi;

  bool isFree() const { return !lo && !hi; }
  bool operator==(const Interval &) const = default;
};

/// Lane `i` is true if and only if `box[d].lo <= i[d] < box[d].hi` on every axis, every one of `scalars` is true and
/// every tile of `rest` is true at `i`. Holds whenever every condition in `needs` does.
struct MaskForm {
  SmallVector<Interval, 5> box;  ///< one per axis
  SmallVector<Value, 1> scalars; ///< scalar i1
  SmallVector<Value, 2> rest;    ///< i1 tiles of the mask's shape
  SmallVector<Condition, 2> needs;

  bool isExact() const { return needs.empty(); }
  /// Whether the box alone decides.
  bool isBox() const { return scalars.empty() && rest.empty(); }
};

/// Where a load, store, view_load, view_store or view_async_copy touches memory: lane `i` at `address(i)` where
/// `mask(i)`.
struct AccessForm {
  std::optional<AffineForm> address; ///< nothing if the pointers are not linear in the indices
  MaskForm mask;
  SmallVector<int64_t, 5> shape;
  Type element;          ///< what is stored in memory
  unsigned elementBytes; ///< its size there
};

/// Mask and access forms of the ops of one kernel, found on demand. Creates no IR.
class MaskForms {
public:
  explicit MaskForms(AffineForms &affine) : affine(affine) {}

  /// The form of an i1 tile or scalar. What is not understood is one `rest`.
  const MaskForm &of(Value mask);
  /// The access of a `tile.load store view_load view_store`, of tiles or scalars, or of a `layout.view_async_copy`.
  /// Null for other ops, the `_rows` too.
  const AccessForm *accessOf(Operation *op);

  AffineForms &getAffine() { return affine; }

private:
  MaskForm compute(Value mask);
  std::optional<MaskForm> compare(Value mask);
  std::unique_ptr<AccessForm> computeAccess(Operation *op);

  AffineForms &affine;
  llvm::DenseMap<Value, std::unique_ptr<MaskForm>> masks;
  llvm::DenseMap<Operation *, std::unique_ptr<AccessForm>> accesses;
};

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_MASKFORM_H
