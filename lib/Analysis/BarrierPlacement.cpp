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

/// Accesses since the last barrier, on any path.
struct Pending {
  llvm::BitVector near; ///< in this round of all loops
  llvm::BitVector far;  ///< in an earlier round of a loop

  explicit Pending(unsigned count) : near(count), far(count) {}
  void clear() {
    near.reset();
    far.reset();
  }
  void join(const Pending &other) {
    near |= other.near;
    far |= other.far;
  }
  void endRound() {
    far |= near;
    near.reset();
  }
  bool operator==(const Pending &) const = default;
};

/// A step seen from outside.
struct Summary {
  llvm::BitVector first; ///< accesses that no barrier in the step comes before
  Pending last;          ///< accesses of the step that no barrier in it comes after
  bool passes = true;    ///< whether one may come through without a barrier

  explicit Summary(unsigned count) : first(count), last(count) {}
};

/// The barriers of one list: before which of its steps one is placed.
using Placed = std::vector<bool>;

class Placement {
public:
  explicit Placement(const Hazards &hazards) : hazards(hazards), count(hazards.size()) {}

  /// Places barriers in a list that is run once, nothing pending before it, and sums it up.
  Summary placeList(BarrierSteps &steps) {
    const std::vector<Summary> parts = placeParts(steps);
    Placed placed(steps.size(), false);
    Pending pending(count);
    placeFrom(parts, 0, steps.size(), pending, placed);
    Summary sum(count);
    sum.last = pending;
    sum.passes = reach(parts, placed, 0, steps.size(), sum.first);
    insert(steps, placed);
    return sum;
  }

private:
  Summary placeStep(BarrierStep &step) {
    switch (step.kind) {
    case Kind::Access: {
      Summary sum(count);
      sum.first.set(step.access);
      sum.last.near.set(step.access);
      return sum;
    }
    case Kind::Barrier: {
      Summary sum(count);
      sum.passes = false;
      return sum;
    }
    case Kind::Branch: {
      Summary sum = placeList(step.body), other = placeList(step.other);
      sum.first |= other.first;
      sum.last.join(other.last);
      sum.passes |= other.passes;
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
    if (!isFree(parts, best)) {
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
    reach(parts, best, 0, size, sum.first);
    sum.passes = passes(parts, best, 0, loop.exit);
    sum.last = pendingAt(parts, best, loop.exit);
    sum.last.near |= sum.last.far; // from outside, its rounds are one step
    sum.last.far.reset();
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
        placed[i] = true;
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
    if (!part.passes)
      pending.clear();
    pending.join(part.last);
  }

  bool meets(const Pending &pending, const Summary &part) const {
    return llvm::any_of(part.first.set_bits(), [&](unsigned access) {
      return pending.near.anyCommon(hazards.inOneRound(access)) || pending.far.anyCommon(hazards.betweenRounds(access));
    });
  }

  /// Adds to \p first what can be reached from step \p from without a barrier; whether that is up to step \p to.
  bool reach(const std::vector<Summary> &parts, const Placed &placed, size_t from, size_t to, llvm::BitVector &first) {
    for (size_t i = from; i != to; ++i) {
      if (placed[i])
        return false;
      first |= parts[i].first;
      if (!parts[i].passes)
        return false;
    }
    return true;
  }

  bool passes(const std::vector<Summary> &parts, const Placed &placed, size_t from, size_t to) {
    llvm::BitVector ignored(count);
    return reach(parts, placed, from, to, ignored);
  }

  static void insert(BarrierSteps &steps, const Placed &placed) {
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
};

} // namespace

void placeBarriers(BarrierSteps &steps, const Hazards &hazards) { Placement(hazards).placeList(steps); }

} // namespace tessera::ir
