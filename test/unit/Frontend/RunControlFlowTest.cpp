//===- RunControlFlowTest.cpp - control flow, traced and executed --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Handles are C++ variables (DESIGN section 2): each case is compared with the same program in plain C++.
//
//===---------------------------------------------------------------------===//

#include "RunSupport.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tessera;
using ir::interp::Memory;
using ir::interp::TestKernel;
using test::expected;
using test::I64s;
using test::runPrograms;
using test::trace;

static const I64s small{-3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 31};

// SEMANTICS L1
TEST(RunControlFlow, forRangeSumsAndLeavesCarriedValuesAloneForZeroTrips) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int total = 100;
        for_range(0, n, [&](Int i) { total += i; });
        store(out + p, total);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t total = 100;
                       for (std::int64_t i = 0; i < n; ++i)
                         total += i;
                       return total;
                     },
                     small));
}

// SEMANTICS L1
TEST(RunControlFlow, negativeAndRunTimeSteps) {
  for (const int variant : {0, 1, 2, 3}) {
    const I64s got = runPrograms(
        [variant](Ptr<i64> out, Int n, Int p) {
          Int hash = 7;
          const auto body = [&](Int i) { hash = hash * 31 + i; };
          Int step = where(n % 2 == 0, 3, -2);
          switch (variant) {
          case 0:
            for_range(n, 0, -1, body);
            break;
          case 1:
            for_range(n, -5, -3, body);
            break;
          case 2:
            for_range(2, n, step, body);
            break;
          case 3:
            for_range(n, 2, step, body);
            break;
          }
          store(out + p, hash);
        },
        small);
    EXPECT_EQ(got, expected(
                       [variant](std::int64_t n) {
                         std::uint64_t hash = 7; // wraps, as in the kernel
                         const auto loop = [&](std::int64_t lo, std::int64_t hi, std::int64_t step) {
                           for (std::int64_t i = lo; step > 0 ? i < hi : i > hi; i += step)
                             hash = hash * 31 + static_cast<std::uint64_t>(i);
                         };
                         const std::int64_t step = n % 2 == 0 ? 3 : -2;
                         switch (variant) {
                         case 0:
                           loop(n, 0, -1);
                           break;
                         case 1:
                           loop(n, -5, -3);
                           break;
                         case 2:
                           loop(2, n, step);
                           break;
                         case 3:
                           loop(n, 2, step);
                           break;
                         }
                         return static_cast<std::int64_t>(hash);
                       },
                       small))
        << "variant " << variant;
  }
}

TEST(RunControlFlow, variablesSwapAndShadow) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int a = 0, b = 1, unchanged = n;
        for_range(0, n, [&](Int) {
          Int next = a + b;
          a = b;
          b = next;
          Int copy = unchanged;
          copy += 1; // a copy is a variable of its own
        });
        store(out + p, a * 1000 + unchanged);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t a = 0, b = 1;
                       for (std::int64_t i = 0; i < n; ++i) {
                         const std::int64_t next = a + b;
                         a = b;
                         b = next;
                       }
                       return a * 1000 + n;
                     },
                     small));
}

TEST(RunControlFlow, assigningAnUnwrittenVariableToAnother) {
  // y takes the value of x, whose loop argument is dropped in the end because nothing writes it
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int x = n * 2, y = 5;
        for_range(0, 3, [&](Int) { for_range(0, n, [&](Int) { y = x; }); });
        store(out + p, y);
      },
      small);
  EXPECT_EQ(got, expected([](std::int64_t n) { return n > 0 ? n * 2 : 5; }, small));
}

// SEMANTICS L1
TEST(RunControlFlow, ifAndElse) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int a = 1, b = 2, fresh;
        if_(n > 4, [&] { a = n; }, [&] { b = a + 10; });
        if_(n % 2 == 0, [&] { fresh = a; }, [&] { fresh = b; });
        if_(n == 7, [&] { fresh += 1000; });
        store(out + p, fresh * 100 + a + b);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t a = 1, b = 2;
                       n > 4 ? (a = n) : (b = a + 10);
                       std::int64_t fresh = n % 2 == 0 ? a : b;
                       fresh += n == 7 ? 1000 : 0;
                       return fresh * 100 + a + b;
                     },
                     small));
}

// SEMANTICS L1
TEST(RunControlFlow, whileWithAssignmentsInItsCondition) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int i = 0, tests = 0, seen, total = 0;
        while_(
            [&] {
              tests += 1;
              seen = i * i;
              return seen < n;
            },
            [&] {
              total += seen;
              i += 1;
            });
        store(out + p, ((i * 100 + tests) * 100 + seen) * 1000 + total);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t i = 0, tests = 0, seen = 0, total = 0;
                       while (tests += 1, seen = i * i, seen < n) {
                         total += seen;
                         i += 1;
                       }
                       return ((i * 100 + tests) * 100 + seen) * 1000 + total;
                     },
                     small));
}

// SEMANTICS L1
TEST(RunControlFlow, breakIf) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int total = 0, last = -1;
        for_range(0, 10, [&](Int i) {
          total += 1;
          break_if(i == n);
          last = i;
          total += 10;
        });
        store(out + p, total * 100 + last);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t total = 0, last = -1;
                       for (std::int64_t i = 0; i < 10; ++i) {
                         total += 1;
                         if (i == n)
                           break;
                         last = i;
                         total += 10;
                       }
                       return total * 100 + last;
                     },
                     small));
}

// SEMANTICS L1
TEST(RunControlFlow, breakInsideIfInsideLoops) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int total = 0;
        for_range(0, 4, [&](Int i) {
          for_range(0, 6, [&](Int j) {
            if_(
                j > i,
                [&] {
                  total += 1;
                  if_(total % 5 == 4, [&] {
                    break_if(j == n);
                    total += 100;
                  });
                  total += 1000;
                },
                [&] { total += 3; });
            total += 10000;
            break_if(j + i == 7);
            total += 7;
          });
          total *= 2;
        });
        store(out + p, total);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t total = 0;
                       for (std::int64_t i = 0; i < 4; ++i) {
                         for (std::int64_t j = 0; j < 6; ++j) {
                           if (j > i) {
                             total += 1;
                             if (total % 5 == 4) {
                               if (j == n)
                                 break;
                               total += 100;
                             }
                             total += 1000;
                           } else {
                             total += 3;
                           }
                           total += 10000;
                           if (j + i == 7)
                             break;
                           total += 7;
                         }
                         total *= 2;
                       }
                       return total;
                     },
                     small));
}

// SEMANTICS L1
TEST(RunControlFlow, returnIfInLoopsAndBranches) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        store(out + p, 1);
        return_if(n < 0);
        Int total = 0;
        for_range(0, n, [&](Int i) {
          while_([&] { return total < 50; },
                 [&] {
                   total += i + 1;
                   if_(total == 12, [&] {
                     store(out + p, 12);
                     return_();
                   });
                 });
          return_if(i == 8);
          store(out + p, total);
        });
        if_(n == 3, [&] { return_(); });
        store(out + p, total + 1000);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) -> std::int64_t {
                       std::int64_t out = 1;
                       if (n < 0)
                         return out;
                       std::int64_t total = 0;
                       for (std::int64_t i = 0; i < n; ++i) {
                         while (total < 50) {
                           total += i + 1;
                           if (total == 12)
                             return 12;
                         }
                         if (i == 8)
                           return out;
                         out = total;
                       }
                       if (n == 3)
                         return out;
                       return total + 1000;
                     },
                     small));
}

// SEMANTICS L1: the condition of a while_ that was left is not evaluated again
TEST(RunControlFlow, breakOutOfWhileSkipsItsCondition) {
  TestKernel kernel(trace([](Ptr<i64> table, Ptr<i64> out, Int n) {
    Int i = 0;
    while_([&] { return Int(load(table + i)) != 99; },
           [&] {
             i += 1;
             break_if(i >= n);
           });
    store(out, i);
  }));
  Memory<std::int64_t> table{1, 2, 3, 4}, out(1);
  ir::interp::expectNoFaults(kernel.run1(table, out, std::int64_t(4))); // table[4] would be outside
  EXPECT_EQ(out[0], 4);
}

// SEMANTICS L1: break in a counted loop with a run-time and a negative step
TEST(RunControlFlow, breakWithOtherSteps) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        Int hash = 1;
        for_range(10, 0, -2, [&](Int i) {
          break_if(i <= n);
          hash = hash * 10 + i;
        });
        for_range(0, 20, n % 3 + 4, [&](Int i) {
          break_if(i > n);
          hash = hash * 10 + i;
        });
        store(out + p, hash);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t hash = 1;
                       for (std::int64_t i = 10; i > 0 && i > n; i -= 2)
                         hash = hash * 10 + i;
                       for (std::int64_t i = 0; i < 20 && i <= n; i += n % 3 + 4)
                         hash = hash * 10 + i;
                       return hash;
                     },
                     small));
}

// SEMANTICS M3a
TEST(RunControlFlow, pointersAreVariables) {
  TestKernel kernel(trace([](Ptr<i64> a, Ptr<i64> b, Ptr<i64> out, Int n) {
    Ptr<i64> from = a;
    if_(n > 2, [&] { from = b; });
    Tile pointers = from + arange(0, 4);
    Tile total = zeros(i64, {4});
    for_range(0, 2, [&](Int) {
      total += load(pointers);
      pointers += 4;
    });
    store(out + arange(0, 4), total);
    store(where(n > 2, out + 4, out + 5), from == b);
  }));
  Memory<std::int64_t> a{1, 2, 3, 4, 5, 6, 7, 8}, b{10, 20, 30, 40, 50, 60, 70, 80}, out(6, -1);
  ir::interp::expectNoFaults(kernel.run1(a, b, out, std::int64_t(2)));
  EXPECT_EQ(out.values, (I64s{6, 8, 10, 12, -1, 0}));
  ir::interp::expectNoFaults(kernel.run1(a, b, out, std::int64_t(3)));
  EXPECT_EQ(out.values, (I64s{60, 80, 100, 120, 1, 0}));
}

// SEMANTICS M3a
TEST(RunControlFlow, viewsAreVariables) {
  TestKernel kernel(trace([](Ptr<i64> a, Ptr<i64> out, Int n) {
    View v = view(a, {4, 4});
    for_range(0, n, [&](Int) { v = view(v.base() + 4, {v.extent(0) - 1, v.extent(1)}, {4, 1}); });
    Tile block = v.load({0, 0}, {4, 4}, {.pad = -1});
    View(view(out, {4, 4})).store({0, 0}, block);
  }));
  Memory<std::int64_t> a(16), out(16);
  for (int i = 0; i < 16; ++i)
    a[static_cast<std::size_t>(i)] = i;
  ir::interp::expectNoFaults(kernel.run1(a, out, std::int64_t(2)));
  EXPECT_EQ(out.values, (I64s{8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1}));
}

TEST(RunControlFlow, vectorsOfTilesGrowAndMove) {
  const I64s got = runPrograms(
      [](Ptr<i64> out, Int n, Int p) {
        std::vector<Int> values{n, n * 2};
        for_range(0, 3, [&](Int i) {
          values.reserve(values.capacity() + 8); // moves the variables, which stay those of the kernel
          values[1] += i;
          std::swap(values[0], values[1]);
        });
        store(out + p, values[0] * 1000 + values[1]);
      },
      small);
  EXPECT_EQ(got, expected(
                     [](std::int64_t n) {
                       std::int64_t a = n, b = n * 2;
                       for (std::int64_t i = 0; i < 3; ++i) {
                         b += i;
                         std::swap(a, b);
                       }
                       return a * 1000 + b;
                     },
                     small));
}
