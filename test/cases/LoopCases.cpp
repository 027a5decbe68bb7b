//===- LoopCases.cpp - reported mistakes in loops, control flow and pipelining ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

namespace tessera::test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

// SEMANTICS M3, L2
// #8139: a pipelined loop loads an index and stores there, under a condition that is true at run time.
TEST(LoopCases, storeAtALoadedIndexInAPipelinedLoop) {
  const auto k = kernel("indices", {"index", "out", "n", "yes"}, [](Ptr<i32> index, Ptr<i32> out, Int n, Bool yes) {
    for_range(0, n,
              [&](Int i) {
                I32 x = load(index + i);
                if_(yes, [&] { store(out + x, x + 1); });
              },
              {.num_stages = 2});
  });
  const Buffer<i32> index = device().upload(ramp<int>(17));
  for (const CompileOptions &options : variants()) {
    Buffer<i32> out = device().buffer<i32>(17);
    out.fill(0);
    k.with({}, options).launch(device(), 1, index, out, 17, true);
    EXPECT_EQ(out.download(), ramp<int>(17, 1));
    out.fill(0);
    k.with({}, options).launch(device(), 1, index, out, 17, false);
    EXPECT_THAT(out.download(), Each(0));
  }
}

// SEMANTICS M3
// #9887: elements stored by one statement are loaded by the next, each by another lane.
TEST(LoopCases, storeThenLoadOfAnotherLane) {
  const auto k = kernel("exchange", {"x", "out"}, [](Ptr<i32> x, Ptr<i32> out) {
    Tile i = arange(0, 256);
    store(x + i, i * 3);
    store(out + i, load(x + (255 - i)));
  });
  for (const CompileOptions &options : variants()) {
    Buffer<i32> x = device().buffer<i32>(256), out = device().buffer<i32>(256);
    x.fill(-1);
    k.with({}, options).launch(device(), 1, x, out);
    EXPECT_EQ(out.download(), ramp<int>(256, 765, -3));
  }
}

// #2672: a loop carries (n, d, _) to (n, d, n / d).
TEST(LoopCases, quotientCarriedByALoop) {
  const auto k = kernel("carried", {"x", "out", "trips"}, [](Ptr<f32> x, Ptr<f32> out, Int trips) {
    Tile i = arange(0, 8);
    Tile n = full(f32, {8}, 1), d = load(x + i), q = zeros(f32, {8});
    for_range(0, trips, [&](Int) {
      Tile next = n / d;
      n = n + 0;
      d = d * 1;
      q = next;
    });
    store(out + i, q);
  });
  const Buffer<f32> x = device().upload(std::vector<float>(8, 12));
  for (const CompileOptions &options : variants())
    for (int trips : {0, 1, 2, 3}) {
      Buffer<f32> out = device().buffer<f32>(8);
      k.with({}, options).launch(device(), 1, x, out, trips);
      EXPECT_THAT(out.download(), Each(trips ? 1.0f / 12 : 0.0f)) << trips;
    }
}

// #646: an f16 accumulator that becomes f32 in a loop is an error that names both lines, not a loop that vanishes.
TEST(LoopCases, carriedValueThatChangesTypeIsAnError) {
  int declared = 0, assigned = 0;
  const auto k = kernel("changing", {"x", "out"}, [&declared, &assigned](Ptr<f32> x, Ptr<f16> out) {
    Tile i = arange(0, 8);
    Tile acc = zeros(f16, {8});
    declared = __LINE__ - 1;
    for_range(0, 4, [&](Int step) {
      acc = acc + load(x + step * 8 + i);
      assigned = __LINE__ - 1;
    });
    store(out + i, acc.to(f16));
  });
  Buffer<f32> x = device().buffer<f32>(32);
  Buffer<f16> out = device().buffer<f16>(8);
  try {
    k.launch(device(), 1, x, out);
    ADD_FAILURE() << "threw nothing";
  } catch (const UsageError &error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("f16"), HasSubstr("f32")));
    EXPECT_THAT(error.what(), AllOf(HasSubstr("LoopCases.cpp:" + std::to_string(declared)),
                                    HasSubstr("LoopCases.cpp:" + std::to_string(assigned))));
  }
}

// SEMANTICS L1
// #11601: a nest whose outer loop has no trips loads no bound, which lies in memory that does not exist.
TEST(LoopCases, outerLoopOfNoTripsTouchesNothing) {
  const auto k = kernel("nest", {"bounds", "out", "n"}, [](Ptr<i64> bounds, Ptr<i64> out, Int n) {
    Int count = 0;
    for_range(0, n, [&](Int i) {
      Int inner = load(bounds + i);
      for_range(0, inner, [&](Int) { count += 1; });
    });
    store(out, count);
  });
  Buffer<i64> out = device().buffer<i64>(1);
  k.launch(device(), 1, borrow(reinterpret_cast<std::int64_t *>(4096), 1), out, 0);
  EXPECT_EQ(out.download()[0], 0);
  const Buffer<i64> bounds = device().upload(std::vector<std::int64_t>{2, 0, 5});
  k.launch(device(), 1, bounds, out, 3);
  EXPECT_EQ(out.download()[0], 7);
}

// #11153: y = A x, between stores that a false guard keeps from happening.
TEST(LoopCases, deadGuardedStores) {
  const auto k = kernel("guarded", {"a", "x", "y", "no"}, [](Ptr<f32> a, Ptr<f32> x, Ptr<f32> y, Bool no) {
    for_range(0, 4, [&](Int i) {
      F32 sum = 0.0f;
      for_range(0, 4, [&](Int j) {
        sum += load(a + i * 4 + j) * load(x + j);
        if_(no, [&] { store(y + i, sum * 0); });
      });
      store(y + i, sum);
      if_(no, [&] { store(y + i, -1.0f); });
    });
  });
  const Buffer<f32> a = device().upload(std::vector<float>(16, 1)), x = device().upload(std::vector<float>(4, 1));
  for (const CompileOptions &options : variants()) {
    Buffer<f32> y = device().buffer<f32>(4);
    k.with({}, options).launch(device(), 1, a, x, y, false);
    EXPECT_THAT(y.download(), Each(4.0f));
  }
}

} // namespace
} // namespace tessera::test
