//===- Order.h - which ops must stay in order ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_PLAN_ORDER_H
#define TESSERA_CONVERSION_TILETOHOST_PLAN_ORDER_H

#include "Analysis/MaskForm.h"
#include "Analysis/PointerRoots.h"

namespace tessera::ir::host {

/// What an op and all ops inside it do to memory that pointers address.
struct MemoryUse {
  bool reads = false;
  bool writes = false;
  bool isBarrier = false; ///< orders all accesses before and after it
  bool isTrace = false;   ///< prints or asserts: in order among themselves
  llvm::BitVector roots;

  bool isNone() const { return !reads && !writes && !isBarrier && !isTrace; }
};

/// What must be kept of the order of two ops, the first of which comes first in the text.
enum class Order {
  Free,
  Lanewise, ///< the first comes first, or both share a loop in which each lane of the first comes first
  Strict,   ///< all of the first comes first
};

/// Answers for one kernel. Errs on the side of order.
class MemoryOrder {
public:
  MemoryOrder(tile::KernelOp kernel, MaskForms &masks) : roots(kernel), masks(masks) {}

  unsigned rootCount() const { return roots.size(); }
  MemoryUse useOf(Operation *op) const;
  Order between(Operation *first, const MemoryUse &firstUse, Operation *second, const MemoryUse &secondUse) const;

private:
  bool touchesSameLanes(Operation *load, Operation *store) const;

  PointerRoots roots;
  MaskForms &masks;
};

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_PLAN_ORDER_H
