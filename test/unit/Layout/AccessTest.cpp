//===- AccessTest.cpp - how wide accesses are, and who makes them ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/Access.h"
#include "unit/Layout/BankSimulator.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace tessera::layout;
using tessera::layout::test::forEachHolder;
using tessera::layout::test::Random;
using tessera::layout::test::wavefrontsOf;
using testing::ElementsAre;

using Shape = std::vector<std::int64_t>;

TEST(Access, vectorsAreBoundByAll) {
  const TileLayout rows = TileLayout::blocked(Shape{8, 128}, Shape{1, 8}, Shape{2, 16}, Shape{4, 1}, std::vector{1, 0});
  EXPECT_EQ(vectorElements(rows, 1, 2, 16), 8u);
  EXPECT_EQ(vectorElements(rows, 1, 4, 16), 4u);
  EXPECT_EQ(vectorElements(rows, 1, 1, 16), 8u); // a thread has no more
  EXPECT_EQ(vectorElements(rows, 1, 2, 16, 32), 8u);
  EXPECT_EQ(vectorElements(rows, 1, 4, 1 << 20, 32), 8u);
  EXPECT_EQ(vectorElements(rows, 1, 2, 4), 2u); // runs start at even elements only
  EXPECT_EQ(vectorElements(rows, 1, 2, 6), 1u);
  EXPECT_EQ(vectorElements(rows, 1, 2, 12), 2u);
  EXPECT_EQ(vectorElements(rows, 0, 2, 16), 1u); // columns are apart in memory
}

TEST(Access, ownersHoldEachElementOnce) {
  Random random(1);
  for (int round = 0; round != 100; ++round) {
    const TileLayout layout = random.layout(random.shape(2, random.upTo(7)), random.upTo(5), random.upTo(2), 1);
    const OwnerMasks owners = ownersOf(layout);
    std::vector<int> owned(layout.elements(), 0);
    int holders = 0;
    forEachHolder(layout, [&](auto... holder) {
      owned[layout.at(holder...)] += owners.owns(holder...);
      ++holders;
    });
    EXPECT_THAT(owned, testing::Each(1)) << layout.str();
    EXPECT_EQ(owners.everybody(), holders == layout.elements());
  }
}

TEST(Access, firstRegistersAreTheLowestOfTheSame) {
  EXPECT_THAT(firstRegisters(TileLayout({4}, {{{1, 1, 2}, {}, {}, {}}})), ElementsAre(0, 1, 1, 0, 4, 5, 5, 4));
  Random random(2);
  for (int round = 0; round != 100; ++round) {
    const TileLayout layout = random.layout(random.shape(1, random.upTo(6)), random.upTo(2), random.upTo(1));
    const std::vector<std::uint32_t> first = firstRegisters(layout);
    for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
      for (std::uint32_t other = 0; other <= reg; ++other)
        if (layout.at(other, 0, 0) == layout.at(reg, 0, 0)) {
          ASSERT_EQ(first[reg], other) << layout.str();
          break;
        }
  }
}

static SharedLayout randomShared(Random &random, const Shape &shape) {
  SharedLayout layout = SharedLayout::inOrder(shape, std::vector{1, 0});
  std::vector<std::uint32_t> bases(layout.bases().begin(), layout.bases().end());
  if (random.chance(70))
    random.shuffle(bases);
  if (random.chance(50))
    for (int step = 0; step != 6 && bases.size() > 1; ++step) {
      const int last = static_cast<int>(bases.size()) - 1, from = random.upTo(last), to = random.upTo(last);
      if (from != to)
        bases[to] ^= bases[from];
    }
  return SharedLayout(shape, std::move(bases));
}

// Each access is aligned and in order in every thread, all registers but copies are in one; and if there is none,
// there is a thread for which the registers of an access cannot be grouped like those of thread 0.
TEST(Access, groupsAreAccesses) {
  Random random(3);
  int found = 0, missing = 0;
  for (int round = 0; round != 1000; ++round) {
    const Shape shape = random.shape(2, 2 + random.upTo(5));
    const TileLayout layout = random.layout(shape, random.upTo(3), random.upTo(1));
    const SharedLayout shared = randomShared(random, shape);
    SCOPED_TRACE(layout.str() + "\n" + shared.str());
    const std::uint32_t elements = 1 << random.upTo(2);
    const std::vector<std::uint32_t> groups = accessGroups(layout, shared, elements);
    const std::vector<std::uint32_t> first = firstRegisters(layout);
    if (groups.empty()) {
      ++missing;
      bool same = true; // whether the registers of aligned runs of elements are the same in each thread
      const auto runOf = [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp) {
        std::vector<int> run(elements, -1);
        const std::uint32_t start = shared.offset(layout.at(reg, lane, warp)) & ~(elements - 1);
        for (std::uint32_t other = layout.size(Dim::Register); other-- != 0;)
          if (const std::uint32_t offset = shared.offset(layout.at(other, lane, warp)) - start; offset < elements)
            run[offset] = static_cast<int>(other);
        return run;
      };
      forEachHolder(layout, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
        const std::vector<int> run = runOf(reg, lane, warp);
        same &= std::ranges::count(run, -1) == 0 && run == runOf(reg, 0, 0);
      });
      EXPECT_FALSE(same);
      continue;
    }
    found += elements > 1;
    std::vector<std::uint32_t> sorted = groups, unique;
    std::ranges::sort(sorted);
    for (std::uint32_t reg = 0; reg != first.size(); ++reg)
      if (first[reg] == reg)
        unique.push_back(reg);
    EXPECT_EQ(sorted, unique);
    forEachHolder(layout, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
      if (reg >= groups.size())
        return;
      const std::uint32_t start = shared.offset(layout.at(groups[reg & ~(elements - 1)], lane, warp));
      ASSERT_EQ(start % elements, 0u);
      ASSERT_EQ(shared.offset(layout.at(groups[reg], lane, warp)), start + reg % elements);
    });
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(missing, 50);
}

TEST(Access, bankConflictsAreWhatBanksSee) {
  Random random(4);
  int conflicts = 0;
  for (int round = 0; round != 2000; ++round) {
    const Shape shape = random.shape(2, random.upTo(11));
    const TileLayout layout = random.layout(shape, random.chance(90) ? 5 : random.upTo(6), random.upTo(1));
    const SharedLayout shared = randomShared(random, shape);
    const int elementBytes = 1 << random.upTo(3);
    SCOPED_TRACE(layout.str() + "\n" + shared.str() + "\n" + std::to_string(elementBytes));
    for (std::uint32_t elements = 1; elements <= widestAccess(layout, shared, elementBytes); elements *= 2) {
      for (const Service &service : {Service{}, Service{.loads = true}, Service{.loads = true, .banks = 64}}) {
        const Wavefronts counted = bankConflicts(layout, shared, elements, elementBytes, service);
        conflicts += counted.actual > counted.ideal;
        ASSERT_EQ(counted, wavefrontsOf(layout, shared, elements, elementBytes, service));
      }
      if (elements > 1) {
        ASSERT_LT(accessCost(layout, shared, elements, elementBytes),
                  accessCost(layout, shared, elements / 2, elementBytes));
      }
    }
  }
  EXPECT_GT(conflicts, 200);
}

// A matrix of floats in rows: threads along a row have no conflict, threads along a column have 32, swizzled again
// none.
TEST(Access, textbookConflicts) {
  const Shape shape{32, 32}, one{1, 1};
  const TileLayout row = TileLayout::blocked(shape, one, Shape{1, 32}, one, std::vector{1, 0}),
                   column = TileLayout::blocked(shape, one, Shape{32, 1}, one, std::vector{0, 1});
  const SharedLayout plain = SharedLayout::inOrder(shape, std::vector{1, 0}),
                     swizzled = SharedLayout::swizzled(shape, std::vector{1, 0}, 1, 1, 32);
  EXPECT_EQ(bankConflicts(row, plain, 1, 4), (Wavefronts{1, 1}));
  EXPECT_EQ(bankConflicts(column, plain, 1, 4), (Wavefronts{32, 1}));
  EXPECT_EQ(bankConflicts(row, swizzled, 1, 4), (Wavefronts{1, 1}));
  EXPECT_EQ(bankConflicts(column, swizzled, 1, 4), (Wavefronts{1, 1}));
  const TileLayout wide = TileLayout::blocked(shape, Shape{1, 4}, Shape{4, 8}, one, std::vector{1, 0});
  EXPECT_EQ(bankConflicts(wide, plain, 4, 4), (Wavefronts{4, 4}));
  EXPECT_EQ(widestAccess(wide, plain, 4), 4u);
  EXPECT_EQ(widestAccess(wide, swizzled, 4), 1u);
}

// Rows in which each lane reads its own: all conflicts there can be, whatever the width.
TEST(Access, costsOfARowForEachLane) {
  const TileLayout rows({32, 32}, {{{1, 2, 4, 8, 16}, {32, 64, 128, 256, 512}, {}, {}}});
  const SharedLayout plain = SharedLayout::inOrder(Shape{32, 32}, std::vector{1, 0});
  for (std::uint32_t elements : {1u, 2u, 4u})
    EXPECT_EQ(accessCost(rows, plain, elements, 4), 32 / elements * (1 + 32)) << elements;
}
