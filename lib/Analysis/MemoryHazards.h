//===- MemoryHazards.h - which accesses of a kernel need order --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every thread runs through a kernel at its own pace. Two accesses that may meet in memory, one of them a write, keep
// the order of the text by themselves only if one thread makes both. Else the lanes of a warp, or all threads, must
// wait between them.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_MEMORYHAZARDS_H
#define TESSERA_ANALYSIS_MEMORYHAZARDS_H

#include "Analysis/AffineForm.h"
#include "Analysis/BarrierPlacement.h"
#include "Analysis/PointerRoots.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include <memory>

namespace tessera::ir {

/// Between which threads two accesses of one element may be split.
enum class ThreadScope { None, Warp, Block, Cluster };

/// Whether the holder of an element in one layout is its only holder in both, or is in the warp or block of all others.
ThreadScope scopeBetween(const layout::TileLayout &a, const layout::TileLayout &b);

/// The accesses of one kernel with allocated buffers, and their order. Meanwhile nothing but barriers may be added to
/// the kernel.
class MemoryHazards {
public:
  explicit MemoryHazards(tile::KernelOp kernel);
  ~MemoryHazards();

  /// The kernel's accesses and barriers in its control flow, for barriers of \p scope.
  BarrierSteps steps(ThreadScope scope) const;
  /// What such barriers are for; weak ones order shared memory alone. Those of a block serve what is within a warp,
  /// too.
  Hazards hazards(ThreadScope scope) const;

private:
  struct Part;
  struct Access;
  BarrierSteps stepsOf(Block &block, ThreadScope scope) const;
  void collect(Operation *op);
  void collectGlobal(Operation *op, Access &access);
  void collectShared(Operation *op, Access &access);
  void collectWaits();
  /// What the order of two accesses asks for in either memory.
  struct Order {
    ThreadScope shared = ThreadScope::None, global = ThreadScope::None;
  };
  Order between(const Access &first, const Access &second, bool sameRound);
  ThreadScope between(const Part &first, const Part &second, bool sameRound);
  ThreadScope betweenGlobal(const Part &first, const Part &second, bool sameRound);
  ThreadScope betweenHolders(const Part &first, const Part &second);

  tile::KernelOp kernel;
  PointerRoots roots;
  UniformExprs exprs;
  AffineForms forms;
  ThreadScope widest = ThreadScope::Block; ///< what a program's threads can be split over
  std::vector<Access> accesses;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<std::pair<Attribute, Attribute>, ThreadScope> holders; ///< of two layouts
  std::vector<Order> inOneRound, betweenRounds;                         ///< of each first and second access
};

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_MEMORYHAZARDS_H
