//===- Contents.h - what a plan holds --------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The data behind Plan, filled by the parts of the planner in turn: Values decides what kind of value each one is,
// BlockPlanner groups the ops of each block and orders them, and the arena places what is left in memory.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_PLAN_CONTENTS_H
#define TESSERA_CONVERSION_TILETOHOST_PLAN_CONTENTS_H

#include "Conversion/TileToHost/Plan/Plan.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tessera::ir::host {

struct PlanContents {
  PlanContents(tile::KernelOp kernel, const HostOptions &options)
      : kernel(kernel), options(options), affine(exprs, options.fuse), masks(affine) {}

  tile::KernelOp kernel;
  HostOptions options;
  UniformExprs exprs;
  AffineForms affine;
  MaskForms masks;

  llvm::DenseMap<Value, Home> homes; ///< of tiles; what is not here is Uniform
  llvm::DenseMap<Block *, std::vector<Step>> steps;
  std::vector<Group> groups;
  llvm::DenseMap<std::pair<Operation *, unsigned>, PackedView> packed;
  std::vector<Slot> slots;
  int64_t arenaBytes = 0;

  /// A new slot of \p bytes.
  unsigned addSlot(int64_t bytes) {
    slots.push_back({bytes, 0});
    return static_cast<unsigned>(slots.size() - 1);
  }
  /// A row-major view of a new slot that holds tiles of \p type.
  BufferView addBuffer(Type type);
};

/// The row-major view of slot 0 for tiles of \p type.
BufferView denseView(Type type);

/// \p source as result \p number of the shape op \p op; nothing if elements would have to move.
std::optional<BufferView> viewThrough(Operation *op, unsigned number, const BufferView &source);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_PLAN_CONTENTS_H
