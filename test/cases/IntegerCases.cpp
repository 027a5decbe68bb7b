//===- IntegerCases.cpp - reported mistakes in integer arithmetic ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

namespace tessera::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// SEMANTICS A1
// #619, #955: division by a negative number, and of one: truncation, and the floor by its own name.
TEST(IntegerCases, divisionTruncates) {
  const auto k = kernel("quotients", {"out", "floors", "n", "two"}, [](Ptr<i32> out, Ptr<i32> floors, I32 n, I32 two) {
    Tile i = arange(0, 16);
    store(out + i, i / -2);
    store(floors + i, floor_div(i, -2));
    store(out + 16, n / two);
    store(floors + 16, floor_div(n, two));
  });
  Buffer<i32> out = device().buffer<i32>(17), floors = device().buffer<i32>(17);
  k.launch(device(), 1, out, floors, -1, 2);
  EXPECT_THAT(out.download(), ElementsAre(0, 0, -1, -1, -2, -2, -3, -3, -4, -4, -5, -5, -6, -6, -7, -7, 0));
  EXPECT_THAT(floors.download(), ElementsAre(0, -1, -1, -2, -2, -3, -3, -4, -4, -5, -5, -6, -6, -7, -7, -8, -1));
}

// SEMANTICS A1
// #7749: -64 ... -57 divided by 32, as an offset, is not one value.
TEST(IntegerCases, quotientOfNegativesAsOffset) {
  const auto k = kernel("offsets", {"x", "out"}, [](Ptr<i32> x, Ptr<i32> out) {
    Tile i = arange(0, 8);
    store(out + i, load(x + 2 + (i - 64) / 32));
  });
  const Buffer<i32> x = device().upload(std::vector<int>{-2, -1});
  for (const CompileOptions &options : variants()) {
    Buffer<i32> out = device().buffer<i32>(8);
    k.with({}, options).launch(device(), 1, x, out);
    EXPECT_THAT(out.download(), ElementsAre(-2, -1, -1, -1, -1, -1, -1, -1));
  }
}

enum class Which { quotient, remainder, both };
struct DivideConfig {
  Which which = Which::both;
};

// SEMANTICS A1
// #4676: a division by zero does the same alone and beside a remainder: checked execution reports it, and changes no
// neighbour.
TEST(IntegerCases, divisionByZeroIsReported) {
  const auto k = kernel("by_zero", {"x", "y", "q", "r"},
                        [](const DivideConfig &c, Ptr<i32> x, Ptr<i32> y, Ptr<i32> q, Ptr<i32> r) {
                          Tile i = arange(0, 4);
                          if (c.which != Which::remainder)
                            store(q + i, load(x + i) / load(y + i));
                          if (c.which != Which::quotient)
                            store(r + i, load(x + i) % load(y + i));
                        });
  if (device().name() != "interp")
    GTEST_SKIP() << "only checked execution reports it";
  const Buffer<i32> x = device().upload(std::vector<int>{7, 8, -9, 10}),
                    y = device().upload(std::vector<int>{2, 0, 4, -3});
  for (Which which : {Which::quotient, Which::remainder, Which::both}) {
    Buffer<i32> q = device().buffer<i32>(4), r = device().buffer<i32>(4);
    q.fill(-1);
    r.fill(-1);
    try {
      k.with({which}).launch(device(), 1, x, y, q, r);
      ADD_FAILURE() << "reported nothing";
    } catch (const DeviceError &error) {
      EXPECT_THAT(error.what(), HasSubstr("division by zero: 8"));
      EXPECT_THAT(error.what(), HasSubstr("at [1]"));
    }
    const std::vector<int> quotients = q.download(), remainders = r.download();
    if (which != Which::remainder) {
      EXPECT_TRUE(quotients[0] == 3 && quotients[2] == -2 && quotients[3] == -3);
    }
    if (which != Which::quotient) {
      EXPECT_TRUE(remainders[0] == 1 && remainders[2] == -1 && remainders[3] == 1);
    }
  }
}

// #11581: (9 i + 1) % 1000 stored where i is even.
TEST(IntegerCases, remainderStoredUnderAMask) {
  const auto k = kernel("remainders", {"out"}, [](Ptr<i32> out) {
    Tile i = arange(0, 32).col() * 8 + arange(0, 8).row();
    store(out + i, (i * 9 + 1) % 1000, {.mask = i % 2 == 0});
  });
  for (const CompileOptions &options : variants()) {
    Buffer<i32> out = device().buffer<i32>(256);
    out.fill(-1);
    k.with({}, options).launch(device(), 1, out);
    const std::vector<int> got = out.download();
    EXPECT_EQ(got[136], 225);
    for (int i = 0; i != 256; ++i)
      EXPECT_EQ(got[i], i % 2 ? -1 : (i * 9 + 1) % 1000) << i;
  }
}

} // namespace
} // namespace tessera::test
