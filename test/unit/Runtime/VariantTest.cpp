//===- VariantTest.cpp - which variant a launch takes ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Variant.h"

#include "gtest/gtest.h"

using namespace tessera;
using namespace tessera::rt;

/// x: f32*, n: i64, lda and ldb: strides.
static LaunchFacts facts() {
  LaunchFacts facts;
  facts.names = {"x", "n", "lda", "ldb"};
  facts.dtypes = {f32, i64, i64, i64};
  facts.pointers.set(0);
  for (const std::size_t stride : {2, 3}) {
    facts.strides.set(stride);
    facts.addresses.set(stride);
  }
  return facts;
}

/// What a launch with these values looks like.
static SlotPattern pattern(std::uint64_t x, std::uint64_t n, std::uint64_t lda, std::uint64_t ldb) {
  SlotPattern pattern;
  const std::uint64_t values[] = {x, n, lda, ldb};
  for (std::size_t i = 0; i != 4; ++i) {
    if (i && values[i] == 1)
      pattern.ones.set(i);
    if (values[i] % 16 == 0)
      pattern.multiples.set(i);
  }
  return pattern;
}

static VariantKey key(const char *text) { return *VariantKey::parse(text, facts()); }

TEST(LaunchVariant, isWrittenAndRead) {
  for (const char *text : {"general", "aligned", "folded grid", "aligned, stride 1: lda ldb, folded grid",
                           "stride 1: ldb", "stride 1: lda, folded grid"}) {
    const std::optional<VariantKey> read = VariantKey::parse(text, facts());
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->str(facts()), text);
  }
  for (const char *text :
       {"", "nothing", "aligned, general", "stride 1: m", "stride 1: ldb lda", "aligned,", "aligned, "})
    EXPECT_FALSE(VariantKey::parse(text, facts())) << text;
}

TEST(LaunchVariant, isMadeForTheArguments) {
  EXPECT_EQ(variantFor(facts(), pattern(256, 7, 32, 32), false).str(facts()), "aligned");
  EXPECT_EQ(variantFor(facts(), pattern(260, 7, 32, 32), false).str(facts()), "general");
  EXPECT_EQ(variantFor(facts(), pattern(256, 1, 1, 32), false).str(facts()), "aligned, stride 1: lda");
  EXPECT_EQ(variantFor(facts(), pattern(256, 7, 1, 33), true).str(facts()), "stride 1: lda, folded grid");
}

TEST(LaunchVariant, servesWhatItIsRightFor) {
  const auto serve = [](const char *variant, const SlotPattern &given, bool fold = false) {
    return serves(key(variant), facts(), given, fold);
  };
  EXPECT_TRUE(serve("general", pattern(4, 7, 1, 1)));
  EXPECT_FALSE(serve("general", pattern(4, 7, 1, 1), true));
  EXPECT_TRUE(serve("aligned", pattern(16, 7, 16, 32)));
  EXPECT_FALSE(serve("aligned", pattern(16, 7, 1, 32))) << "a stride of 1 that is not folded is no multiple of 16";
  EXPECT_TRUE(serve("aligned, stride 1: lda", pattern(16, 7, 1, 32)));
  EXPECT_FALSE(serve("aligned, stride 1: lda", pattern(16, 7, 16, 32)));
  EXPECT_TRUE(serve("stride 1: lda", pattern(4, 7, 1, 1)));
}

TEST(LaunchVariant, moreFoldedStridesComeBeforeAlignment) {
  EXPECT_TRUE(isBetter(key("stride 1: lda"), key("aligned")));
  EXPECT_TRUE(isBetter(key("aligned, stride 1: lda"), key("stride 1: lda")));
  EXPECT_TRUE(isBetter(key("stride 1: lda ldb"), key("aligned, stride 1: lda")));
  EXPECT_FALSE(isBetter(key("general"), key("general")));
}
