//===- BarrierPlacement.cpp - where barriers must stand --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// From the inside out: a branch or loop is given the barriers that its own hazards need, and is then one step with the
// accesses that reach into it and out of it. In a list of steps, a barrier as late as each hazard allows gives the
// fewest. Round a loop, some barrier stands before some step; with that one fixed, what is left is a list.
//
//===---------------------------------------------------------------------===//

#include "Analysis/BarrierPlacement.h"

#include <algorithm>
#include <optional>

namespace tessera::ir {

namespace {

using Kind = BarrierStep::Kind;

/// Something for barriers of each strength: what is said of strong ones holds where weak ones do not count.
template <class T> class ByStrength {
public:
  explicit ByStrength(const T &value) : all{value, value} {}
  T &operator[](BarrierStrength strength) { return all[static_cast<size_t>(strength)]; }
  const T &operator[](BarrierStrength strength) const { return all[static_cast<size_t>(strength)]; }

private:
  std::array<T, 2> all;
};

/// Accesses since the last barrier, on any path.
struct Pending {
  struct Rounds {
    llvm::BitVector near; ///< in this round of all loops
    llvm::BitVector far;  ///< in an earlier round of a loop
  };
  ByStrength<Rounds> rounds;

  explicit Pending(unsigned count) : rounds({llvm::BitVector(count), llvm::BitVector(count)}) {}
  void clear(BarrierStrength strength) {
    rounds[strength].near.reset();
    rounds[strength].far.reset();
  }
  void clear() {
    for (const BarrierStrength strength : kStrengths)
      clear(strength);
  }
  void join(const Pending &other) {
    for (const BarrierStrength strength : kStrengths) {
      rounds[strength].near |= other.rounds[strength].near;
      rounds[strength].far |= other.rounds[strength].far;
    }
  }
  void endRound() {
    for (const BarrierStrength strength : kStrengths) {
      rounds[strength].far |= rounds[strength].near;
      rounds[strength].near.reset();
    }
  }
  /// From outside of a loop, its rounds are one step.
  void leaveLoop() {
    for (const BarrierStrength strength : kStrengths) {
      rounds[strength].near |= rounds[strength].far;
      rounds[strength].far.reset();
    }
  }
};

/// A step seen from outside.
struct Summary {
  ByStrength<llvm::BitVector> first; ///< accesses that no barrier in the step comes before
  Pending last;                      ///< accesses of the step that no barrier in it comes after
  ByStrength<bool> passes{true};     ///< whether one may come through without a barrier

  explicit Summary(unsigned count) : first(llvm::BitVector(count)), last(count) {}
};

/// The barriers of one list: before which of its steps one is placed.
using Placed = std::vector<bool>;

class Placement {
public:
  /// With \p mayPlace false, hazards that are left are only noted.
  explicit Placement(const Hazards &hazards, bool mayPlace = true)
      : hazards(hazards), count(hazards.size()), mayPlace(mayPlace) {}

  /// Whether there was no hazard for which a barrier could not be placed.
  bool areAllMet() const { return allMet; }

  /// Places barriers in a list that is run once, nothing pending before it, and sums it up.
  Summary placeList(BarrierSteps &steps) {
    const std::vector<Summary> parts = placeParts(steps);
    Placed placed(steps.size(), false);
    Pending pending(count);
    placeFrom(parts, 0, steps.size(), pending, placed);
    Summary sum(count);
    sum.last = pending;
    for (const BarrierStrength strength : kStrengths)
      sum.passes[strength] = reach(parts, placed, strength, steps.size(), sum.first[strength]);
    insert(steps, placed);
    return sum;
  }

private:
  Summary placeStep(BarrierStep &step) {
    switch (step.kind) {
    case Kind::Access: {
      Summary sum(count);
      for (const BarrierStrength strength : kStrengths) {
        sum.first[strength].set(step.access);
        sum.last.rounds[strength].near.set(step.access);
      }
      return sum;
    }
    case Kind::Barrier: {
      Summary sum(count);
      sum.passes[BarrierStrength::Weak] = false;
      sum.passes[BarrierStrength::Strong] = step.isWeak;
      return sum;
    }
    case Kind::Branch: {
      Summary sum = placeList(step.body), other = placeList(step.other);
      for (const BarrierStrength strength : kStrengths) {
        sum.first[strength] |= other.first[strength];
        sum.passes[strength] |= other.passes[strength];
      }
      sum.last.join(other.last);
      return sum;
    }
    case Kind::Loop:
      return placeLoop(step);
    }
    return Summary(count);
  }

  std::vector<Summary> placeParts(BarrierSteps &steps) {
    std::vector<Summary> parts;
    for (BarrierStep &step : steps)
      parts.push_back(placeStep(step));
    return parts;
  }

  /// The barriers in the body of a loop: none, or the fewest of those with one before some step.
  Summary placeLoop(BarrierStep &loop) {
    const std::vector<Summary> parts = placeParts(loop.body);
    const size_t size = parts.size();
    Placed best(size, false);
    if (const bool isFreeAlready = isFree(parts, best); !mayPlace) {
      allMet &= isFreeAlready;
    } else if (!isFreeAlready) {
      std::optional<size_t> fewest;
      for (size_t start = 0; start != size; ++start) {
        const Placed placed = placeRound(parts, start);
        const size_t barriers = llvm::count(placed, true);
        if (!fewest || barriers < *fewest) {
          fewest = barriers;
          best = placed;
        }
      }
    }
    Summary sum(count);
    for (const BarrierStrength strength : kStrengths) {
      llvm::BitVector ignored(count);
      reach(parts, best, strength, size, sum.first[strength]);
      sum.passes[strength] = reach(parts, best, strength, loop.exit, ignored);
    }
    sum.last = pendingAt(parts, best, loop.exit);
    sum.last.leaveLoop();
    insert(loop.body, best);
    loop.exit += std::count(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(loop.exit), true);
    return sum;
  }

  /// Round the loop from a barrier before step \p start.
  Placed placeRound(const std::vector<Summary> &parts, size_t start) {
    Placed placed(parts.size(), false);
    placed[start] = true;
    Pending pending(count);
    step(parts[start], pending);
    placeFrom(parts, start + 1, parts.size(), pending, placed);
    pending.endRound();
    placeFrom(parts, 0, start, pending, placed);
    return placed;
  }

  /// Follows the steps \p from to \p to and places a barrier where a hazard asks for one.
  void placeFrom(const std::vector<Summary> &parts, size_t from, size_t to, Pending &pending, Placed &placed) {
    for (size_t i = from; i != to; ++i) {
      if (meets(pending, parts[i])) {
        allMet &= mayPlace;
        placed[i] = mayPlace;
        pending.clear();
      }
      step(parts[i], pending);
    }
  }

  /// Whether the barriers of the parts are enough for the loop.
  bool isFree(const std::vector<Summary> &parts, const Placed &placed) {
    Pending pending(count);
    for (int round = 0; round != 2; ++round) {
      for (size_t i = 0; i != parts.size(); ++i) {
        if (placed[i])
          pending.clear();
        if (meets(pending, parts[i]))
          return false;
        step(parts[i], pending);
      }
      pending.endRound();
    }
    return true;
  }

  /// What is pending when the loop is left before step \p exit, with nothing pending before the loop.
  Pending pendingAt(const std::vector<Summary> &parts, const Placed &placed, size_t exit) {
    Pending pending(count), atExit(count);
    for (int round = 0; round != 2; ++round) {
      for (size_t i = 0; i != parts.size(); ++i) {
        if (i == exit)
          atExit.join(pending);
        if (placed[i])
          pending.clear();
        step(parts[i], pending);
      }
      if (exit == parts.size())
        atExit.join(pending);
      pending.endRound();
    }
    return atExit;
  }

  void step(const Summary &part, Pending &pending) {
    for (const BarrierStrength strength : kStrengths)
      if (!part.passes[strength])
        pending.clear(strength);
    pending.join(part.last);
  }

  bool meets(const Pending &pending, const Summary &part) const {
    return llvm::any_of(kStrengths, [&](BarrierStrength strength) {
      const Pending::Rounds &rounds = pending.rounds[strength];
      return llvm::any_of(part.first[strength].set_bits(), [&](unsigned access) {
        return rounds.near.anyCommon(hazards.inOneRound(access, strength)) ||
               rounds.far.anyCommon(hazards.betweenRounds(access, strength));
      });
    });
  }

  /// Adds to \p first what can be reached from the first step without a barrier of \p strength; whether that is up to
  /// step \p to.
  static bool reach(const std::vector<Summary> &parts, const Placed &placed, BarrierStrength strength, size_t to,
                    llvm::BitVector &first) {
    for (size_t i = 0; i != to; ++i) {
      if (placed[i])
        return false;
      first |= parts[i].first[strength];
      if (!parts[i].passes[strength])
        return false;
    }
    return true;
  }

  static void insert(BarrierSteps &steps, const Placed &placed) {
    if (llvm::none_of(placed, [](bool each) { return each; }))
      return;
    BarrierSteps result;
    for (size_t i = 0; i != steps.size(); ++i) {
      if (placed[i])
        result.push_back({.kind = Kind::Barrier});
      result.push_back(std::move(steps[i]));
    }
    steps = std::move(result);
  }

  const Hazards &hazards;
  const unsigned count;
  const bool mayPlace;
  bool allMet = true;
};

} // namespace

void placeBarriers(BarrierSteps &steps, const Hazards &hazards) { Placement(hazards).placeList(steps); }

/// Appends the barriers that were placed in \p steps.
static void collectPlaced(BarrierSteps &steps, SmallVectorImpl<BarrierStep *> &placed) {
  for (BarrierStep &step : steps) {
    if (step.kind == Kind::Barrier && !step.op)
      placed.push_back(&step);
    collectPlaced(step.body, placed);
    collectPlaced(step.other, placed);
  }
}

void weakenBarriers(BarrierSteps &steps, const Hazards &hazards) {
  SmallVector<BarrierStep *> placed;
  collectPlaced(steps, placed);
  for (BarrierStep *barrier : placed) {
    barrier->isWeak = true;
    Placement check(hazards, /*mayPlace=*/false);
    check.placeList(steps);
    barrier->isWeak = check.areAllMet();
  }
}

} // namespace tessera::ir
