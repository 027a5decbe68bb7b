//===- ConversionTest.cpp - a tile from one layout to another -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Plans are run on all threads of a program, the values being the numbers of the elements.
//
//===---------------------------------------------------------------------===//

#include "Layout/Conversion.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace tessera::layout;
using tessera::layout::test::forEachHolder;
using tessera::layout::test::Random;

using Kind = ConversionStep::Kind;

namespace {

/// How many numbers of threads there are in either layout.
struct Threads {
  Threads(const TileLayout &a, const TileLayout &b)
      : lanes(std::max(a.size(Dim::Lane), b.size(Dim::Lane))), warps(std::max(a.size(Dim::Warp), b.size(Dim::Warp))),
        blocks(std::max(a.size(Dim::Block), b.size(Dim::Block))) {}
  std::uint32_t lanes, warps, blocks;

  template <class Visit> void forEachWarp(Visit visit) const {
    for (std::uint32_t block = 0; block != blocks; ++block)
      for (std::uint32_t warp = 0; warp != warps; ++warp)
        visit(warp, block);
  }
};

} // namespace

/// The values of all lanes of a warp after the steps of \p plan.
static std::vector<std::vector<std::uint32_t>> run(const ConversionPlan &plan, const TileLayout &from,
                                                   std::uint32_t lanes, std::uint32_t warp, std::uint32_t block) {
  std::vector<std::vector<std::uint32_t>> values(lanes);
  for (std::uint32_t lane = 0; lane != lanes; ++lane)
    for (std::uint32_t reg = 0; reg != from.size(Dim::Register); ++reg)
      values[lane].push_back(from.at(reg, lane, warp, block));
  for (const ConversionStep &step : plan.steps) {
    EXPECT_EQ(step.firstResult, values[0].size());
    const auto before = values;
    for (std::uint32_t lane = 0; lane != lanes; ++lane) {
      if (step.kind == Kind::Select) {
        values[lane].push_back(before[lane].at(step.values.at(step.parity.of(lane, warp, block))));
        continue;
      }
      const std::uint32_t source = plan.sourceLane(lane, warp, block) ^ step.laneXor;
      for (const std::uint32_t value : step.values)
        values[lane].push_back(before.at(source).at(value));
    }
  }
  return values;
}

/// Bounds of the number of shuffles.
struct Bounds {
  int lacking = 0; ///< words that some thread lacks, if each brings as much from one lane as fits
  int sending = 0; ///< words that lanes of the same elements must send, those for themselves included
};

static Bounds boundsOf(const TileLayout &from, const TileLayout &to, std::size_t packed) {
  const Threads threads(from, to);
  using Elements = std::set<std::uint32_t>;
  Bounds bounds;
  const auto raise = [](int &bound, std::size_t count, std::size_t share) {
    bound = std::max(bound, static_cast<int>((count + share - 1) / share));
  };
  threads.forEachWarp([&](std::uint32_t warp, std::uint32_t block) {
    std::vector<Elements> held(threads.lanes), wanted(threads.lanes);
    Elements wantedByAny;
    for (std::uint32_t lane = 0; lane != threads.lanes; ++lane) {
      for (std::uint32_t reg = 0; reg != from.size(Dim::Register); ++reg)
        held[lane].insert(from.at(reg, lane, warp, block));
      for (std::uint32_t reg = 0; reg != to.size(Dim::Register); ++reg)
        wanted[lane].insert(to.at(reg, lane, warp, block));
      wantedByAny.insert(wanted[lane].begin(), wanted[lane].end());
    }
    const auto common = [](const Elements &some, const Elements &others) {
      return std::ranges::count_if(some, [&](std::uint32_t element) { return others.contains(element); });
    };
    for (std::uint32_t lane = 0; lane != threads.lanes; ++lane) {
      std::size_t atOnce = 1;
      for (const Elements &sender : held)
        atOnce = std::max(atOnce, std::min<std::size_t>(common(wanted[lane], sender), packed));
      raise(bounds.lacking, wanted[lane].size() - common(wanted[lane], held[lane]), atOnce);
      raise(bounds.sending, common(wantedByAny, held[lane]), packed * std::ranges::count(held, held[lane]));
    }
  });
  return bounds;
}

/// Plans the conversion, runs it, compares every element, and checks that no plan could have fewer shuffles.
static ConversionPlan checked(const TileLayout &from, const TileLayout &to, int elementBits = 32) {
  SCOPED_TRACE(from.str() + "\n  to  " + to.str() + "\n  bits " + std::to_string(elementBits));
  const ConversionPlan plan = planConversion(from, to, elementBits);
  const Threads threads(from, to);
  EXPECT_EQ(plan.kind, conversionKind(from, to));

  // What the kind must be, by looking at each thread and each warp.
  bool inThread = true, inWarp = true;
  threads.forEachWarp([&](std::uint32_t warp, std::uint32_t block) {
    std::set<std::uint32_t> held;
    for (std::uint32_t lane = 0; lane != threads.lanes; ++lane)
      for (std::uint32_t reg = 0; reg != from.size(Dim::Register); ++reg)
        held.insert(from.at(reg, lane, warp, block));
    for (std::uint32_t lane = 0; lane != threads.lanes; ++lane)
      for (std::uint32_t reg = 0; reg != to.size(Dim::Register); ++reg)
        inWarp &= held.contains(to.at(reg, lane, warp, block));
    for (std::uint32_t reg = 0; reg != to.size(Dim::Register) && inThread; ++reg) {
      bool found = false;
      for (std::uint32_t source = 0; source != from.size(Dim::Register) && !found; ++source) {
        found = true;
        threads.forEachWarp([&](std::uint32_t w, std::uint32_t b) {
          for (std::uint32_t lane = 0; lane != threads.lanes; ++lane)
            found &= from.at(source, lane, w, b) == to.at(reg, lane, w, b);
        });
      }
      inThread &= found;
    }
  });
  EXPECT_EQ(plan.kind != ConversionKind::Shared, inWarp);
  EXPECT_EQ(plan.kind <= ConversionKind::Registers, inThread);
  if (plan.kind == ConversionKind::Shared)
    return plan;
  EXPECT_EQ(plan.kind == ConversionKind::Warp, !plan.steps.empty());
  if (plan.kind == ConversionKind::Identity) {
    for (std::uint32_t reg = 0; reg != to.size(Dim::Register); ++reg)
      EXPECT_EQ(plan.results.at(reg), reg);
  }

  EXPECT_EQ(plan.results.size(), to.size(Dim::Register));
  bool right = true;
  threads.forEachWarp([&](std::uint32_t warp, std::uint32_t block) {
    const auto values = run(plan, from, threads.lanes, warp, block);
    for (std::uint32_t lane = 0; lane != threads.lanes; ++lane)
      for (std::uint32_t reg = 0; reg != to.size(Dim::Register); ++reg)
        right &= values[lane].at(plan.results[reg]) == to.at(reg, lane, warp, block);
  });
  EXPECT_TRUE(right);
  const Bounds bounds = boundsOf(from, to, std::max(1, 32 / elementBits));
  EXPECT_GE(plan.shuffles(), bounds.lacking);
  EXPECT_LE(plan.shuffles(), std::max(bounds.lacking, bounds.sending));
  if (bounds.sending <= bounds.lacking) {
    EXPECT_EQ(plan.shuffles(), bounds.lacking);
  }
  return plan;
}

/// A layout of the same shape whose warps hold what those of \p layout hold.
static TileLayout sameWarps(Random &random, const TileLayout &layout) {
  std::vector<std::uint32_t> columns(layout.bases(Dim::Register).begin(), layout.bases(Dim::Register).end());
  columns.insert(columns.end(), layout.bases(Dim::Lane).begin(), layout.bases(Dim::Lane).end());
  const std::size_t lanes = layout.bits(Dim::Lane);
  if (random.chance(30))
    columns.push_back(0);
  random.shuffle(columns);
  const auto anyOf = [&] { return columns.empty() ? 0u : columns[random.upTo(static_cast<int>(columns.size()) - 1)]; };
  if (random.chance(50) && !columns.empty())
    for (int step = 0; step != 8; ++step) {
      const int to = random.upTo(static_cast<int>(columns.size()) - 1);
      if (const std::uint32_t other = anyOf(); other != columns[to])
        columns[to] ^= other;
    }
  TileLayout::Bases bases;
  bases[1].assign(columns.end() - lanes, columns.end());
  bases[0].assign(columns.begin(), columns.end() - lanes);
  for (const Dim dim : {Dim::Warp, Dim::Block})
    for (const std::uint32_t column : layout.bases(dim))
      bases[static_cast<std::size_t>(dim)].push_back(column ^ (random.chance(20) ? anyOf() : 0));
  return TileLayout({layout.shape().begin(), layout.shape().end()}, std::move(bases));
}

TEST(Conversion, anyTwoLayouts) {
  Random random(1);
  std::map<ConversionKind, int> kinds;
  for (int round = 0; round != 2000; ++round) {
    const int rank = random.upTo(3), bits = rank == 0 ? 0 : random.upTo(6);
    const auto shape = random.shape(rank, bits);
    // Warps may be missing from one of the layouts.
    const TileLayout from = random.layout(shape, random.upTo(3), random.upTo(1), random.upTo(1)),
                     to = random.layout(shape, random.upTo(3), random.upTo(1), random.upTo(1));
    ++kinds[checked(from, to, 1 << (3 + random.upTo(3))).kind];
    if (HasFailure())
      return;
  }
  for (const ConversionKind kind : {ConversionKind::Registers, ConversionKind::Warp, ConversionKind::Shared})
    EXPECT_GT(kinds[kind], 100);
}

TEST(Conversion, layoutsWhoseWarpsHoldTheSame) {
  Random random(2);
  int shuffles = 0, free = 0;
  for (int round = 0; round != 2000; ++round) {
    const int rank = 1 + random.upTo(2);
    const TileLayout from = random.layout(random.shape(rank, random.upTo(8)), random.upTo(4), random.upTo(2), 0);
    const TileLayout to = sameWarps(random, from);
    TileLayout::Bases bases;
    for (const Dim dim : kDims)
      bases[static_cast<std::size_t>(dim)].assign(to.bases(dim).begin(), to.bases(dim).end());
    if (!TileLayout::problemOf(to.shape(), bases).empty())
      continue;
    const ConversionPlan plan = checked(from, to, 1 << (3 + random.upTo(3)));
    shuffles += plan.shuffles() > 0;
    free += plan.kind == ConversionKind::Warp && plan.shuffles() == 0;
    if (HasFailure())
      return;
  }
  EXPECT_GT(shuffles, 300);
  EXPECT_GT(free, 20);
}

// Registers 0 and 1 of a pair of lanes: half of the elements stay, the others change places in one shuffle.
TEST(Conversion, exchangeOfARegisterAndALane) {
  const TileLayout from({4}, {{{1}, {2}, {}, {}}}), to({4}, {{{2}, {1}, {}, {}}});
  const ConversionPlan plan = checked(from, to);
  EXPECT_EQ(plan.shuffles(), 1);
  EXPECT_EQ(plan.selects(), 3);
  EXPECT_TRUE(plan.shufflesByXor());
}

TEST(Conversion, smallElementsShareWords) {
  const TileLayout from({32}, {{{1, 2}, {4, 8, 16}, {}, {}}}), to({32}, {{{1, 4}, {2, 8, 16}, {}, {}}});
  EXPECT_EQ(checked(from, to, 64).shuffles(), 2);
  EXPECT_EQ(checked(from, to, 32).shuffles(), 2);
  EXPECT_EQ(checked(from, to, 16).shuffles(), 1);
  EXPECT_EQ(checked(from, to, 8).shuffles(), 1); // two of them stay together, not four
  const TileLayout turned({32}, {{{1, 2}, {8, 16, 4}, {}, {}}});
  EXPECT_EQ(checked(from, turned, 32).shuffles(), 4);
  EXPECT_EQ(checked(from, turned, 16).shuffles(), 2);
  EXPECT_EQ(checked(from, turned, 8).shuffles(), 1);
}

// All lanes that hold a row's result need it where lanes lie along columns; each has the right one among its copies.
TEST(Conversion, copiesSpareShuffles) {
  const TileLayout everywhere({4}, {{{1, 2}, {0, 0, 0}, {}, {}}}), spread({4}, {{{}, {1, 2, 0}, {}, {}}});
  EXPECT_EQ(checked(everywhere, spread).shuffles(), 0);
  EXPECT_EQ(checked(everywhere, spread).selects(), 3);
  EXPECT_EQ(checked(spread, everywhere).shuffles(), 3); // each lane has one of the four
  EXPECT_EQ(checked(TileLayout({4}, {{{}, {1, 2, 0}, {}, {}}}), TileLayout({4}, {{{}, {0, 1, 2}, {}, {}}})).shuffles(),
            1);
}

// Each warp needs all four registers of one lane, and has nothing else to read.
TEST(Conversion, oneLaneBoundsTheShuffles) {
  const TileLayout from({16}, {{{1, 2}, {4, 8}, {0, 0}, {}}}), to({16}, {{{}, {1, 2}, {4, 8}, {}}});
  EXPECT_EQ(checked(from, to, 32).shuffles(), 4);
  EXPECT_EQ(checked(from, to, 16).shuffles(), 2);
  EXPECT_EQ(checked(from, to, 8).shuffles(), 1);
  // With a copy in another lane, two of them share the work.
  EXPECT_EQ(
      checked(TileLayout({16}, {{{1, 2}, {4, 8, 0}, {0, 0}, {}}}), TileLayout({16}, {{{}, {1, 2, 0}, {4, 8}, {}}}))
          .shuffles(),
      2);
}

TEST(Conversion, registersOnly) {
  const TileLayout from({2, 4}, {{{1, 4, 0}, {2}, {}, {}}}), to({2, 4}, {{{4, 5}, {2}, {}, {}}});
  const ConversionPlan plan = checked(from, to);
  EXPECT_EQ(plan.kind, ConversionKind::Registers);
  EXPECT_THAT(plan.results, testing::ElementsAre(0, 2, 3, 1));
}

TEST(Conversion, betweenWarpsIsShared) {
  const TileLayout from({4}, {{{}, {1}, {2}, {}}}), to({4}, {{{}, {2}, {1}, {}}});
  EXPECT_EQ(checked(from, to).kind, ConversionKind::Shared);
  // Warps that hold copies of everything need no other.
  EXPECT_EQ(checked(TileLayout({4}, {{{2}, {1}, {0}, {}}}), to).kind, ConversionKind::Warp);
}

TEST(StaysInBlocks, agreesWithAskingEachBlock) {
  Random random(11);
  int staying = 0, leaving = 0;
  for (int round = 0; round != 2000; ++round) {
    const auto shape = random.shape(2, random.upTo(6));
    const int blocks = random.upTo(2);
    const TileLayout from = random.layout(shape, random.upTo(3), random.upTo(2), blocks);
    TileLayout to = random.layout(shape, random.upTo(3), random.upTo(2), random.upTo(2));
    if (random.chance(50)) { // the same blocks, other threads in them
      TileLayout::Bases bases;
      for (const Dim dim : kDims)
        bases[static_cast<std::size_t>(dim)].assign(from.bases(dim).begin(), from.bases(dim).end());
      std::swap(bases[0], bases[1]);
      to = TileLayout({from.shape().begin(), from.shape().end()}, bases);
    }
    const std::uint32_t count = std::max(from.size(Dim::Block), to.size(Dim::Block));
    bool stays = true;
    for (std::uint32_t block = 0; block != count; ++block) {
      std::set<std::uint32_t> held;
      const auto forEach = [&](const TileLayout &layout, auto visit) {
        for (std::uint32_t warp = 0; warp != layout.size(Dim::Warp); ++warp)
          for (std::uint32_t lane = 0; lane != layout.size(Dim::Lane); ++lane)
            for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
              visit(layout.at(reg, lane, warp, block));
      };
      forEach(from, [&](std::uint32_t element) { held.insert(element); });
      forEach(to, [&](std::uint32_t element) { stays &= held.contains(element); });
    }
    EXPECT_EQ(staysInBlocks(from, to), stays) << from.str() << " to " << to.str();
    ++(stays ? staying : leaving);
  }
  EXPECT_GT(staying, 300);
  EXPECT_GT(leaving, 300);
}
