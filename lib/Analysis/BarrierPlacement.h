//===- BarrierPlacement.h - where barriers must stand ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A program as barriers see it: accesses in structured control flow, and which of them must not run before all threads
// have done which others. A barrier on every path from the one to the other orders them; a weak
// barrier orders one kind of memory only.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_BARRIERPLACEMENT_H
#define TESSERA_ANALYSIS_BARRIERPLACEMENT_H

#include "IRSupport/LLVM.h"

#include "llvm/ADT/BitVector.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::ir {

/// A step of a program.
struct BarrierStep {
  enum class Kind {
    Access,  ///< the access called `access`
    Barrier, ///< orders all before it and all after it, or if it `isWeak` what weak barriers order
    Branch,  ///< `body` or `other`
    Loop,    ///< `body` again and again; it is left before the step `exit` of it, at the first round or a later one
  };

  Kind kind = Kind::Access;
  unsigned access = 0;
  std::vector<BarrierStep> body = {};
  std::vector<BarrierStep> other = {};
  size_t exit = 0;
  Operation *op = nullptr; ///< the op that this stands for; null for a barrier that was placed
  bool isWeak = false;
};
using BarrierSteps = std::vector<BarrierStep>;

/// Which barriers order two accesses.
enum class BarrierStrength : uint8_t { Weak, Strong };
inline constexpr std::array<BarrierStrength, 2> kStrengths{BarrierStrength::Weak, BarrierStrength::Strong};

/// Which accesses must not follow which others without a barrier between, and how strong it must be.
class Hazards {
public:
  explicit Hazards(unsigned count) {
    for (Rounds &rounds : all)
      rounds.near = rounds.far = std::vector<llvm::BitVector>(count, llvm::BitVector(count));
  }

  unsigned size() const { return static_cast<unsigned>(all[0].near.size()); }
  /// Between \p first and a later \p second: in one round of every loop around both, and in different rounds of one.
  void add(unsigned first, unsigned second, bool inOneRound, bool betweenRounds,
           BarrierStrength strength = BarrierStrength::Strong) {
    Rounds &rounds = all[static_cast<size_t>(strength)];
    if (inOneRound)
      rounds.near[second].set(first);
    if (betweenRounds)
      rounds.far[second].set(first);
  }
  /// The accesses that \p second must not follow in one round without a barrier of this strength; in different ones.
  const llvm::BitVector &inOneRound(unsigned second, BarrierStrength strength) const {
    return all[static_cast<size_t>(strength)].near[second];
  }
  const llvm::BitVector &betweenRounds(unsigned second, BarrierStrength strength) const {
    return all[static_cast<size_t>(strength)].far[second];
  }

private:
  struct Rounds {
    std::vector<llvm::BitVector> near, far;
  };
  std::array<Rounds, 2> all;
};

/// Adds barriers to \p steps, each before the step that needs it, so that no hazard is left. Hazards between a loop and
/// what is outside of it are met outside; with this, few barriers do: the fewest where there is no loop or branch, and
/// in each loop the fewest for its own hazards.
void placeBarriers(BarrierSteps &steps, const Hazards &hazards);

/// Makes barriers that were placed in \p steps weak, one after another, as long as no hazard is left.
void weakenBarriers(BarrierSteps &steps, const Hazards &hazards);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_BARRIERPLACEMENT_H
