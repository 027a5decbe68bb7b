//===- AtomicTest.cpp - atomic access --------------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/TileCase.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A kernel whose block %q of pointers leads to the elements of %memory that the block %i of indices names.
std::string atPointers(const TileCase &text, const std::string &elem, std::int64_t n, const std::string &operation) {
  const std::string pointers = tileType({n}, "!tile.ptr<" + elem + ">");
  return text.text("%s = tile.splat %memory : " + pointers + "\n%q = tile.addptr %s, %i : " + pointers + ", " +
                   tileType({n}, "i32") + "\n" + operation);
}

/// One atomic_rmw over lanes: returns the old values and changes `memory`.
template <class T>
std::vector<T> modify(const std::string &kind, std::vector<T> &memory, const std::vector<std::int32_t> &index,
                      const std::vector<T> &value, const std::vector<Bool> &mask = {}) {
  const auto n = static_cast<std::int64_t>(index.size());
  const std::string elem(irType<T>());
  TileCase text;
  text.scalar("memory", "!tile.ptr<" + elem + ">").in("i", "i32", {n}).in("v", elem, {n});
  if (!mask.empty())
    text.in("m", "i1", {n});
  text.out("old", elem, {n});
  TestKernel kernel(atPointers(text, elem, n,
                               "%old = tile.atomic_rmw " + kind + " relaxed device %q, %v" +
                                   (mask.empty() ? "" : " mask %m") + " : " +
                                   tileType({n}, "!tile.ptr<" + elem + ">")));
  Memory<T> m(memory), v(value), old(index.size());
  Memory<std::int32_t> i(index);
  if (mask.empty()) {
    expectNoFaults(kernel.run1(m, i, v, old));
  } else {
    Memory<Bool> on(mask);
    expectNoFaults(kernel.run1(m, i, v, on, old));
  }
  memory = m.values;
  return old.values;
}

template <class T> class AtomicInt : public ::testing::Test {};
using Ints = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(AtomicInt, Ints);

// SEMANTICS M5: every operation; duplicate addresses each take effect once; old values come back.
TYPED_TEST(AtomicInt, everyKind) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const std::vector<std::int32_t> index{0, 3, 1, 1, 2, 3, 3, 0};
  const std::vector<T> start = anyBits<T>(4, 1), value = anyBits<T>(8, 2);
  const auto check = [&](const std::string &kind, auto fn) {
    std::vector<T> memory = start, want = start, wantOld;
    const std::vector<T> old = modify(kind, memory, index, value);
    for (std::size_t lane = 0; lane != index.size(); ++lane) {
      wantOld.push_back(want[index[lane]]);
      want[index[lane]] = fn(want[index[lane]], value[lane]);
    }
    EXPECT_EQ(memory, want) << kind;
    EXPECT_EQ(old, wantOld) << kind;
  };
  check("add", [](T a, T b) { return static_cast<T>(std::uint64_t(a) + std::uint64_t(b)); });
  check("sub", [](T a, T b) { return static_cast<T>(std::uint64_t(a) - std::uint64_t(b)); });
  check("and", [](T a, T b) { return static_cast<T>(a & b); });
  check("or", [](T a, T b) { return static_cast<T>(a | b); });
  check("xor", [](T a, T b) { return static_cast<T>(a ^ b); });
  check("xchg", [](T, T b) { return b; });
  check("min", [](T a, T b) { return std::min(a, b); });
  check("max", [](T a, T b) { return std::max(a, b); });
  check("umin", [](T a, T b) { return U(a) < U(b) ? a : b; });
  check("umax", [](T a, T b) { return U(a) > U(b) ? a : b; });
}

template <class T> class AtomicFloat : public ::testing::Test {};
using Floats = ::testing::Types<F16, BF16, float, double, E4M3, E5M2, E4M3Fnuz, E5M2Fnuz>;
TYPED_TEST_SUITE(AtomicFloat, Floats);

// SEMANTICS M5, A3: floats add in f32 and round once each time.
TYPED_TEST(AtomicFloat, everyKind) {
  using T = TypeParam;
  const std::vector<std::int32_t> index{0, 0, 1, 0, 1, 1, 0, 1};
  std::vector<T> value;
  for (double v : {0.3, 1.7, -2.6, 0.01, 5.5, -0.07, 3.1, 0.6})
    value.push_back(fromDouble<T>(v));
  const auto check = [&](const std::string &kind, auto fn) {
    std::vector<T> memory{fromDouble<T>(1.1), fromDouble<T>(-0.4)};
    std::vector<double> want, got;
    std::vector<T> model = memory;
    const std::vector<T> old = modify(kind, memory, index, value);
    for (std::size_t lane = 0; lane != index.size(); ++lane) {
      want.push_back(toDouble(model[index[lane]]));
      model[index[lane]] = fn(model[index[lane]], value[lane]);
      got.push_back(toDouble(old[lane]));
    }
    for (std::size_t i = 0; i != 2; ++i) {
      want.push_back(toDouble(model[i]));
      got.push_back(toDouble(memory[i]));
    }
    EXPECT_EQ(got, want) << kind;
  };
  check("fadd", [](T a, T b) { return narrow<T>(widen(a) + widen(b)); });
  check("fsub", [](T a, T b) { return narrow<T>(widen(a) - widen(b)); });
  check("fmin", [](T a, T b) { return toDouble(a) < toDouble(b) ? a : b; });
  check("fmax", [](T a, T b) { return toDouble(a) > toDouble(b) ? a : b; });
  check("xchg", [](T, T b) { return b; });
}

// SEMANTICS M5, A5: -0 below +0, NaN dropped.
TEST(Atomic, floatExtremaOrderZerosAndDropNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> memory{-0.0f, nan, 2};
  modify<float>("fmax", memory, {0, 1, 2, 2}, {0.0f, 1, nan, nan});
  EXPECT_FALSE(std::signbit(memory[0]));
  EXPECT_EQ(memory[1], 1);
  EXPECT_EQ(memory[2], 2);
  modify<float>("fmin", memory, {0, 0, 1, 2}, {-0.0f, 0.0f, nan, 1});
  EXPECT_TRUE(std::signbit(memory[0]));
  EXPECT_EQ(memory[1], 1);
  EXPECT_EQ(memory[2], 1);
}

// SEMANTICS M5: masked lanes do nothing, their pointers may be anything, and they yield 0.
TEST(Atomic, maskedLanesDoNothing) {
  std::vector<std::int32_t> memory{10, 20};
  const std::vector<std::int32_t> old =
      modify<std::int32_t>("add", memory, {0, 1 << 29, 1, -5}, {1, 2, 3, 4}, {{1}, {0}, {1}, {0}});
  EXPECT_THAT(memory, ElementsAre(11, 23));
  EXPECT_THAT(old, ElementsAre(10, 0, 20, 0));
}

// The negative twin: an address outside every buffer is reported, and the other lanes go on.
TEST(Atomic, outsideIsReported) {
  TileCase text;
  text.scalar("memory", "!tile.ptr<i32>").in("i", "i32", {4}).in("v", "i32", {4}).out("old", "i32", {4});
  TestKernel kernel(atPointers(text, "i32", 4,
                               "%old = tile.atomic_rmw add relaxed device %q, %v : tensor<4x!tile.ptr<i32>> "
                               "loc(\"kernel.cpp\":3:1)"));
  Memory<std::int32_t> m{10, 20}, i{0, 2, 1, 0}, v{1, 2, 3, 4}, old(4);
  const Faults faults = kernel.run1(m, i, v, old);
  EXPECT_EQ(faults.total, 1u);
  EXPECT_THAT(faults.text(), HasSubstr("kernel.cpp:3:1: atomic change of element 2 of `argument 0`, which has 2, "));
  EXPECT_THAT(m.values, ElementsAre(15, 23));
  EXPECT_THAT(old.values, ElementsAre(10, 0, 20, 11));
}

// -- Compare and swap -----------------------------------------------------------------------------

template <class T> void swapEveryLane() {
  const std::string elem(irType<T>());
  TileCase text;
  text.scalar("memory", "!tile.ptr<" + elem + ">")
      .in("i", "i32", {4})
      .in("e", elem, {4})
      .in("d", elem, {4})
      .out("old", elem, {4});
  TestKernel kernel(atPointers(text, elem, 4,
                               "%old = tile.atomic_cas acq_rel device %q, %e, %d : tensor<4x!tile.ptr<" + elem + ">>"));
  const std::vector<T> x = anyBits<T>(8, 31);
  Memory<T> m{x[0], x[1]}, e{x[0], x[2], x[1], x[3]}, d{x[2], x[3], x[4], x[5]}, old(4);
  Memory<std::int32_t> i{0, 0, 1, 1};
  expectNoFaults(kernel.run1(m, i, e, d, old));
  // Lane 0 swaps x0 for x2, lane 1 finds x2 and swaps; lane 2 swaps x1 for x4, lane 3 finds x4 and leaves it.
  const T memory[] = {x[3], x[4]}, seen[] = {x[0], x[2], x[1], x[4]};
  EXPECT_EQ(std::memcmp(m.values.data(), memory, sizeof(memory)), 0) << elem;
  EXPECT_EQ(std::memcmp(old.values.data(), seen, sizeof(seen)), 0) << elem;
}

// SEMANTICS M5
TEST(Atomic, compareAndSwapOnEveryType) {
  swapEveryLane<std::int8_t>();
  swapEveryLane<std::int16_t>();
  swapEveryLane<std::int32_t>();
  swapEveryLane<std::int64_t>();
  swapEveryLane<F16>();
  swapEveryLane<BF16>();
  swapEveryLane<float>();
  swapEveryLane<double>();
  swapEveryLane<E4M3>();
  swapEveryLane<E5M2>();
  swapEveryLane<E4M3Fnuz>();
  swapEveryLane<E5M2Fnuz>();
}

// SEMANTICS M5: CAS compares bits: a NaN equals itself, -0 does not equal +0.
TEST(Atomic, compareAndSwapComparesBits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TileCase text;
  text.scalar("memory", "!tile.ptr<f32>")
      .in("i", "i32", {2})
      .in("e", "f32", {2})
      .in("d", "f32", {2})
      .out("old", "f32", {2});
  TestKernel kernel(
      atPointers(text, "f32", 2, "%old = tile.atomic_cas relaxed system %q, %e, %d : tensor<2x!tile.ptr<f32>>"));
  Memory<float> m{nan, 0.0f}, e{nan, -0.0f}, d{1, 2}, old(2);
  Memory<std::int32_t> i{0, 1};
  expectNoFaults(kernel.run1(m, i, e, d, old));
  EXPECT_THAT(m.values, ElementsAre(1, 0));
}

// -- Load and store -------------------------------------------------------------------------------

template <class T> void copyAtomically() {
  const std::string elem(irType<T>());
  TileCase text;
  text.scalar("memory", "!tile.ptr<" + elem + ">")
      .in("i", "i32", {4})
      .in("v", elem, {4})
      .in("m", "i1", {4})
      .out("r", elem, {4});
  const std::string pointers = "tensor<4x!tile.ptr<" + elem + ">>";
  TestKernel kernel(atPointers(text, elem, 4,
                               "tile.atomic_store relaxed device %q, %v mask %m : " + pointers +
                                   "\n%r = tile.atomic_load acquire device %q mask %m : " + pointers));
  const std::vector<T> x = anyBits<T>(8, 41);
  Memory<T> m{x[0], x[1], x[2], x[3]}, v{x[4], x[5], x[6], x[7]}, r(4);
  Memory<std::int32_t> i{3, 2, 1, 0};
  Memory<Bool> mask{{1}, {1}, {0}, {1}};
  expectNoFaults(kernel.run1(m, i, v, mask, r));
  const T zero{};
  const T memory[] = {x[7], x[1], x[5], x[4]}, read[] = {x[4], x[5], zero, x[7]};
  EXPECT_EQ(std::memcmp(m.values.data(), memory, sizeof(memory)), 0) << elem;
  EXPECT_EQ(std::memcmp(r.values.data(), read, sizeof(read)), 0) << elem;
}

// SEMANTICS M5
TEST(Atomic, loadAndStoreOnEveryType) {
  copyAtomically<std::int8_t>();
  copyAtomically<std::int16_t>();
  copyAtomically<std::int32_t>();
  copyAtomically<std::int64_t>();
  copyAtomically<F16>();
  copyAtomically<BF16>();
  copyAtomically<float>();
  copyAtomically<double>();
  copyAtomically<E4M3>();
  copyAtomically<E5M2>();
  copyAtomically<E4M3Fnuz>();
  copyAtomically<E5M2Fnuz>();
}

// SEMANTICS M5: a pointer can be exchanged like any word.
TEST(Atomic, pointers) {
  const std::string text =
      R"(tile.kernel @k(%table: !tile.ptr<!tile.ptr<f32>>, %p: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
    %old = tile.atomic_rmw xchg relaxed device %table, %p : !tile.ptr<!tile.ptr<f32>>
    %now = tile.atomic_load relaxed device %table : !tile.ptr<!tile.ptr<f32>>
    %v = tile.load %now : !tile.ptr<f32>
    tile.store %out, %v : !tile.ptr<f32>
    tile.return
  })";
  TestKernel kernel(text);
  Memory<std::uint64_t> table{0};
  Memory<float> p{42}, out(1);
  expectNoFaults(kernel.run1(table, p, out));
  EXPECT_EQ(out[0], 42);
}

// SEMANTICS M4: programs run in grid order, so that order-dependent results are the same for any number of threads.
TEST(Atomic, programsRunInGridOrder) {
  const std::string text = R"(tile.kernel @k(%counter: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
    %one = arith.constant 1 : i32
    %old = tile.atomic_rmw add relaxed device %counter, %one : !tile.ptr<i32>
    %x = tile.program_id x
    %y = tile.program_id y
    %n = tile.num_programs x
    %row = arith.muli %y, %n : i64
    %at = arith.addi %row, %x : i64
    %q = tile.addptr %out, %at : !tile.ptr<i32>, i64
    tile.store %q, %old : !tile.ptr<i32>
    tile.return
  })";
  TestKernel kernel(text);
  for (unsigned threads : {1u, 4u}) {
    Memory<std::int32_t> counter{0}, out(64);
    expectNoFaults(kernel.threads(threads).run({16, 4, 1}, counter, out));
    std::vector<std::int32_t> want(64);
    std::iota(want.begin(), want.end(), 0);
    EXPECT_EQ(out.values, want);
    EXPECT_EQ(counter[0], 64);
  }
}

// SEMANTICS M5: float sums over programs take effect once each.
TEST(Atomic, sumsOverPrograms) {
  const std::string text = R"(tile.kernel @k(%p: !tile.ptr<f16>) {
    %v = arith.constant 0.5 : f16
    %old = tile.atomic_rmw fadd relaxed device %p, %v : !tile.ptr<f16>
    tile.return
  })";
  TestKernel kernel(text);
  Memory<F16> p{F16{0}};
  expectNoFaults(kernel.run({1000, 1, 1}, p));
  EXPECT_EQ(widen(p[0]), 500);
}

/// Program 0 waits until another sets the flag, by the given poll of %flag giving %seen.
Faults waitFor(const std::string &poll) {
  TestKernel kernel(substitute(R"(tile.kernel @k(%flag: !tile.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %x = tile.program_id x
    %first = arith.constant 0 : i64
    %waits = arith.cmpi eq, %x, %first : i64
    scf.if %waits {
      scf.while : () -> () {
        $POLL
        %more = arith.cmpi eq, %seen, %zero : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
    } else {
      tile.atomic_store release device %flag, %one : !tile.ptr<i32>
    }
    tile.return
  })",
                               {{"$POLL", poll}}));
  Memory<std::int32_t> flag{0};
  return kernel.run({2, 1, 1}, flag);
}

// SEMANTICS M4: a program must not wait for another; the interpreter says so instead of hanging.
TEST(Atomic, waitingForAnotherProgramIsReported) {
  for (const char *poll :
       {"%seen = tile.atomic_load acquire device %flag : !tile.ptr<i32> loc(\"kernel.cpp\":9:5)",
        "%seen = tile.atomic_rmw or acquire device %flag, %zero : !tile.ptr<i32> loc(\"kernel.cpp\":9:5)",
        "%seen = tile.atomic_cas acquire device %flag, %one, %zero : !tile.ptr<i32> "
        "loc(\"kernel.cpp\":9:5)"}) {
    const Faults faults = waitFor(poll);
    EXPECT_EQ(faults.total, 1u) << poll;
    EXPECT_THAT(faults.text(), HasSubstr("kernel.cpp:9:5: tile.atomic_"));
    EXPECT_THAT(faults.text(),
                HasSubstr("sees the same value 4194304 times in a row, in program (0, 0, 0); a program must "
                          "not wait for another"));
  }
}

// The negative twin: a lock is free whenever a program runs, so taking it is no waiting.
TEST(Atomic, locksAreTakenAtOnce) {
  TestKernel kernel(R"(tile.kernel @k(%lock: !tile.ptr<i32>, %sum: !tile.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.while : () -> () {
      %seen = tile.atomic_cas acquire device %lock, %zero, %one : !tile.ptr<i32>
      %more = arith.cmpi ne, %seen, %zero : i32
      scf.condition(%more)
    } do {
      scf.yield
    }
    %x = tile.load %sum : !tile.ptr<i32>
    %y = arith.addi %x, %one : i32
    tile.store %sum, %y : !tile.ptr<i32>
    tile.atomic_store release device %lock, %zero : !tile.ptr<i32>
    tile.return
  })");
  Memory<std::int32_t> lock{0}, sum{0};
  expectNoFaults(kernel.run({100, 1, 1}, lock, sum));
  EXPECT_EQ(sum[0], 100);
}

} // namespace
} // namespace tessera::ir::interp
