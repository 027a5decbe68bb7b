//===- AxisInfo.h - runs of equal or counting elements ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What makes wide accesses possible: along which axis, and in runs of how many elements, integers and addresses count
// up, masks stay the same, and which power of two divides where a run starts. Holds through loops and for tiles that
// have no affine form.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_AXISINFO_H
#define TESSERA_ANALYSIS_AXISINFO_H

#include "Analysis/AffineForm.h"

namespace tessera::ir {

/// Facts about the elements of a tile along one axis. All numbers are powers of two. An *aligned run* of n elements
/// starts at a multiple of n.
struct AxisFacts {
  int64_t contiguity = 1; ///< in aligned runs of so many, each is the one before plus one modulo 2^width; an address,
                          ///< plus the bytes of what it points to
  int64_t divisor = 1;    ///< divides the first of each such run
  int64_t constancy = 1;  ///< in aligned runs of so many, all are equal

  bool operator==(const AxisFacts &) const = default;
};

/// No divisor is told above this one, which is that of zero.
inline constexpr int64_t kMostDivisor = int64_t(1) << 40;

/// Facts along each axis of a tile; a scalar counts as a tile of one element with one axis.
using AxisInfo = SmallVector<AxisFacts, 5>;

/// Axis info of all values of one kernel.
class AxisInfos {
public:
  /// Scalars and powers of two that are taken to divide them.
  using Assumptions = llvm::DenseMap<Value, int64_t>;

  /// \p affine proves that integers do not wrap. The kernel must not change while this object lives.
  AxisInfos(tile::KernelOp kernel, AffineForms &affine, Assumptions assumed = Assumptions());

  AxisInfo of(Value value) const;
  /// A power of two that divides the integer, or the address, \p scalar.
  int64_t divisorOf(Value scalar) const { return of(scalar).front().divisor; }

private:
  class Transfer;
  void visit(Block &block);
  void flowThrough(Operation *op);
  /// Makes what is known of \p value no better than \p info.
  void meet(Value value, AxisInfo info);
  void meetAll(mlir::ValueRange values, mlir::ValueRange sources);

  AffineForms &affine;
  const Assumptions assumed;
  bool changed = false;
  llvm::DenseMap<Value, AxisInfo> infos;
};

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_AXISINFO_H
