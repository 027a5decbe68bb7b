//===- LoopTest.cpp - loops, products and random numbers ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

namespace tessera::conformance {
namespace {

class Loops : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Part, Loops, testing::Range<std::size_t>(0, kParts));

TEST_P(Loops, loadInEveryTrip) {
  constexpr std::int64_t blocks[] = {1, 32, 256, 2048}, trips[] = {0, 1, 2, 3, 7};
  const std::size_t levels[] = {std::size(kNumbers), std::size(blocks), std::size(trips), kWarps, kStages, 3};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType dtype = kNumbers[c[0]];
    const std::int64_t block = blocks[c[1]], count = trips[c[2]];
    SCOPED_TRACE(describe(dtype, {block}) + ", " + std::to_string(count) + " trips, form " + std::to_string(c[5]));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &n) {
                      Tile i = arange(0, block), most = zeros(dtype, {block}), last = zeros(dtype, {block});
                      const auto trip = [&](const Int &k) {
                        Tile x = load(a.as(dtype) + (k * block + i));
                        most = maximum(most, x);
                        if (c[5] == 1) // what was written in this loop is read in it
                          store(out.as(dtype) + (block + i), x);
                        last = c[5] == 1 ? load(out.as(dtype) + (block + (block - 1 - i)))
                                         : load(b.as(dtype) + (k * block + i));
                      };
                      if (c[5] == 2) {
                        Int k = 0;
                        while_([&] { return k < n; },
                               [&] {
                                 trip(k);
                                 k += 1;
                               });
                      } else {
                        for_range(0, n, [&](Int k) { trip(k); });
                      }
                      store(out.as(dtype) + i, most);
                      store(out.as(dtype) + (2 * block + i), last);
                    },
                .a = smallElements(dtype, std::max<std::int64_t>(count, 1) * block, seed),
                .b = smallElements(dtype, std::max<std::int64_t>(count, 1) * block, seed + 1),
                .out = unwritten(3 * block * dtype.bytes()),
                .result = dtype,
                .n = count},
               optionsOf(c[3], c[4]));
  });
}

TEST_P(Loops, matrixProducts) {
  struct Types {
    DType operand, result;
  };
  constexpr Types types[] = {{f16, f32}, {bf16, f32}, {f32, f32}, {f64, f64}, {i8, i32}, {e4m3, f32}, {e5m2, f32}};
  constexpr std::int64_t rows[] = {1, 16, 32, 64, 128}, cols[] = {1, 8, 16, 64, 128}, depths[] = {8, 16, 32, 64},
                         lengths[] = {1, 16, 47, 128};
  const std::size_t levels[] = {std::size(types),   std::size(rows), std::size(cols), std::size(depths),
                                std::size(lengths), kWarps,          kStages,         2};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const auto [operand, result] = types[c[0]];
    const std::int64_t m = rows[c[1]], n = cols[c[2]], depth = depths[c[3]], k = lengths[c[4]];
    SCOPED_TRACE(operand.name() + ", " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) +
                 " by " + std::to_string(depth));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &length) {
                      Tile acc = zeros(result, {m, n});
                      Tile i = arange(0, m).col(), j = arange(0, n).row();
                      for_range(0, length, depth, [&](Int start) {
                        Tile ka = arange(0, depth).row() + start, kb = arange(0, depth).col() + start;
                        Tile x = load(a.as(operand) + (i * length + ka), {.mask = ka < length});
                        // By rows, or by columns.
                        Tile y = load(b.as(operand) + (c[7] ? j * length + kb : kb * n + j), {.mask = kb < length});
                        acc = dot(x, y, acc);
                      });
                      store(out.as(result) + (i * n + j), acc);
                    },
                .a = smallElements(operand, m * k, seed),
                .b = smallElements(operand, n * k, seed + 1),
                .out = unwritten(m * n * result.bytes()),
                .result = result,
                .n = k},
               optionsOf(c[5], c[6]));
  });
}

TEST_P(Loops, randomWords) {
  constexpr std::int64_t blocks[] = {1, 64, 1000 + 24, 4096};
  const std::size_t levels[] = {std::size(blocks), kWarps, 3};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const std::int64_t block = blocks[c[0]];
    SCOPED_TRACE("block " + std::to_string(block) + ", form " + std::to_string(c[2]));
    expectSame({.body =
                    [=](const Ptr<u8> &, const Ptr<u8> &, const Ptr<u8> &out, const Int &n) {
                      Tile i = program_id(0) * block + arange(0, block);
                      if (c[2])
                        store(out.as(f32) + i, c[2] == 1 ? rand(n, i) : rand(n, i) * 2 - 1);
                      else
                        store(out.as(i32) + i, randint(n, i).to(i32));
                    },
                .out = unwritten(3 * block * 4),
                .result = i32,
                .grid = {3},
                .n = static_cast<std::int64_t>(seed)},
               optionsOf(c[1], 1));
  });
}

} // namespace
} // namespace tessera::conformance
