//===- RunMovesTest.cpp - shapes, products, atomics and random numbers ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Recorded, run by the interpreter and compared with plain C++.
//
//===---------------------------------------------------------------------===//

#include "../Interp/Harness.h"
#include "TraceSupport.h"

#include "Target/Interp/Float.h"
#include "tessera/lang/Atomic.h"
#include "tessera/lang/ControlFlow.h"
#include "tessera/lang/Dot.h"
#include "tessera/lang/Memory.h"
#include "tessera/lang/Program.h"
#include "tessera/lang/Random.h"
#include "tessera/lang/Reduce.h"
#include "tessera/lang/Shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

using namespace tessera;
using ir::interp::Memory;
using ir::interp::TestKernel;
using test::trace;

using I32s = std::vector<std::int32_t>;

/// What `make()` gives, an i32 tile of any shape, in row-major order.
template <class Make> static I32s made(Make make, std::size_t results) {
  TestKernel kernel(trace([make](Ptr<i32> out) {
    const Tile result = make();
    const std::int64_t n = result.shape().elements();
    store(out + arange(0, n), reshape(result, {n}));
  }));
  Memory<std::int32_t> out(results);
  ir::interp::expectNoFaults(kernel.run1(out));
  return out.values;
}

// SEMANTICS S1
TEST(RunShape, movesElements) {
  EXPECT_EQ(made([] { return trans(reshape(arange(0, 8), {2, 4})); }, 8), (I32s{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(made([] { return join(arange(0, 4), arange(10, 14)); }, 8), (I32s{0, 10, 1, 11, 2, 12, 3, 13}));
  EXPECT_EQ(made([] { return split(reshape(arange(0, 8), {4, 2})).second; }, 4), (I32s{1, 3, 5, 7}));
  EXPECT_EQ(made([] { return cat(reshape(arange(0, 4), {2, 2}), reshape(arange(4, 8), {2, 2}), 1); }, 8),
            (I32s{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(made([] { return flip(reshape(arange(0, 8), {2, 4})); }, 8), (I32s{3, 2, 1, 0, 7, 6, 5, 4}));
  EXPECT_EQ(made([] { return flip(reshape(arange(0, 8), {2, 4}), 0); }, 8), (I32s{4, 5, 6, 7, 0, 1, 2, 3}));
}

// SEMANTICS S2
TEST(RunShape, arangesBelowZero) {
  EXPECT_EQ(made([] { return arange(-2, 2); }, 4), (I32s{-2, -1, 0, 1}));
  EXPECT_EQ(made([] { return arange(-4, 0); }, 4), (I32s{-4, -3, -2, -1}));
  EXPECT_EQ(made([] { return arange(-8, -4); }, 4), (I32s{-8, -7, -6, -5}));
}

// SEMANTICS S3
TEST(RunShape, picksAndReplaces) {
  EXPECT_EQ(made([] { return interleave(arange(0, 4), 9); }, 8), (I32s{0, 9, 1, 9, 2, 9, 3, 9}));
  EXPECT_EQ(made([] { return slice(reshape(arange(0, 16), {4, 4}), {1, 2}, {2, 2}); }, 4), (I32s{6, 7, 10, 11}));
  EXPECT_EQ(made([] { return insert(zeros(i32, {8}), arange(1, 3), {5}); }, 8), (I32s{0, 0, 0, 0, 0, 1, 2, 0}));
  EXPECT_EQ(made([] { return gather(reshape(arange(0, 8), {4, 2}), (3 - arange(0, 2)).to(u8).col(), 0); }, 4),
            (I32s{6, 7, 4, 5}));
  EXPECT_EQ(made([] { return extract_at(reshape(arange(0, 8), {4, 2}), 0, program_id(0) + 2); }, 2), (I32s{4, 5}));
  EXPECT_EQ(made([] { return insert_at(reshape(arange(0, 8), {4, 2}), 1, program_id(0), -1); }, 8),
            (I32s{-1, 1, -1, 3, -1, 5, -1, 7}));
  EXPECT_EQ(made([] { return expand_dims(broadcast_to(arange(0, 2), {2, 2}), 1); }, 4), (I32s{0, 1, 0, 1}));
}

// SEMANTICS D1
TEST(RunDot, bytesAndBatches) {
  EXPECT_EQ(made([] { return dot(full(i8, {2, 4}, -100), full(i8, {4, 2}, 100), full(i32, {2, 2}, 7)); }, 4),
            I32s(4, -39993));
  EXPECT_EQ(made(
                [] {
                  Tile a = reshape(arange(0, 8), {2, 2, 2}).to(f16);
                  return dot(a, a).to(i32);
                },
                8),
            (I32s{2, 3, 6, 11, 46, 55, 66, 79}));
  EXPECT_EQ(made([] { return dot(full(e4m3, {2, 4}, 1.5), full(e5m2, {4, 2}, -2)).to(i32); }, 4), I32s(4, -12));
}

// SEMANTICS M5
TEST(RunAtomic, giveTheOldValueAndLeaveMaskedLanes) {
  TestKernel kernel(trace([](Ptr<i32> p, Ptr<i32> out) {
    Tile lane = arange(0, 8);
    Tile old = atomic_max(p + lane, 5, {.mask = lane < 6});
    store(out + lane, old);
    atomic_add(p + (lane & 0), lane); // all to one address, each once
  }));
  Memory<std::int32_t> p{1, 9, 2, 8, 3, 7, 4, 6}, out(8);
  ir::interp::expectNoFaults(kernel.run1(p, out));
  EXPECT_EQ(out.values, (I32s{1, 9, 2, 8, 3, 7, 0, 0}));
  EXPECT_EQ(p.values, (I32s{5 + 28, 9, 5, 8, 5, 7, 4, 6}));
}

// SEMANTICS M4
TEST(RunAtomic, theLastProgramFinishesASplit) {
  TestKernel kernel(trace([](Ptr<i32> counter, Ptr<i32> partial, Ptr<i32> out) {
    store(partial + program_id(0), program_id(0).to(i32) + 1);
    if_(last_program(counter), [&] { store(out, sum(load(partial + arange(0, 16)))); });
  }));
  Memory<std::int32_t> counter(1), partial(16), out(1);
  ir::interp::expectNoFaults(kernel.run({16, 1, 1}, counter, partial, out));
  EXPECT_EQ(out[0], 136);
  EXPECT_EQ(counter[0], 16);
}

// SEMANTICS M4
TEST(RunAtomic, theLastOfAFewPrograms) {
  TestKernel kernel(trace([](Ptr<u32> counters, Ptr<i32> out) {
    Int block = program_id(0) / 4;
    if_(last_program(counters + block, 4), [&] { atomic_add(out + block, 1); });
  }));
  Memory<std::uint32_t> counters(4);
  Memory<std::int32_t> out(4);
  ir::interp::expectNoFaults(kernel.run({16, 1, 1}, counters, out));
  EXPECT_EQ(out.values, I32s(4, 1));
}

/// The words of philox for one key and counter.
static std::vector<std::uint32_t> philoxWords(std::uint64_t key, const std::array<std::uint32_t, 4> &counter) {
  TestKernel kernel(trace([key, counter](Ptr<u32> out) {
    auto [a, b, c, d] = philox(key, counter[0], counter[1], counter[2], counter[3]);
    store(out, a);
    store(out + 1, b);
    store(out + 2, c);
    store(out + 3, d);
  }));
  Memory<std::uint32_t> out(4);
  ir::interp::expectNoFaults(kernel.run1(out));
  return out.values;
}

// SEMANTICS N1: the known answers of Philox-4x32-10
TEST(RunRandom, philoxKnownAnswers) {
  using Words = std::vector<std::uint32_t>;
  EXPECT_EQ(philoxWords(0, {0, 0, 0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philoxWords(~0ull, {~0u, ~0u, ~0u, ~0u}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philoxWords(0x299f31d0a4093822ull, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// SEMANTICS N1
TEST(RunRandom, randAndRandnFollowTheirFormulas) {
  TestKernel kernel(trace([](Ptr<f32> uniform, Ptr<f32> normal, Ptr<u32> words, Ptr<i32> same, U64 seed) {
    Tile lane = arange(0, 64), offset = lane - 7;
    store(uniform + lane, rand(seed, offset));
    store(normal + lane, randn(seed, offset));
    store(words + lane, randint(seed, offset));
    auto [w0, w1, w2, w3] = philox(seed, offset, offset.to(i64) >> 32, 0, 0);
    store(words + lane + 64, w1);
    store(same + lane, randint(seed, offset) == randint(seed, offset.to(i64)));
  }));
  Memory<float> uniform(64), normal(64);
  Memory<std::uint32_t> words(128);
  Memory<std::int32_t> same(64);
  ir::interp::expectNoFaults(kernel.run1(uniform, normal, words, same, std::uint64_t(0x123456789abcdef0)));
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(uniform[i], static_cast<float>(words[i] >> 8) * 0x1p-24f);
    const double u = ((words[i] >> 8) + 1) * 0x1p-24, v = (words[i + 64] >> 8) * 0x1p-24;
    EXPECT_NEAR(normal[i], std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v), 3e-6);
    EXPECT_EQ(same[i], 1);
  }
}
