//===- MatrixProductTest.cpp - products of matrices of all kinds ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include <cstring>
#include <limits>

namespace tessera::conformance {
namespace {

class Products : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Part, Products, testing::Range<std::size_t>(0, kParts));

struct Types {
  DType left, right, result;
  Precision precision = Precision::ieee;
};

std::string describe(const Types &types, std::int64_t m, std::int64_t n, std::int64_t k) {
  return types.left.name() + " and " + types.right.name() + ", precision " +
         std::to_string(static_cast<int>(types.precision)) + ", " + std::to_string(m) + " x " + std::to_string(n) +
         " x " + std::to_string(k);
}

/// The tile of a matrix, or of several, whose rows lie in memory one after another, or whose columns do; \p how also
/// says whether it is loaded so and transposed then.
Tile matrix(const Ptr<u8> &from, DType dtype, std::int64_t batches, std::int64_t rows, std::int64_t columns,
            std::size_t how) {
  const bool isByColumns = how != 0, isTransposed = how == 2;
  const std::int64_t first = isTransposed ? columns : rows, second = isTransposed ? rows : columns;
  Tile i = arange(0, first).col(), j = arange(0, second).row();
  Tile at = isByColumns && !isTransposed ? j * first + i : i * second + j;
  if (batches == 0)
    return isTransposed ? trans(load(from.as(dtype) + at)) : load(from.as(dtype) + at);
  Tile all = reshape(arange(0, batches), {batches, 1, 1}) * (rows * columns) + reshape(at, {1, first, second});
  Tile x = load(from.as(dtype) + all);
  return isTransposed ? trans(x, {0, 2, 1}) : x;
}

// Whole products in every order of memory, of every size of the extents.
TEST_P(Products, allOrders) {
  static const Types types[] = {{f16, f16, f32},
                                {bf16, bf16, f32},
                                {f32, f32, f32},
                                {f32, f32, f32, Precision::tf32},
                                {f32, f32, f32, Precision::tf32x3},
                                {f32, f32, f32, Precision::bf16x3},
                                {f64, f64, f64},
                                {i8, i8, i32},
                                {e4m3, e4m3, f32},
                                {e5m2, e4m3, f32}};
  constexpr std::int64_t extents[] = {1, 2, 4, 8, 16, 32, 64, 128}, depths[] = {1, 2, 4, 8, 16, 32, 64, 128, 256},
                         batches[] = {0, 0, 0, 2, 4};
  const std::size_t levels[] = {
      std::size(types),  std::size(extents), std::size(extents), std::size(depths), kWarps, kStages, 3, 3,
      std::size(batches)};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const Types &type = types[c[0]];
    const std::int64_t count = batches[c[8]], m = extents[c[1]], n = extents[c[2]];
    const std::int64_t k = count ? std::min<std::int64_t>(depths[c[3]], 32) : depths[c[3]];
    if (m * n * std::max<std::int64_t>(1, count) > 128 * 64 && k > 64)
      return; // takes long on interpreters
    SCOPED_TRACE(describe(type, m, n, k) + ", orders " + std::to_string(c[6]) + " and " + std::to_string(c[7]) +
                 ", batches " + std::to_string(count));
    const std::int64_t all = std::max<std::int64_t>(1, count);
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &) {
                      Tile x = matrix(a, type.left, count, m, k, c[6]), y = matrix(b, type.right, count, k, n, c[7]);
                      const std::vector<std::int64_t> shape =
                          count ? std::vector<std::int64_t>{count, m, n} : std::vector<std::int64_t>{m, n};
                      Tile at = places(shape);
                      Tile sum = dot(x, y, (at % 7).to(type.result), {.precision = type.precision});
                      store(out.as(type.result) + at, sum);
                    },
                .a = smallElements(type.left, all * m * k, seed),
                .b = smallElements(type.right, all * n * k, seed + 1),
                .out = unwritten(all * m * n * type.result.bytes()),
                .result = type.result},
               optionsOf(c[4], c[5]));
  });
}

// A product of what a product gives, as in attention: the left operand of the second comes in registers.
TEST_P(Products, ofProducts) {
  constexpr DType types[] = {f16, bf16};
  constexpr std::int64_t extents[] = {16, 32, 64, 128}, depths[] = {16, 64};
  const std::size_t levels[] = {std::size(types),
                                std::size(extents),
                                std::size(extents),
                                std::size(depths),
                                std::size(depths),
                                kWarps,
                                kStages,
                                2};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType type = types[c[0]];
    const std::int64_t m = extents[c[1]], n = extents[c[2]], k = depths[c[3]], width = depths[c[4]];
    SCOPED_TRACE(describe({type, type, f32}, m, n, k) + " by " + std::to_string(width));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &count) {
                      Tile x = matrix(a, type, 0, m, k, 0), acc = zeros(f32, {m, width});
                      for_range(0, count, [&](Int trip) {
                        Tile y = matrix(b, type, 0, k, n, c[7] ? 2 : 0), z = matrix(b, type, 0, n, width, 0);
                        Tile p = dot(x, y) * (trip + 1).to(f32);
                        if (c[7])
                          p = maximum(p, max(p, {.axis = 1}).col() * 0.5f);
                        acc = dot(p.to(type), z, acc);
                      });
                      store(out.as(f32) + places({m, width}), acc);
                    },
                .a = unitElements(type, m * k, seed),
                .b = unitElements(type, n * std::max(k, width), seed + 1),
                .out = unwritten(m * width * 4),
                .result = f32,
                .n = 2},
               optionsOf(c[5], c[6]));
  });
}

// Of parts of split numbers none knows the sign of an infinity.
TEST_P(Products, infinitiesOfSplitNumbers) {
  constexpr Precision precisions[] = {Precision::tf32x3, Precision::bf16x3};
  const std::size_t levels[] = {std::size(precisions), kWarps, kStages};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    constexpr std::int64_t n = 32;
    std::vector<std::uint8_t> a = unitElements(f32, n * n, seed), b = unitElements(f32, n * n, seed + 1);
    const auto put = [](std::vector<std::uint8_t> &bytes, std::size_t at, float value) {
      std::memcpy(&bytes[at * sizeof value], &value, sizeof value);
    };
    put(a, 5, std::numeric_limits<float>::infinity());
    put(a, n * 3 + 1, -std::numeric_limits<float>::infinity());
    put(a, n * 9 + 1, std::numeric_limits<float>::quiet_NaN());
    put(b, n * 7 + 2, std::numeric_limits<float>::infinity());
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &) {
                      Tile at = places({n, n});
                      store(out.as(f32) + at, dot(load(a.as(f32) + at), load(b.as(f32) + at), zeros(f32, {n, n}),
                                                  {.precision = precisions[c[0]]}));
                    },
                .a = a,
                .b = b,
                .out = unwritten(n * n * 4),
                .result = f32},
               optionsOf(c[1], c[2]));
  });
}

} // namespace
} // namespace tessera::conformance
