//===- HostDivideTest.cpp - integer quotients on this machine ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Lanes of 64 bits divide as floats where all of them are small, and one by one otherwise.
//
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include <gtest/gtest.h>

#include <random>

namespace tessera::ir::interp {
namespace {

template <class T, class Read> void check(const std::vector<T> &x, const std::vector<T> &y) {
  const std::string options = std::is_signed_v<Read> ? "" : " unsigned";
  const std::vector<T> q = elementwise<T>("%r = tile.idiv %a, %b" + options + " : $A", x, y);
  const std::vector<T> r = elementwise<T>("%r = tile.irem %a, %b" + options + " : $A", x, y);
  for (std::size_t i = 0; i != x.size(); ++i) {
    const auto a = static_cast<Read>(x[i]), b = static_cast<Read>(y[i]);
    ASSERT_EQ(q[i], static_cast<T>(a / b)) << a << " / " << b;
    ASSERT_EQ(r[i], static_cast<T>(a % b)) << a << " % " << b;
  }
}

/// Words of at most \p bits bits and a sign, never 0.
std::vector<std::int64_t> words(unsigned bits, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> values(64);
  for (std::int64_t &value : values) {
    value = static_cast<std::int64_t>(random() >> (64 - bits) >> random() % bits) | 1;
    if (random() % 2)
      value = -value;
  }
  return values;
}

// SEMANTICS A1
TEST(HostDivide, a1_smallWords) { check<std::int64_t, std::int64_t>(words(51, 1), words(51, 2)); }
TEST(HostDivide, a1_largeWords) {
  check<std::int64_t, std::int64_t>(words(63, 1), words(63, 2));
  check<std::int64_t, std::uint64_t>(words(63, 1), words(63, 2));
}
TEST(HostDivide, a1_oneLargeWordAmongSmallOnes) {
  std::vector<std::int64_t> x = words(40, 1), y = words(20, 2);
  x[5] = std::numeric_limits<std::int64_t>::max();
  y[37] = std::numeric_limits<std::int64_t>::min();
  check<std::int64_t, std::int64_t>(x, y);
}
TEST(HostDivide, a1_atTheLimitOfFloats) {
  const std::int64_t limit = std::int64_t(1) << 51;
  const std::vector<std::int64_t> x{limit, limit - 1, -limit, -limit - 1, limit - 1, limit - 1, 1 - limit, -limit};
  check<std::int64_t, std::int64_t>(x, {1, 2, 1, 1, limit - 1, -3, limit - 1, -limit});
  check<std::int64_t, std::int64_t>({limit - 1, limit - 2, -limit, 5}, {1, limit - 1, 3, -limit});
}
// Nothing faults, not even where the quotient is unspecified.
TEST(HostDivide, a1_unspecifiedQuotients) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::vector<std::int64_t> x{least, 7, 0, least}, y{-1, 0, 0, 0};
  for (const char *options : {"", " unsigned"}) {
    elementwise<std::int64_t>(std::string("%r = tile.idiv %a, %b") + options + " : $A", x, y);
    elementwise<std::int64_t>(std::string("%r = tile.irem %a, %b") + options + " : $A", x, y);
  }
}

} // namespace
} // namespace tessera::ir::interp
