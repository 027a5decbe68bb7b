//===- RunExitsTest.cpp - many ways out, and the ends of ranges ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS L1: exits in long sequences, what has a value behind an exit, and loops near the ends of i64. Each case is
// compared with the same program in plain C++.
//
//===---------------------------------------------------------------------===//

#include "RunSupport.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace tessera;
using ir::interp::Memory;
using ir::interp::TestKernel;
using test::expected;
using test::I64s;
using test::trace;

/// Runs a kernel of (out, n) with one program for each n, whose `out` is its own.
template <class Body> static I64s run(Body body, const I64s &ns) {
  return test::runPrograms([body](Ptr<i64> out, Int n, Int program) { body(Ptr<i64>(out + program), n); }, ns);
}

static const I64s places{-1, 0, 1, 6, 7, 8, 9, 10, 17, 500, 998, 999, 1000};

TEST(RunExits, aThousandBreaksInSequence) {
  const I64s got = run(
      [](Ptr<i64> out, Int n) {
        Int total = 0, late;
        for_range(0, 3, [&](Int i) {
          Int sum = i;
          std::vector<Int> kept;
          for (int k = 0; k < 1000; ++k) {
            Int local = sum + k; // lives on behind many exits
            if (k % 100 == 0)
              kept.push_back(local);
            sum += local * (k % 3);
            sum %= 1000003;
            total += 1;
            break_if(n + i == k);
          }
          for (const Int &each : kept)
            total += each;
          total += sum;
        });
        store(out, total);
      },
      places);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t total = 0;
                       for (std::int64_t i = 0; i < 3; ++i) {
                         std::int64_t sum = i;
                         I64s kept;
                         bool broken = false;
                         for (int k = 0; k < 1000 && !broken; ++k) {
                           const std::int64_t local = sum + k;
                           if (k % 100 == 0)
                             kept.push_back(local);
                           sum += local * (k % 3);
                           sum %= 1000003;
                           total += 1;
                           broken = n + i == k;
                         }
                         if (broken)
                           break;
                         for (const std::int64_t each : kept)
                           total += each;
                         total += sum;
                       }
                       return total;
                     },
                     places));
}

TEST(RunExits, aThousandReturnsInSequence) {
  const I64s got = run(
      [](Ptr<i64> out, Int n) {
        Int sum = n;
        for (int k = 0; k < 1000; ++k) {
          View<i64, 1> place = view(out, {1}); // a view and a pointer declared behind one exit, used behind the next
          Ptr<i64> to = out;
          return_if(n == k);
          sum += k;
          place.store({0}, zeros(i64, {1}) + sum);
          if (k % 250 == 249)
            store(to, load(to) + 1);
        }
        store(out, sum * 2);
      },
      places);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t out = -1, sum = n;
                       for (int k = 0; k < 1000; ++k) {
                         if (n == k)
                           return out;
                         sum += k;
                         out = sum + (k % 250 == 249);
                       }
                       return sum * 2;
                     },
                     places));
}

TEST(RunExits, breaksAndReturnsInsideIfs) {
  const I64s got = run(
      [](Ptr<i64> out, Int n) {
        Int total = 0;
        for_range(0, 2, [&](Int i) {
          for (int k = 0; k < 300; ++k) {
            if_(
                n == 3 * k, [&] { break_if(i == 0); },
                [&] {
                  total += 1;
                  if_(n == 3 * k + 1, [&] {
                    total += 7;
                    store(out, total);
                    return_();
                  });
                });
            total += i + k;
          }
          total *= 3;
        });
        store(out, total);
      },
      places);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t total = 0;
                       for (std::int64_t i = 0; i < 2; ++i) {
                         bool broken = false;
                         for (int k = 0; k < 300; ++k) {
                           if (n == 3 * k) {
                             broken = i == 0;
                             if (broken)
                               break;
                           } else {
                             total += 1;
                             if (n == 3 * k + 1)
                               return total + 7;
                           }
                           total += i + k;
                         }
                         if (broken)
                           break;
                         total *= 3;
                       }
                       return total;
                     },
                     places));
}

TEST(RunExits, aVariableOfTheBodyMayChangeItsTypeBetweenExits) {
  const I64s got = run(
      [](Ptr<i64> out, Int n) {
        Int total = 0;
        for_range(0, 1, [&](Int) {
          Tile x = n;
          for (int k = 0; k < 40; ++k) {
            x = k % 2 == 0 ? (x + 1).to(f64) : x.to(i64) + 2;
            total += 1;
            break_if(n == k);
          }
          total += Int(x.to(i64));
        });
        store(out, total);
      },
      places);
  EXPECT_EQ(got, expected([](std::int64_t n) { return 0 <= n && n < 40 ? n + 1 : 40 + n + 60; }, places));
}

// A branch that always leaves need not give a value.
TEST(RunExits, valuesBehindABranchThatLeaves) {
  const I64s ns{-2, -1, 0, 1, 2, 3, 4, 5, 6, 7};
  const I64s got = run(
      [](Ptr<i64> out, Int n) {
        Int a, b, c, total = 0;
        Tile d;
        if_(n >= 0, [&] { a = n * 2; }, [&] { return_(); });
        if_(
            n == 1,
            [&] {
              store(out, a + 5);
              return_if(n == 0);
              return_();
            },
            [&] { b = a + 1; });
        for_range(0, 5, [&](Int i) {
          if_(
              i < n,
              [&] {
                c = i;
                d = zeros(i64, {4}) + i;
              },
              [&] { if_(n % 2 == 0, [&] { break_if(true); }, [&] { return_(); }); });
          total += c + sum(d);
        });
        store(out, total * 100 + a + b);
      },
      ns);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       if (n < 0)
                         return std::int64_t(-1);
                       const std::int64_t a = n * 2;
                       if (n == 1)
                         return a + 5;
                       const std::int64_t b = a + 1;
                       std::int64_t total = 0;
                       for (std::int64_t i = 0; i < 5; ++i) {
                         if (i >= n) {
                           if (n % 2 == 0)
                             break;
                           return std::int64_t(-1);
                         }
                         total += i + 4 * i;
                       }
                       return total * 100 + a + b;
                     },
                     ns));
}

// SEMANTICS M3a: the condition, which gives the view its value, is not evaluated again
TEST(RunExits, leavingAWhileWhoseConditionMakesAView) {
  TestKernel kernel(trace([](Ptr<i64> table, Ptr<i64> out, Int n) {
    Int i = 0;
    View<i64, 1> fresh;
    while_(
        [&] {
          fresh = view(table + i * 4, {4});
          return sum(fresh.load({0}, {4})) != 99;
        },
        [&] {
          i += sum(fresh.load({0}, {1}));
          break_if(i >= n);
        });
    store(out, i);
  }));
  Memory<std::int64_t> table{1, 0, 0, 0, 1, 5, 6, 7}, out(1);
  ir::interp::expectNoFaults(kernel.run1(table, out, std::int64_t(2))); // table + 8 would be outside
  EXPECT_EQ(out[0], 2);
}

/// All indices of a loop in plain C++, at most \p most.
static I64s indicesOf(std::int64_t lo, std::int64_t hi, std::int64_t step, std::size_t most) {
  I64s indices;
  __int128 i = lo;
  while ((step > 0 ? i < hi : i > hi) && indices.size() < most) {
    indices.push_back(static_cast<std::int64_t>(i));
    i += step;
  }
  return indices;
}

struct Range {
  std::int64_t lo, hi, step;
};

static const std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                          most = std::numeric_limits<std::int64_t>::max();
static const Range ranges[] = {{least, most, most},     {most, least, least},         {most, least, -most},
                               {0, most, most - 1},     {most - 5, most, 2},          {most - 5, most, 4},
                               {least + 5, least, -2},  {least + 5, least, -4},       {most, least, 1},
                               {least, most, -1},       {most - 1, most, 1},          {least + 1, least, -1},
                               {-3, most, most / 2},    {3, least, least / 2},        {least, least, most},
                               {most - 2, most, least}, {least, most, most / 2 + 17}, {5, -5, -3}};

/// Literal bounds, or run-time ones; \p leaves adds an exit.
static I64s indicesTraced(const Range &range, bool literalBounds, bool literalStep, bool leaves) {
  constexpr std::size_t room = 8;
  TestKernel kernel(trace([=](Ptr<i64> out, Int lo, Int hi, Int step) {
    Int count = 0;
    const auto body = [&](Int i) {
      store(out + count, i);
      count += 1;
      if (leaves)
        break_if(count == 3);
    };
    const auto loop = [&](IndexOperand first, IndexOperand last) {
      if (literalStep)
        for_range(first, last, range.step, body);
      else
        for_range(first, last, step, body);
    };
    if (literalBounds)
      loop(range.lo, range.hi);
    else
      loop(lo, hi);
    store(out + room, count);
  }));
  Memory<std::int64_t> out(room + 1, 0);
  ir::interp::expectNoFaults(kernel.run1(out, range.lo, range.hi, range.step));
  const std::int64_t count = out.values.back();
  out.values.resize(static_cast<std::size_t>(count));
  return out.values;
}

TEST(RunExits, rangesNearTheEndsOfI64) {
  for (const Range &range : ranges)
    for (const int variant : {0, 1, 2, 3, 4, 5, 6, 7}) {
      const bool literalBounds = variant & 1, literalStep = variant & 2, leaves = variant & 4;
      EXPECT_EQ(indicesTraced(range, literalBounds, literalStep, leaves),
                indicesOf(range.lo, range.hi, range.step, leaves ? 3 : 8))
          << range.lo << " to " << range.hi << " by " << range.step << ", variant " << variant;
    }
}

// Too long to be run to its end, but left early.
TEST(RunExits, leavingTheLongestRanges) {
  for (const Range &range : {Range{least, most, 1}, Range{most, least, -1}, Range{least, most, 2}})
    for (const int variant : {4, 5, 6, 7})
      EXPECT_EQ(indicesTraced(range, variant & 1, variant & 2, true), indicesOf(range.lo, range.hi, range.step, 3))
          << range.lo << " to " << range.hi << " by " << range.step << ", variant " << variant;
}
