//===- AtomicCases.cpp - reported mistakes in atomics and large memory -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

#include <sys/mman.h>

namespace tessera::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// SEMANTICS M5
// #7402: the old value of an atomic on one element is the row that eight values are stored to.
TEST(AtomicCases, oldValueAsRowIndex) {
  const auto k = kernel("tickets", {"counter", "out"}, [](Ptr<i32> counter, Ptr<i32> out) {
    Tile row = atomic_add(counter + arange(0, 1), 1);
    Tile c = arange(0, 8);
    store(out + row.col() * 8 + c.row(), (c + 100).row());
  });
  for (const CompileOptions &options : variants())
    for (int start : {0, 1}) {
      Buffer<i32> counter = device().upload(std::vector<int>{start}), out = device().buffer<i32>(16);
      out.fill(-1);
      k.with({}, options).launch(device(), 1, counter, out);
      const std::vector<int> got = out.download();
      for (int i = 0; i != 16; ++i)
        EXPECT_EQ(got[i], i / 8 == start ? 100 + i % 8 : -1) << i;
      EXPECT_EQ(counter.download()[0], start + 1);
    }
}

// SEMANTICS M5
// #558: additions at indices that repeat and that a mask leaves out: index_put with accumulation.
TEST(AtomicCases, repeatedAndMaskedIndices) {
  const auto k =
      kernel("index_put", {"index", "value", "out", "n"}, [](Ptr<i32> index, Ptr<f32> value, Ptr<f32> out, Int n) {
        Tile i = program_id(0) * 64 + arange(0, 64);
        Tile mask = i < n;
        atomic_add(out + load(index + i, {.mask = mask, .other = -1000000}), load(value + i, {.mask = mask}),
                   {.mask = mask});
      });
  const int n = 200;
  std::vector<int> index(n);
  std::mt19937 random(5);
  for (int &i : index)
    i = static_cast<int>(random() % 10);
  const std::vector<float> value = eighths(n);
  std::vector<float> want(10);
  for (int i = 0; i != n; ++i)
    want[index[i]] += value[i];
  const Buffer<i32> bi = device().upload(index);
  const Buffer<f32> bv = device().upload(value);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(10);
    out.fill(0);
    k.with({}, options).launch(device(), cdiv(n, 64), bi, bv, out, n);
    EXPECT_EQ(out.download(), want);
  }
}

template <DType T>
void swapAtComputedIndex(const std::vector<host_type<T>> &memory, const std::vector<host_type<T>> &expected,
                         const std::vector<host_type<T>> &desired) {
  const auto k = kernel("swap", {"x", "e", "d", "old"}, [](Ptr<T> x, Ptr<T> e, Ptr<T> d, Ptr<T> old) {
    Tile i = arange(0, 4);
    store(old + i, atomic_cas(x + (3 - i), load(e + i), load(d + i)));
  });
  for (const CompileOptions &options : variants()) {
    Buffer<T> x = device().upload(memory), e = device().upload(expected), d = device().upload(desired),
              old = device().buffer<T>(4);
    k.with({}, options).launch(device(), 1, x, e, d, old);
    const auto got = x.download(), seen = old.download();
    for (int i = 0; i != 4; ++i) {
      EXPECT_EQ(seen[i], memory[3 - i]);
      EXPECT_EQ(got[3 - i], memory[3 - i] == expected[i] ? desired[i] : memory[3 - i]);
    }
  }
}

// SEMANTICS M5
// #8867, #9116, #8105: compare-and-swap at a computed index, on floats, and on 64 bits: swaps if and only if equal.
TEST(AtomicCases, compareAndSwap) {
  swapAtComputedIndex<i32>({1, 2, 3, 4}, {4, 0, 2, 0}, {40, 30, 20, 10});
  swapAtComputedIndex<f32>({1.5f, 2, -3, 4}, {4, 3, 2, 1.5f}, {40, 30, 20, 10});
  swapAtComputedIndex<f64>({1.5, 2, -3, 4}, {4, 3, 2, 1.5}, {40, 30, 20, 10});
  const std::int64_t big = std::int64_t(1) << 40;
  swapAtComputedIndex<i64>({1, big + 1, 3, big}, {0, 3, 1, 1}, {big, 30, 20, -1}); // equal in the low 32 bits only
  swapAtComputedIndex<u64>({1, 2, 3, 4}, {4, 0, 2, 0}, {40, 30, 20, 10});
}

// SEMANTICS P1
// ROCm/triton#944: a copy of 2^29 elements whose offsets pass 2^32 bytes leaves no gap. The memory is reserved, and
// only the pages that the programs touch exist.
TEST(AtomicCases, offsetsBeyondFourGigabytes) {
  if (device().name() != "interp")
    GTEST_SKIP() << "reserved memory is the host's";
  constexpr std::int64_t step = 67108864, last = 63, count = step * last + 1024;
  const auto reserve = [] {
    return mmap(nullptr, count * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void *from = reserve(), *to = reserve();
  if (from == MAP_FAILED || to == MAP_FAILED)
    GTEST_SKIP() << "no address space for " << count * 4 << " bytes";
  auto *source = static_cast<std::uint16_t *>(from), *target = static_cast<std::uint16_t *>(to);
  for (std::int64_t x1 = 0; x1 <= last; ++x1)
    for (int i = 0; i != 1024; ++i)
      source[x1 * step + i] = static_cast<std::uint16_t>(x1 * 1024 + i + 1);
  const auto k = kernel("big_copy", {"x", "out"}, [](Ptr<bf16> x, Ptr<bf16> out) {
    Tile at = program_id(0) * 67108864 + arange(0, 1024);
    store(out + at, load(x + at));
  });
  k.launch(device(), last + 1, borrow<bf16>(from, count), borrow<bf16>(to, count));
  for (std::int64_t x1 = 0; x1 <= last; ++x1)
    for (int i = 0; i != 1024; ++i)
      ASSERT_EQ(target[x1 * step + i], static_cast<std::uint16_t>(x1 * 1024 + i + 1)) << x1 << ", " << i;
  munmap(from, count * 2);
  munmap(to, count * 2);
}

} // namespace
} // namespace tessera::test
