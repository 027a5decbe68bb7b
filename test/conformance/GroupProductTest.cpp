//===- GroupProductTest.cpp - products that matrix units take whole -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Large enough for units of groups of warps, in all types and orders of memory; products of products, whose left
// operand may stay in registers. Elements are small, so that sums are exact in any order and in any unit.
//
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

namespace tessera::conformance {
namespace {

class GroupProducts : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Parts, GroupProducts, testing::Range<std::size_t>(0, kParts));

struct Types {
  DType a, b, result;
  Precision precision = Precision::ieee;
};

/// How the tile of an operand comes from memory.
enum Order : std::size_t { Rows, Columns, Transposed };

/// Rows \p i by columns \p j of a matrix of \p height x \p width, which lies in memory by rows or by columns.
Tile operand(Ptr<u8> memory, DType dtype, Order order, Int row, std::int64_t rows, Int column, std::int64_t columns,
             Int height, Int width) {
  Tile i = arange(0, rows), j = arange(0, columns);
  const auto typed = memory.as(dtype);
  if (order == Rows)
    return load(typed + ((i + row).col() * width + (j + column).row()));
  if (order == Columns)
    return load(typed + ((j + column).row() * height + (i + row).col()));
  return trans(load(typed + ((j + column).col() * height + (i + row).row())));
}

// SEMANTICS D1, D2
TEST_P(GroupProducts, ofGroups) {
  constexpr Types types[] = {{f16, f16, f32}, {bf16, bf16, f32}, {f32, f32, f32, Precision::tf32},
                             {i8, i8, i32},   {e4m3, e4m3, f32}, {e5m2, e4m3, f32}};
  constexpr std::int64_t rows[] = {64, 128, 256}, cols[] = {8, 16, 32, 64, 128, 256}, depths[] = {16, 32, 64, 128, 256},
                         rounds[] = {1, 3};
  constexpr Order orders[] = {Rows, Columns, Transposed};
  const std::size_t levels[] = {std::size(types),
                                std::size(rows),
                                std::size(cols),
                                std::size(depths),
                                std::size(rounds),
                                std::size(orders),
                                std::size(orders),
                                3,
                                2};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const Types type = types[c[0]];
    const std::int64_t m = rows[c[1]], n = cols[c[2]], depth = depths[c[3]], k = depth * rounds[c[4]];
    const Order orderA = orders[c[5]], orderB = orders[c[6]];
    const bool addsToMemory = c[8] != 0;
    SCOPED_TRACE(type.a.name() + ", " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) +
                 " by " + std::to_string(depth) + ", orders " + std::to_string(orderA) + " and " +
                 std::to_string(orderB));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &length) {
                      Tile at = arange(0, m).col() * n + arange(0, n).row();
                      Tile acc = zeros(type.result, {m, n});
                      if (addsToMemory)
                        acc = load(out.as(type.result) + at).to(type.result);
                      for_range(0, length, depth, [&](Int start) {
                        Tile x = operand(a, type.a, orderA, 0, m, start, depth, m, length);
                        Tile y = operand(b, type.b, orderB, start, depth, 0, n, length, n);
                        acc = dot(x, y, acc, {.precision = type.precision});
                      });
                      store(out.as(type.result) + at, acc);
                    },
                .a = smallElements(type.a, m * k, seed),
                .b = smallElements(type.b, n * k, seed + 1),
                .out = smallElements(type.result, m * n, seed + 2),
                .result = type.result,
                .n = k},
               optionsOf(2 + c[7], 1));
  });
}

// The left operand of the second product is made of the result of the first.
TEST_P(GroupProducts, ofProducts) {
  constexpr DType types[] = {f16, bf16, e4m3, e5m2};
  constexpr std::int64_t rows[] = {64, 128, 256}, middles[] = {16, 32, 64, 128}, cols[] = {16, 64, 128},
                         rounds[] = {1, 2};
  constexpr Order orders[] = {Rows, Columns};
  const std::size_t levels[] = {
      std::size(types), std::size(rows), std::size(middles), std::size(cols), std::size(rounds), std::size(orders), 3};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType type = types[c[0]];
    const std::int64_t m = rows[c[1]], middle = middles[c[2]], n = cols[c[3]], count = middle * rounds[c[4]],
                       depth = 32;
    const Order order = orders[c[5]];
    SCOPED_TRACE(type.name() + ", " + std::to_string(m) + " x " + std::to_string(middle) + " x " + std::to_string(n) +
                 ", order " + std::to_string(order));
    // b is depth x count and behind it count x n.
    std::vector<std::uint8_t> b = unitElements(type, depth * count, seed + 1);
    const std::vector<std::uint8_t> last = unitElements(type, count * n, seed + 2);
    b.insert(b.end(), last.begin(), last.end());
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &length) {
                      Tile x = operand(a, type, Rows, 0, m, 0, depth, m, depth);
                      Tile acc = zeros(f32, {m, n}), most = full(f32, {m}, -100);
                      for_range(0, length, middle, [&](Int start) {
                        Tile y = operand(b, type, order, 0, depth, start, middle, depth, length);
                        Tile z =
                            operand(b + length * (depth * type.bytes()), type, Rows, start, middle, 0, n, length, n);
                        Tile first = dot(x, y);
                        most = maximum(most, max(first, {.axis = 1}));
                        // -1, 0 or 1, which all types hold.
                        acc = dot(where(first > 0, 1, where(first < 0, -1, 0)).to(type), z, acc);
                      });
                      store(out.as(f32) + (arange(0, m).col() * n + arange(0, n).row()), acc + most.col());
                    },
                .a = unitElements(type, m * depth, seed),
                .b = b,
                .out = unwritten(m * n * 4),
                .result = f32,
                .n = count},
               optionsOf(2 + c[6], 1));
  });
}

} // namespace
} // namespace tessera::conformance
