//===- ScanCases.cpp - reported mistakes in scans, sorting, flips and histograms --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

#include <algorithm>

namespace tessera::test {
namespace {

using ::testing::ElementsAre;

struct Length {
  int n = 8;
};

// #2361: a running sum inside a loop of one trip, shorter than a warp and as long.
TEST(ScanCases, runningSumInALoopOfOneTrip) {
  const auto k = kernel("loop_cumsum", {"x", "out", "trips"}, [](const Length &c, Ptr<f32> x, Ptr<f32> out, Int trips) {
    for_range(0, trips, [&](Int i) {
      Tile offs = i * c.n + arange(0, c.n).row();
      store(out + offs, cumsum(load(x + offs), {.axis = 1}));
    });
  });
  for (int n : {8, 32, 128})
    for (const CompileOptions &options : variants()) {
      const Buffer<f32> x = device().upload(std::vector<float>(n, 1.0f));
      Buffer<f32> out = device().buffer<f32>(n);
      k.with({n}, options).launch(device(), 1, x, out, 1);
      EXPECT_EQ(out.download(), ramp<float>(n, 1)) << n;
    }
}

// SEMANTICS R1
// #5897: a running count of bools.
TEST(ScanCases, runningSumOfBools) {
  const auto k = kernel("count", {"x", "out"}, [](Ptr<i1> x, Ptr<i32> out) {
    Tile i = arange(0, 4);
    store(out + i, cumsum(load(x + i)));
  });
  const bool all[] = {true, true, true, true}, some[] = {true, false, false, true};
  const Buffer<i1> on = device().upload(all), mixed = device().upload(some);
  Buffer<i32> out = device().buffer<i32>(4);
  k.launch(device(), 1, on, out);
  EXPECT_THAT(out.download(), ElementsAre(1, 2, 3, 4));
  k.launch(device(), 1, mixed, out);
  EXPECT_THAT(out.download(), ElementsAre(1, 1, 1, 2));
}

// SEMANTICS R3
// #2359: a combine that is associative but not commutative: the recurrence h = a h + b.
TEST(ScanCases, leftToRightWithANonCommutativeCombine) {
  const auto k = kernel("recurrence", {"a", "b", "out"}, [](const Length &c, Ptr<i64> a, Ptr<i64> b, Ptr<i64> out) {
    Tile i = arange(0, c.n);
    auto [p, q] = scan(std::tuple(load(a + i), load(b + i)), 0,
                       [](Tile la, Tile lb, Tile ra, Tile rb) { return std::tuple(la * ra, lb * ra + rb); });
    store(out + i, q);
  });
  for (int n : {8, 64, 1024})
    for (const CompileOptions &options : variants()) {
      std::vector<std::int64_t> a = ramp<std::int64_t>(n, 3, 7), b = ramp<std::int64_t>(n, -5, 2), want;
      std::uint64_t h = 0;
      for (int i = 0; i != n; ++i)
        want.push_back(
            static_cast<std::int64_t>(h = h * static_cast<std::uint64_t>(a[i]) + static_cast<std::uint64_t>(b[i])));
      const Buffer<i64> ba = device().upload(a), bb = device().upload(b);
      Buffer<i64> out = device().buffer<i64>(n);
      k.with({n}, options).launch(device(), 1, ba, bb, out);
      EXPECT_EQ(out.download(), want) << n;
    }
}

// #7817: a running sum times a dot, small and with many warps.
TEST(ScanCases, runningSumTimesDot) {
  const auto k = kernel("cumsum_dot", {"a", "b", "out"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out) {
    Tile i = arange(0, 16);
    Tile at = i.col() * 16 + i.row();
    Tile x = load(a + at), y = load(b + at);
    store(out + at, cumsum(x.to(f32), {.axis = 0}) * dot(x, y));
  });
  const std::vector<float> a = eighths(256, 1), b = eighths(256, 2), d = product(a, b, 16, 16, 16);
  const Buffer<f16> ba = device().upload<f16>(a), bb = device().upload<f16>(b);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(256);
    k.with({}, options).launch(device(), 1, ba, bb, out);
    const std::vector<float> got = out.download();
    for (int c = 0; c != 16; ++c) {
      float sum = 0;
      for (int r = 0; r != 16; ++r) {
        sum += a[r * 16 + c];
        EXPECT_FLOAT_EQ(got[r * 16 + c], sum * d[r * 16 + c]);
      }
    }
  }
}

// SEMANTICS R5
// #5999: sorting data with infinity and NaN in descending order loses and doubles nothing.
TEST(ScanCases, sortIsAPermutation) {
  const auto k = kernel("sorted", {"x", "down", "up"}, [](Ptr<f32> x, Ptr<f32> down, Ptr<f32> up) {
    Tile i = arange(0, 4);
    store(down + i, sort(load(x + i), {.descending = true}));
    store(up + i, sort(load(x + i)));
  });
  std::vector<float> x{-1, 3.14159f, kInf, kNan};
  std::sort(x.begin(), x.begin() + 3);
  std::vector<int> order{0, 1, 2, 3};
  do {
    std::vector<float> permuted;
    for (int i : order)
      permuted.push_back(x[i]);
    const Buffer<f32> bx = device().upload(permuted);
    Buffer<f32> down = device().buffer<f32>(4), up = device().buffer<f32>(4);
    k.launch(device(), 1, bx, down, up);
    const std::vector<float> d = down.download(), u = up.download();
    EXPECT_TRUE(std::isnan(d[0]) && d[1] == kInf && d[2] == 3.14159f && d[3] == -1);
    EXPECT_TRUE(std::isnan(u[3]) && u[2] == kInf && u[1] == 3.14159f && u[0] == -1);
  } while (std::next_permutation(order.begin(), order.end()));
}

// SEMANTICS S1
// #5439, #10790: flipping data that holds infinity makes no NaN, and runs along the last axis by default.
TEST(ScanCases, flip) {
  const auto k = kernel("flipped", {"x", "last", "first"}, [](Ptr<f32> x, Ptr<f32> last, Ptr<f32> first) {
    Tile at = arange(0, 2).col() * 4 + arange(0, 4).row();
    store(last + at, flip(load(x + at)));
    store(first + at, flip(load(x + at), 0));
  });
  const Buffer<f32> x = device().upload(std::vector<float>{kInf, 1, -kInf, 2, 3, kInf, 4, 5});
  for (const CompileOptions &options : variants()) {
    Buffer<f32> last = device().buffer<f32>(8), first = device().buffer<f32>(8);
    k.with({}, options).launch(device(), 1, x, last, first);
    EXPECT_THAT(last.download(), ElementsAre(2, -kInf, 1, kInf, 5, 4, kInf, 3));
    EXPECT_THAT(first.download(), ElementsAre(3, kInf, 4, 5, kInf, 1, -kInf, 2));
  }
}

// SEMANTICS R5
// #8550: a histogram of one bin is stored beside other data.
TEST(ScanCases, histogramOfOneBinKeepsItsNeighbour) {
  const auto k = kernel("one_bin", {"x", "out"}, [](Ptr<i32> x, Ptr<i32> out) {
    store(out + arange(0, 1), histogram(load(x + arange(0, 64)), 1));
  });
  const Buffer<i32> x = device().upload(std::vector<int>(64, 0));
  for (const CompileOptions &options : variants()) {
    Buffer<i32> out = device().upload(std::vector<int>{-1, 12345, 12345});
    k.with({}, options).launch(device(), 1, x, out);
    EXPECT_THAT(out.download(), ElementsAre(64, 12345, 12345));
  }
}

// #10889: 128 equal values of 8 bits count to 128.
TEST(ScanCases, histogramOfEqualBytes) {
  const auto k = kernel("bytes", {"x", "out"}, [](Ptr<i8> x, Ptr<i32> out) {
    store(out + arange(0, 8), histogram(load(x + arange(0, 128)), 8));
  });
  const Buffer<i8> x = device().upload(std::vector<std::int8_t>(128, 5));
  for (const CompileOptions &options : variants()) {
    Buffer<i32> out = device().buffer<i32>(8);
    k.with({}, options).launch(device(), 1, x, out);
    EXPECT_THAT(out.download(), ElementsAre(0, 0, 0, 0, 0, 128, 0, 0));
  }
}

} // namespace
} // namespace tessera::test
