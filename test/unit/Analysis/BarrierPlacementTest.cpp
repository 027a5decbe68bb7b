//===- BarrierPlacementTest.cpp - where barriers must stand ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/BarrierPlacement.h"

#include <gtest/gtest.h>
#include <random>

using namespace tessera::ir;
using Kind = BarrierStep::Kind;

namespace {

BarrierStep access(unsigned number) { return {.kind = Kind::Access, .access = number}; }
BarrierStep barrier(bool isWeak = false) { return {.kind = Kind::Barrier, .isWeak = isWeak}; }
BarrierStep loop(BarrierSteps body, size_t exit = 0) {
  return {.kind = Kind::Loop, .body = std::move(body), .exit = exit};
}
BarrierStep branch(BarrierSteps body, BarrierSteps other) {
  return {.kind = Kind::Branch, .body = std::move(body), .other = std::move(other)};
}

/// "0 | (1 2)* [3 / ] w": accesses, `|` for barriers and `w` for weak ones, loops, branches.
std::string textOf(const BarrierSteps &steps) {
  std::string text;
  for (const BarrierStep &step : steps) {
    if (!text.empty())
      text += ' ';
    switch (step.kind) {
    case Kind::Access:
      text += std::to_string(step.access);
      break;
    case Kind::Barrier:
      text += step.isWeak ? 'w' : '|';
      break;
    case Kind::Branch:
      text += "[" + textOf(step.body) + " / " + textOf(step.other) + "]";
      break;
    case Kind::Loop:
      text += "(" + textOf(step.body) + ")*";
      break;
    }
  }
  return text;
}

/// What happens in one run: accesses and barriers, each with the rounds of the loops around it.
struct Event {
  bool isBarrier;
  bool isWeak;
  unsigned access;
  std::vector<std::pair<int, int>> rounds; ///< which loop, which round of it
};
using Run = std::vector<Event>;

/// Runs a program with choices that \p random makes.
class Runner {
public:
  explicit Runner(std::mt19937 &random) : random(random) {}
  Run run(const BarrierSteps &steps) {
    events.clear();
    rounds.clear();
    loops = 0;
    steps_(steps, 0, steps.size());
    return events;
  }

private:
  void steps_(const BarrierSteps &steps, size_t from, size_t to) {
    for (size_t i = from; i != to; ++i)
      step(steps[i]);
  }
  void step(const BarrierStep &step) {
    switch (step.kind) {
    case Kind::Access:
    case Kind::Barrier:
      events.push_back({step.kind == Kind::Barrier, step.isWeak, step.access, rounds});
      return;
    case Kind::Branch: {
      const BarrierSteps &taken = random() % 2 ? step.body : step.other;
      return steps_(taken, 0, taken.size());
    }
    case Kind::Loop: {
      const int id = loops++, trips = static_cast<int>(random() % 4);
      rounds.emplace_back(id, 0);
      for (int trip = 0; trip != trips; ++trip, ++rounds.back().second)
        steps_(step.body, 0, step.body.size());
      steps_(step.body, 0, step.exit);
      rounds.pop_back();
    }
    }
  }

  std::mt19937 &random;
  Run events;
  std::vector<std::pair<int, int>> rounds;
  int loops = 0;
};

/// Whether two events are in different rounds of a loop around both.
bool betweenRounds(const Event &a, const Event &b) {
  for (size_t i = 0; i != std::min(a.rounds.size(), b.rounds.size()) && a.rounds[i].first == b.rounds[i].first; ++i)
    if (a.rounds[i].second != b.rounds[i].second)
      return true;
  return false;
}

/// Whether every hazard of the run has a barrier between that is strong enough.
bool isOrdered(const Run &run, const Hazards &hazards) {
  for (const BarrierStrength strength : kStrengths) {
    const auto orders = [&](const Event &event) {
      return event.isBarrier && (!event.isWeak || strength == BarrierStrength::Weak);
    };
    for (size_t second = 0; second != run.size(); ++second)
      for (size_t first = second; first-- > 0 && !orders(run[first]) && !run[second].isBarrier;) {
        const llvm::BitVector &before = betweenRounds(run[first], run[second])
                                            ? hazards.betweenRounds(run[second].access, strength)
                                            : hazards.inOneRound(run[second].access, strength);
        if (!run[first].isBarrier && before.test(run[first].access))
          return false;
      }
  }
  return true;
}

/// Whether \p trials random runs are all ordered.
bool holds(const BarrierSteps &steps, const Hazards &hazards, std::mt19937 &random, int trials) {
  Runner runner(random);
  for (int trial = 0; trial != trials; ++trial)
    if (!isOrdered(runner.run(steps), hazards))
      return false;
  return true;
}

Hazards randomHazards(std::mt19937 &random, unsigned count, unsigned oneIn) {
  Hazards hazards(count);
  for (unsigned first = 0; first != count; ++first)
    for (unsigned second = 0; second != count; ++second) {
      const bool hazard = random() % oneIn == 0, exempt = random() % 4 == 0;
      const BarrierStrength strength = random() % 3 == 0 ? BarrierStrength::Strong : BarrierStrength::Weak;
      hazards.add(first, second, hazard && !exempt, hazard, strength);
    }
  return hazards;
}

BarrierSteps randomSteps(std::mt19937 &random, unsigned &next, unsigned count, int depth) {
  BarrierSteps steps;
  const int length = static_cast<int>(random() % 5);
  for (int i = 0; i != length; ++i) {
    const unsigned kind = random() % (depth > 0 ? 8 : 5);
    if (kind < 5) {
      if (next != count)
        steps.push_back(access(next++));
    } else if (kind < 7) {
      BarrierSteps body = randomSteps(random, next, count, depth - 1);
      const size_t exit = body.empty() ? 0 : random() % (body.size() + 1);
      steps.push_back(loop(std::move(body), exit));
    } else {
      BarrierSteps body = randomSteps(random, next, count, depth - 1);
      BarrierSteps other = randomSteps(random, next, count, depth - 1);
      steps.push_back(branch(std::move(body), std::move(other)));
    }
    if (random() % 20 == 0)
      steps.push_back(barrier(random() % 2 == 0));
  }
  return steps;
}

size_t countBarriers(const BarrierSteps &steps, bool onlyWeak = false) {
  size_t count = 0;
  for (const BarrierStep &step : steps)
    count += (step.kind == Kind::Barrier && (step.isWeak || !onlyWeak)) + countBarriers(step.body, onlyWeak) +
             countBarriers(step.other, onlyWeak);
  return count;
}

TEST(BarrierPlacement, noRunOfAnyProgramHasAHazardLeft) {
  std::mt19937 random(3);
  size_t barriers = 0, free = 0, weak = 0;
  for (int round = 0; round != 3000; ++round) {
    unsigned accesses = 0;
    BarrierSteps steps = randomSteps(random, accesses, 12, 3);
    const Hazards hazards = randomHazards(random, std::max(accesses, 1u), 2 + random() % 6);
    const std::string before = textOf(steps);
    placeBarriers(steps, hazards);
    EXPECT_TRUE(holds(steps, hazards, random, 40)) << before << " became " << textOf(steps);
    barriers += countBarriers(steps);
    free += countBarriers(steps) == 0;
    const std::string strong = textOf(steps);
    weakenBarriers(steps, hazards);
    EXPECT_TRUE(holds(steps, hazards, random, 40)) << strong << " became " << textOf(steps);
    weak += countBarriers(steps, /*onlyWeak=*/true);
  }
  EXPECT_GT(weak, 1000u);
  EXPECT_GT(barriers, 2000u);
  EXPECT_GT(free, 200u);
}

/// The list \p body with barriers where the bits of \p where say.
BarrierSteps withBarriers(const BarrierSteps &body, unsigned where) {
  BarrierSteps steps;
  for (size_t i = 0; i != body.size(); ++i) {
    if (where >> i & 1)
      steps.push_back(barrier());
    steps.push_back(body[i]);
  }
  return steps;
}

/// Runs a list, or a loop over it, without choosing: all there is to see of it.
bool isFree(const BarrierSteps &body, bool isLoop, const Hazards &hazards) {
  Run run;
  for (int round = 0; round != (isLoop ? 3 : 1); ++round)
    for (const BarrierStep &step : body)
      run.push_back({step.kind == Kind::Barrier, step.isWeak, step.access, {{0, round}}});
  return isOrdered(run, hazards);
}

TEST(BarrierPlacement, listsAndLoopsHaveTheFewestBarriers) {
  std::mt19937 random(17);
  for (int round = 0; round != 2000; ++round) {
    const bool isLoop = round % 2 != 0;
    const unsigned size = 1 + random() % 7;
    BarrierSteps body;
    for (unsigned i = 0; i != size; ++i)
      body.push_back(access(i));
    const Hazards hazards = randomHazards(random, size, 2 + random() % 5);
    unsigned fewest = size + 1;
    for (unsigned where = 0; where != 1u << size; ++where)
      if (static_cast<unsigned>(llvm::popcount(where)) < fewest && isFree(withBarriers(body, where), isLoop, hazards))
        fewest = llvm::popcount(where);
    BarrierSteps steps = isLoop ? BarrierSteps{loop(body)} : body;
    placeBarriers(steps, hazards);
    EXPECT_EQ(countBarriers(steps), fewest) << textOf(steps);
  }
}

/// Access i must not follow access i - 1, in this round or the next.
std::string placed(BarrierSteps steps, unsigned count, std::initializer_list<std::pair<unsigned, unsigned>> pairs) {
  Hazards hazards(count);
  for (const auto &[first, second] : pairs)
    hazards.add(first, second, true, true);
  placeBarriers(steps, hazards);
  return textOf(steps);
}

TEST(BarrierPlacement, oneBarrierServesAllThatCrossIt) {
  EXPECT_EQ(placed({access(0), access(1), access(2), access(3)}, 4, {{0, 2}, {1, 3}}), "0 1 | 2 3");
  EXPECT_EQ(placed({access(0), access(1), access(2), access(3)}, 4, {{0, 1}, {2, 3}}), "0 | 1 2 | 3");
}

TEST(BarrierPlacement, whatALoopReadsIsReadyBeforeIt) {
  EXPECT_EQ(placed({access(0), loop({access(1)})}, 2, {{0, 1}}), "0 | (1)*");
  EXPECT_EQ(placed({loop({access(0)}), access(1)}, 2, {{0, 1}}), "(0)* | 1");
}

TEST(BarrierPlacement, roundsOfALoopAreKeptApart) {
  // Store, load: the store of the next round waits for the load, too.
  EXPECT_EQ(placed({loop({access(0), access(1)})}, 2, {{0, 1}, {1, 0}}), "(| 0 | 1)*");
  // Two buffers in turn need no more barriers than one.
  EXPECT_EQ(placed({loop({access(0), access(1), access(2), access(3)})}, 4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}}),
            "(0 | 1 2 | 3)*");
}

TEST(BarrierPlacement, aBarrierThatIsThereIsEnough) {
  EXPECT_EQ(placed({access(0), barrier(), access(1)}, 2, {{0, 1}}), "0 | 1");
  EXPECT_EQ(placed({access(0), branch({barrier()}, {}), access(1)}, 2, {{0, 1}}), "0 [| / ] | 1");
  EXPECT_EQ(placed({access(0), branch({barrier()}, {barrier()}), access(1)}, 2, {{0, 1}}), "0 [| / |] 1");
}

TEST(BarrierPlacement, onlyBarriersThatNothingElseNeedsAreWeak) {
  Hazards hazards(4);
  hazards.add(0, 1, true, true, BarrierStrength::Weak);
  hazards.add(1, 2, true, true, BarrierStrength::Strong);
  hazards.add(2, 3, true, true, BarrierStrength::Weak);
  BarrierSteps steps{access(0), access(1), loop({access(2), access(3)})};
  placeBarriers(steps, hazards);
  weakenBarriers(steps, hazards);
  EXPECT_EQ(textOf(steps), "0 w 1 | (2 w 3)*");
}

TEST(BarrierPlacement, weakBarriersThatAreThereAreNotEnoughForAll) {
  EXPECT_EQ(placed({access(0), barrier(/*isWeak=*/true), access(1)}, 2, {{0, 1}}), "0 w | 1");
  Hazards hazards(2);
  hazards.add(0, 1, true, true, BarrierStrength::Weak);
  BarrierSteps steps{access(0), barrier(/*isWeak=*/true), access(1)};
  placeBarriers(steps, hazards);
  EXPECT_EQ(textOf(steps), "0 w 1");
}

TEST(BarrierPlacement, aLoopThatIsNeverEnteredOrdersNothing) {
  EXPECT_EQ(placed({access(0), loop({barrier()}), access(1)}, 2, {{0, 1}}), "0 (|)* | 1");
  EXPECT_EQ(placed({access(0), loop({barrier(), access(2)}, 1), access(1)}, 3, {{0, 1}}), "0 (| 2)* 1")
      << "a loop that is left after its barrier does";
}

} // namespace
