//===- HandleTest.cpp - handles outside their place and time -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A handle that outlives its trace, meets another thread, or whose kernel throws: an error or nothing, never a crash.
//
//===---------------------------------------------------------------------===//

#include "TraceSupport.h"

#include "tessera/lang/Lang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

using namespace tessera;
using test::misuse;
using test::trace;
using testing::HasSubstr;

template <class Body> static std::string words(Body body) {
  try {
    body();
  } catch (const UsageError &error) {
    return error.what();
  }
  return "";
}

TEST(Handle, outsideAnyKernel) {
  EXPECT_THAT(words([] { arange(0, 4); }), HasSubstr("HandleTest.cpp:36:"));
  EXPECT_THAT(words([] {
                Tile t;
                t + 1;
              }),
              HasSubstr("operation outside a kernel"));
  EXPECT_THAT(words([] { Int n = 3; }), HasSubstr("operation outside a kernel"));
  EXPECT_THAT(words([] { for_range(0, 4, [](Int) {}); }), HasSubstr("operation outside a kernel"));
  EXPECT_THAT(words([] { Tile().dtype(); }), HasSubstr("operation outside a kernel"));
  EXPECT_FALSE(detail::isTracing());
}

TEST(Handle, afterItsTrace) {
  std::optional<Tile> kept;
  trace([&](Int n) { kept = n + 1; });
  EXPECT_THAT(words([&] { *kept + 1; }), HasSubstr("a traced value is used outside the kernel that made it"));
  EXPECT_THAT(words([&] { Tile copy = *kept; }), HasSubstr("a traced value is used outside the kernel that made it"));
  EXPECT_THAT(words([&] { kept->shape(); }), HasSubstr("a traced value is used outside the kernel that made it"));
  EXPECT_THAT(misuse([&](Int n) { n + *kept; }), HasSubstr("a traced value belongs to another kernel"));
  EXPECT_THAT(misuse([&](Int) { Tile copy = *kept; }), HasSubstr("a traced value belongs to another kernel"));
  // a variable declared outside the kernel may be given a value inside it, again and again
  EXPECT_EQ(misuse([&](Int n) {
              *kept = n;
              for_range(0, n, [&](Int i) { *kept += i; });
            }),
            "");
}

TEST(Handle, onAnotherThread) {
  std::string found, foreign;
  trace([&](Int n) {
    std::thread([&] {
      found = words([&] { n + 1; });
      // nothing of the other thread's trace is touched
      foreign = misuse([&](Int m) { m + n; });
    }).join();
    n + 1;
  });
  EXPECT_THAT(found, HasSubstr("a traced value is used outside the kernel that made it"));
  EXPECT_THAT(foreign, HasSubstr("a traced value belongs to another kernel"));
}

TEST(Handle, destroyedElsewhere) {
  std::optional<Tile> kept;
  trace([&](Int n) {
    kept = n + 1;
    std::thread([&] { kept.reset(); }).join();
    trace([&](Int m) { m + 1; });
    n + 1;
  });
}

TEST(Handle, kernelsInsideKernels) {
  const std::string text = trace([](Int n, Ptr<i64> out) {
    const std::string inner = trace([](Int m, Ptr<i64> out) { store(out, m * 3); });
    EXPECT_THAT(inner, HasSubstr("muli"));
    EXPECT_THAT(misuse([&](Int) { n + 1; }), HasSubstr("a traced value belongs to another kernel"));
    store(out, n + 1);
  });
  EXPECT_THAT(text, Not(HasSubstr("muli")));
}

TEST(Handle, exceptionsOfTheKernelPassThrough) {
  struct Mine {};
  for (const int where : {0, 1, 2, 3})
    EXPECT_THROW(trace([where](Int n) {
                   Tile t = n;
                   if (where == 0)
                     throw Mine();
                   for_range(0, n, [&](Int i) {
                     t += i;
                     break_if(i == 3);
                     if (where == 1)
                       throw Mine();
                     while_(
                         [&] {
                           t += 1;
                           if (where == 2)
                             throw Mine();
                           return t < 4;
                         },
                         [&] {
                           if_(
                               t == 3, [] {},
                               [&] {
                                 t = 5;
                                 throw Mine();
                               });
                         });
                   });
                 }),
                 Mine);
  EXPECT_FALSE(detail::isTracing());
}

TEST(Handle, anExceptionCaughtInsideTheKernelUndoesItsRegion) {
  const std::string text = trace([](Int n, Ptr<i64> out) {
    Int t = n;
    try {
      for_range(0, n, [&](Int i) {
        t += i;
        throw 1;
      });
    } catch (int) {
    }
    store(out, t);
  });
  EXPECT_THAT(text, Not(HasSubstr("scf.for")));
  EXPECT_THAT(text, HasSubstr("tile.store %arg1, %arg0"));
}

TEST(Handle, anErrorLeavesTheTraceUsable) {
  EXPECT_EQ(misuse([](Int n, Ptr<i64> out) {
              Tile t = arange(0, 4);
              EXPECT_NE(words([&] { for_range(0, n, [&](Int) { t = t.to(f32); }); }), "");
              EXPECT_NE(words([&] { if_(n > 0, [&] { t = t.to(f32); }); }), "");
              EXPECT_NE(words([&] { while_([&] { return n > 0; }, [&] { t = t.to(f32); }); }), "");
              store(out + t, t);
            }),
            "");
}

// Threads trace at the same time and each gets its own kernel.
TEST(Handle, tracingIsThreadSafe) {
  const auto body = [](const int which) {
    return [which](Ptr<f32> x, Int n) {
      Tile t = zeros(f32, {64});
      for (int i = 0; i < 20; ++i)
        for_range(0, n, [&](Int j) { t = t * which + load(x + arange(0, 64) + j); });
      store(x + arange(0, 64), t);
    };
  };
  std::vector<std::string> alone, together(8);
  for (int i = 0; i < 8; ++i)
    alone.push_back(trace(body(i)));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = trace(body(i)); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(alone, together);
}

template <class Body> static void nest(Int n, int levels, Body body) {
  if (levels == 0)
    return body();
  for_range(0, n, [&](Int) { nest(n, levels - 1, body); });
}

TEST(Trace, twelveNestedLoopsAreFast) {
  const auto start = std::chrono::steady_clock::now();
  trace([](Ptr<f32> x, Int n) {
    Tile t = zeros(f32, {64});
    Int count = 0;
    nest(n, 12, [&] {
      t += load(x + arange(0, 64));
      count += 1;
    });
    store(x + count + arange(0, 64), t);
  });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
}

TEST(Trace, tracingTwicePrintsIdenticalBytes) {
  const auto body = [](Ptr<f32> x, Ptr<i32> out, Int n) {
    Tile a = load(x + arange(0, 64)), b = a, c = a;
    for_range(0, n, [&](Int i) {
      if_(
          i % 2 == 0, [&] { b += a; },
          [&] {
            c = b;
            a = c * 2;
          });
      break_if(i > 7);
    });
    store(out + arange(0, 64), (a + b + c).to(i32));
  };
  EXPECT_EQ(trace(body, {}, {}, {}, true), trace(body, {}, {}, {}, true));
}
