//===- BarrierPlacement.h - where barriers must stand ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A program as barriers see it: accesses in structured control flow, and which of them must not run before all threads
// have done which others. A barrier on every path from the one to the other orders them.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_BARRIERPLACEMENT_H
#define TESSERA_ANALYSIS_BARRIERPLACEMENT_H

#include "IRSupport/LLVM.h"

#include "llvm/ADT/BitVector.h"

#include <cstddef>
#include <vector>

namespace tessera::ir {

/// A step of a program.
struct BarrierStep {
  enum class Kind {
    Access,  ///< the access called `access`
    Barrier, ///< orders all before it and all after it
    Branch,  ///< `body` or `other`
    Loop,    ///< `body` again and again; it is left before the step `exit` of it, at the first round or a later one
  };

  Kind kind = Kind::Access;
  unsigned access = 0;
  std::vector<BarrierStep> body = {};
  std::vector<BarrierStep> other = {};
  size_t exit = 0;
  Operation *op = nullptr; ///< the op that this stands for; null for a barrier that was placed
};
using BarrierSteps = std::vector<BarrierStep>;

/// Which accesses must not follow which others without a barrier between.
class Hazards {
public:
  explicit Hazards(unsigned count) : near(count, llvm::BitVector(count)), far(count, llvm::BitVector(count)) {}

  unsigned size() const { return static_cast<unsigned>(near.size()); }
  /// Between \p first and a later \p second: in one round of every loop around both, and in different rounds of one.
  void add(unsigned first, unsigned second, bool inOneRound, bool betweenRounds) {
    if (inOneRound)
      near[second].set(first);
    if (betweenRounds)
      far[second].set(first);
  }
  /// The accesses that \p second must not follow in one round; in different ones.
  const llvm::BitVector &inOneRound(unsigned second) const { return near[second]; }
  const llvm::BitVector &betweenRounds(unsigned second) const { return far[second]; }

private:
  std::vector<llvm::BitVector> near, far;
};

/// Adds barriers to \p steps, each before the step that needs it, so that no hazard is left. Hazards between a loop and
/// what is outside of it are met outside; with this, few barriers do: the fewest where there is no loop or branch, and
/// in each loop the fewest for its own hazards.
void placeBarriers(BarrierSteps &steps, const Hazards &hazards);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_BARRIERPLACEMENT_H
