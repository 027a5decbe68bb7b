//===- LinearMapTest.cpp - linear maps over F2 ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/LinearMap.h"
#include "Layout/SharedLayout.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace tessera::layout;
using tessera::layout::test::forEachHolder;
using tessera::layout::test::Random;

static LinearMap randomMap(Random &random, int inBits, int outBits) {
  const bool sparse = random.chance(50);
  std::vector<std::uint64_t> columns;
  for (int bit = 0; bit != inBits; ++bit)
    columns.push_back(sparse ? std::uint64_t{1} << random.upTo(outBits) : random.upTo((1 << outBits) - 1));
  for (std::uint64_t &column : columns)
    column &= (1u << outBits) - 1;
  return LinearMap(std::move(columns), outBits);
}

/// Calls \p check with random maps of up to 6 bits.
template <class Check> static void forRandomMaps(unsigned seed, Check check) {
  Random random(seed);
  for (int round = 0; round != 300; ++round) {
    const LinearMap map = randomMap(random, random.upTo(6), random.upTo(6));
    SCOPED_TRACE(map.str());
    check(random, map);
  }
}

/// All numbers that \p vectors combine to.
static std::set<std::uint64_t> spanned(const std::vector<std::uint64_t> &vectors) {
  std::set<std::uint64_t> result{0};
  for (const std::uint64_t vector : vectors)
    for (const std::uint64_t have : std::set(result))
      result.insert(have ^ vector);
  return result;
}

/// How often each output of \p map is met.
static std::map<std::uint64_t, int> timesMet(const LinearMap &map) {
  std::map<std::uint64_t, int> result;
  for (std::uint64_t number = 0; number != 1u << map.inBits(); ++number)
    ++result[map(number)];
  return result;
}

TEST(LinearMap, isLinear) {
  forRandomMaps(1, [](Random &, const LinearMap &map) {
    for (std::uint64_t x = 0; x != 1u << map.inBits(); ++x)
      for (std::uint64_t y = 0; y <= x; ++y)
        ASSERT_EQ(map(x ^ y), map(x) ^ map(y));
  });
}

TEST(LinearMap, factsAgreeWithCounting) {
  forRandomMaps(2, [](Random &, const LinearMap &map) {
    const auto met = timesMet(map);
    EXPECT_EQ(std::size_t{1} << map.rank(), met.size());
    EXPECT_EQ(map.isInjective(), met.size() == 1u << map.inBits());
    EXPECT_EQ(map.isSurjective(), met.size() == 1u << map.outBits());

    const auto kernel = spanned(map.kernel());
    EXPECT_EQ(kernel.size(), 1u << map.kernel().size());
    EXPECT_EQ(static_cast<int>(kernel.size()), met.at(0));
    for (const std::uint64_t number : kernel)
      EXPECT_EQ(map(number), 0u);

    std::set<std::uint64_t> outputs;
    for (const auto &[output, times] : met)
      outputs.insert(output);
    EXPECT_EQ(spanned(map.image()), outputs);
    EXPECT_EQ(static_cast<int>(map.image().size()), map.rank());
  });
}

TEST(LinearMap, imageIsReduced) {
  EXPECT_THAT(LinearMap({6, 5, 3}, 3).image(), testing::ElementsAre(5, 3));
  EXPECT_THAT(LinearMap({7, 2, 0}, 3).image(), testing::ElementsAre(5, 2));
}

TEST(LinearMap, thenIsOneAfterTheOther) {
  forRandomMaps(3, [](Random &random, const LinearMap &first) {
    const LinearMap second = randomMap(random, first.outBits(), random.upTo(6)), both = first.then(second);
    for (std::uint64_t number = 0; number != 1u << first.inBits(); ++number)
      ASSERT_EQ(both(number), second(first(number)));
    EXPECT_EQ(first.then(LinearMap::identity(first.outBits())), first);
    EXPECT_EQ(LinearMap::identity(first.inBits()).then(first), first);
    EXPECT_EQ(LinearMap::zero(3, first.inBits()).then(first), LinearMap::zero(3, first.outBits()));
  });
}

TEST(LinearMap, productAndSumActOnTheirBits) {
  forRandomMaps(4, [](Random &random, const LinearMap &low) {
    const LinearMap high = randomMap(random, random.upTo(4), random.upTo(4)),
                    same = randomMap(random, random.upTo(4), low.outBits());
    for (std::uint64_t x = 0; x != 1u << low.inBits(); ++x) {
      for (std::uint64_t y = 0; y != 1u << high.inBits(); ++y)
        ASSERT_EQ(product(low, high)(x | y << low.inBits()), low(x) | high(y) << low.outBits());
      for (std::uint64_t y = 0; y != 1u << same.inBits(); ++y)
        ASSERT_EQ(sum(low, same)(x | y << low.inBits()), low(x) ^ same(y));
    }
  });
}

TEST(LinearMap, partsKeepOrder) {
  const LinearMap map({0b0011, 0b0100, 0b1010}, 4);
  EXPECT_EQ(map.ofInputs(0b101), LinearMap({0b0011, 0b1010}, 4));
  EXPECT_EQ(map.toOutputs(0b1010), LinearMap({0b01, 0b00, 0b11}, 2));
}

TEST(LinearMap, quotientUndoesAProduct) {
  forRandomMaps(5, [](Random &random, const LinearMap &map) {
    const int bits = random.upTo(3);
    const LinearMap both = product(LinearMap::identity(bits), map);
    const std::uint64_t part = (1u << bits) - 1;
    EXPECT_TRUE(both.keeps(part));
    EXPECT_EQ(both.quotient(part), map);
  });
  EXPECT_FALSE(LinearMap({1, 3}, 2).keeps(1)); // bit 1 maps to bit 0 too
  EXPECT_TRUE(LinearMap({1, 2}, 2).keeps(2));
  EXPECT_FALSE(LinearMap({3, 2}, 2).keeps(1));
  EXPECT_FALSE(LinearMap({1}, 2).keeps(2)); // no such input
}

TEST(LinearMap, solvesWhatHasASolution) {
  forRandomMaps(6, [](Random &random, const LinearMap &map) {
    const auto met = timesMet(map);
    for (std::uint64_t number = 0; number != 1u << map.outBits(); ++number) {
      const auto input = map.solve(number);
      ASSERT_EQ(input.has_value(), met.contains(number));
      if (input) {
        ASSERT_EQ(map(*input), number);
      }
    }
    // A product can be divided again; a map that meets more cannot.
    const LinearMap before = randomMap(random, random.upTo(5), map.inBits());
    const auto quotient = map.solve(before.then(map));
    ASSERT_TRUE(quotient.has_value());
    EXPECT_EQ(quotient->then(map), before.then(map));
    EXPECT_EQ(map.rightInverse().has_value(), map.isSurjective());
    if (const auto right = map.rightInverse()) {
      EXPECT_TRUE(right->then(map).isIdentity());
    }
  });
}

TEST(LinearMap, inverseUndoesFromBothSides) {
  int bijections = 0;
  Random random(7);
  for (int round = 0; round != 200; ++round) {
    const int bits = random.upTo(4);
    const LinearMap map = randomMap(random, bits, bits);
    const auto inverse = map.inverse();
    ASSERT_EQ(inverse.has_value(), map.isInjective()) << map.str();
    if (!inverse)
      continue;
    ++bijections;
    EXPECT_TRUE(map.then(*inverse).isIdentity()) << map.str();
    EXPECT_TRUE(inverse->then(map).isIdentity()) << map.str();
  }
  EXPECT_GT(bijections, 40);
  EXPECT_FALSE(LinearMap({1, 2, 1}, 2).inverse().has_value()); // surjective only
}

// All 64 bits can be used.
TEST(LinearMap, takesWholeWords) {
  const LinearMap identity = LinearMap::identity(64);
  EXPECT_EQ(identity(~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_EQ(identity.rank(), 64);
  EXPECT_TRUE(identity.inverse().has_value());
  EXPECT_TRUE(identity.keeps(~std::uint64_t{0}));
  EXPECT_EQ(identity.toOutputs(~std::uint64_t{0}), identity);
  EXPECT_EQ(identity.quotient(~std::uint64_t{0}), LinearMap());
}

TEST(LinearMap, showsLayouts) {
  Random random(8);
  for (int round = 0; round != 50; ++round) {
    const TileLayout layout = random.layout(random.shape(2, 6), 3, 2, 1);
    const LinearMap map = LinearMap::of(layout);
    EXPECT_TRUE(map.isSurjective());
    forEachHolder(layout, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) {
      const int bits = layout.bits(Dim::Register);
      ASSERT_EQ(map(reg | lane << bits | warp << (bits + 3) | block << (bits + 5)), layout.at(reg, lane, warp, block));
    });
  }
  const SharedLayout shared({4}, {2, 3});
  EXPECT_EQ(LinearMap::of(shared), LinearMap({2, 3}, 2));
  EXPECT_EQ(LinearMap::of(shared).str(), "[0x2 0x3] -> 2 bits");
}
