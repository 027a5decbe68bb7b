//===- OrderedRacesTest.cpp - races in kernels whose programs communicate ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include "Target/Interp/Checks/Clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// -- Clocks ---------------------------------------------------------------------------------------

TEST(Clock, neighboursShareAnEntry) {
  Clock clock;
  for (std::uint64_t p = 0; p != 1000; ++p)
    clock.raise(p, 1);
  EXPECT_EQ(clock.size(), 1u);
  clock.raise(500, 2);
  EXPECT_EQ(clock.size(), 3u);
  EXPECT_EQ(clock.of(499), 1u);
  EXPECT_EQ(clock.of(500), 2u);
  EXPECT_EQ(clock.of(1000), 0u);
  EXPECT_EQ(clock.firstBelow(0, 999, 1), std::nullopt);
  EXPECT_EQ(clock.firstBelow(0, 1000, 1), 1000u);
  EXPECT_EQ(clock.firstBelow(500, 999, 2), 501u);
}

TEST(Clock, agreesWithAMapOfPrograms) {
  std::mt19937 random(17);
  for (int round = 0; round != 300; ++round) {
    Clock clock, other;
    std::map<std::uint64_t, std::uint32_t> model;
    const auto fill = [&](Clock &c) {
      for (int i = 0, n = random() % 12; i != n; ++i) {
        const std::uint64_t p = random() % 16;
        const std::uint32_t epochs = 1 + random() % 3;
        c.raise(p, epochs);
        model[p] = std::max(model[p], epochs);
      }
    };
    fill(clock);
    fill(other);
    clock.join(other);
    for (std::uint64_t p = 0; p != 18; ++p)
      ASSERT_EQ(clock.of(p), model.count(p) ? model[p] : 0) << round;
    const std::uint64_t first = random() % 16, last = first + random() % 4;
    const std::uint32_t epochs = 1 + random() % 3;
    std::optional<std::uint64_t> want;
    for (std::uint64_t p = first; p <= last && !want; ++p)
      if ((model.count(p) ? model[p] : 0) < epochs)
        want = p;
    ASSERT_EQ(clock.firstBelow(first, last, epochs), want) << round;
  }
}

// -- Kernels --------------------------------------------------------------------------------------

/// Each program writes its partial sum, counts itself, and the last one adds them up.
constexpr std::string_view kSplit =
    R"(tile.kernel @k(%part: !tile.ptr<f32>, %counter: !tile.ptr<i32>, %out: !tile.ptr<f32>) {
  %pid = tile.program_id x
  %n = tile.num_programs x
  %f = arith.sitofp %pid : i64 to f32
  %mine = tile.addptr %part, %pid : !tile.ptr<f32>, i64
  tile.store %mine, %f : !tile.ptr<f32> loc("kernel.cpp":5:3)
  %one = arith.constant 1 : i32
  %old = tile.atomic_rmw add $ORDER $SCOPE %counter, %one : !tile.ptr<i32> loc("kernel.cpp":6:3)
  %old64 = arith.extsi %old : i32 to i64
  %one64 = arith.constant 1 : i64
  %most = arith.subi %n, %one64 : i64
  %last = arith.cmpi eq, %old64, %most : i64
  scf.if %last {
    %lane = tile.arange 0 to 8 : tensor<8xi32>
    %s = tile.splat %part : tensor<8x!tile.ptr<f32>>
    %q = tile.addptr %s, %lane : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    %x = tile.load %q : tensor<8x!tile.ptr<f32>> loc("kernel.cpp":9:3)
    %r = tile.reduce %x axis 0 : tensor<8xf32> -> f32 by arith.addf
    tile.store %out, %r : !tile.ptr<f32>
  }
  tile.return
})";

Faults runSplit(const std::string &order, const std::string &scope = "device") {
  TestKernel kernel(substitute(kSplit, {{"$ORDER", order}, {"$SCOPE", scope}}));
  Memory<float> part(8), out(1);
  Memory<std::int32_t> counter{0};
  Faults faults = kernel.run({8, 1, 1}, part, counter, out);
  EXPECT_EQ(out[0], 28);
  return faults;
}

// SEMANTICS M4, M5: last_program after an acquire is the supported way to finish a split.
TEST(OrderedRaces, splitWithReleaseAndAcquireIsClean) {
  expectNoFaults(runSplit("acq_rel"));
  expectNoFaults(runSplit("acq_rel", "system"));
}

// The same without the acquire, without the release, without both.
TEST(OrderedRaces, splitWithoutOrderIsReported) {
  for (const char *order : {"release", "acquire", "relaxed"}) {
    const Faults faults = runSplit(order);
    EXPECT_EQ(faults.total, 7u) << order; // with each of the seven other programs
    EXPECT_THAT(
        faults.text(),
        HasSubstr("kernel.cpp:5:3: race on element 0 of `argument 0`: program (0, 0, 0) stores to it and program "
                  "(7, 0, 0) loads it at kernel.cpp:9:3, and 6 more times; nothing orders them: one program must "
                  "release"));
  }
}

// Scope block orders nothing between programs, and is not even atomic towards them.
TEST(OrderedRaces, blockScopeDoesNotReachOtherPrograms) {
  const Faults faults = runSplit("acq_rel", "block");
  EXPECT_GT(faults.total, 0u);
  EXPECT_THAT(faults.text(), HasSubstr("of `argument 1`"));
}

// A release travels through read-modify-writes of others, but not through a plain or relaxed store.
TEST(OrderedRaces, releaseSequences) {
  // Program 0 writes and releases, program 1 changes the flag without order, program 2 acquires and reads.
  const std::string text = R"(tile.kernel @k(%data: !tile.ptr<f32>, %flag: !tile.ptr<i32>) {
    %pid = tile.program_id x
    %zero = arith.constant 0 : i64
    %first = arith.cmpi eq, %pid, %zero : i64
    %one = arith.constant 1 : i32
    scf.if %first {
      %f = arith.constant 1.0 : f32
      tile.store %data, %f : !tile.ptr<f32>
      $RELEASE
    } else {
      %l = arith.constant 1 : i64
      %second = arith.cmpi eq, %pid, %l : i64
      scf.if %second {
        $CHANGE
      } else {
        $ACQUIRE
        %none = arith.constant 0 : i32
        %set = arith.cmpi ne, %a, %none : i32
        %x = tile.load %data mask %set : !tile.ptr<f32>
        %y = arith.addf %x, %x : f32
        tile.store %data, %y mask %set : !tile.ptr<f32>
      }
    }
    tile.return
  })";
  const std::string releaseStore = "tile.atomic_store release device %flag, %one : !tile.ptr<i32>",
                    releaseAdd = "%o = tile.atomic_rmw add release device %flag, %one : !tile.ptr<i32>",
                    relaxedStore = "tile.atomic_store relaxed device %flag, %one : !tile.ptr<i32>",
                    relaxedAdd = "%o = tile.atomic_rmw add relaxed device %flag, %one : !tile.ptr<i32>",
                    otherRelease = "%o = tile.atomic_rmw add release device %flag, %one : !tile.ptr<i32>",
                    load = "%o = tile.atomic_load relaxed device %flag : !tile.ptr<i32>",
                    acquireLoad = "%a = tile.atomic_load acquire device %flag : !tile.ptr<i32>",
                    relaxedLoad = "%a = tile.atomic_load relaxed device %flag : !tile.ptr<i32>",
                    failedSwap =
                        "%seven = arith.constant 7 : i32\n%o = tile.atomic_cas release device %flag, %seven, %one "
                        ": !tile.ptr<i32>";
  const auto races = [&](const std::string &release, const std::string &change, const std::string &acquire) {
    TestKernel kernel(substitute(text, {{"$RELEASE", release}, {"$CHANGE", change}, {"$ACQUIRE", acquire}}));
    Memory<float> data(1);
    Memory<std::int32_t> flag{0};
    return kernel.run({3, 1, 1}, data, flag).total;
  };
  EXPECT_EQ(races(releaseStore, load, acquireLoad), 0u);
  EXPECT_EQ(races(releaseStore, relaxedAdd, acquireLoad), 0u);
  EXPECT_EQ(races(releaseAdd, otherRelease, acquireLoad), 0u);
  EXPECT_EQ(races(releaseStore, failedSwap, acquireLoad), 0u);
  EXPECT_GT(races(releaseStore, relaxedStore, acquireLoad), 0u);
  EXPECT_GT(races(releaseStore, load, relaxedLoad), 0u);
  EXPECT_GT(races(relaxedStore, load, acquireLoad), 0u);
  EXPECT_GT(races(relaxedAdd, otherRelease, acquireLoad), 0u); // the other's release does not cover program 0
}

// Order is transitive: 0 releases to 1, 1 to 2.
TEST(OrderedRaces, orderIsTransitive) {
  const std::string text = R"(tile.kernel @k(%data: !tile.ptr<i32>, %flags: !tile.ptr<i32>) {
    %pid = tile.program_id x
    %one = arith.constant 1 : i32
    %l = arith.constant 1 : i64
    %before = arith.subi %pid, %l : i64
    %zero = arith.constant 0 : i64
    %first = arith.cmpi eq, %pid, %zero : i64
    %ready = scf.if %first -> (i32) {
      scf.yield %one : i32
    } else {
      %q = tile.addptr %flags, %before : !tile.ptr<i32>, i64
      %a = tile.atomic_load acquire device %q : !tile.ptr<i32>
      scf.yield %a : i32
    }
    %set = arith.cmpi eq, %ready, %one : i32
    %x = tile.load %data mask %set : !tile.ptr<i32>
    %y = arith.addi %x, %one : i32
    tile.store %data, %y mask %set : !tile.ptr<i32>
    %r = tile.addptr %flags, %pid : !tile.ptr<i32>, i64
    tile.atomic_store release device %r, %one : !tile.ptr<i32>
    tile.return
  })";
  TestKernel kernel(text);
  Memory<std::int32_t> data{0}, flags(64);
  expectNoFaults(kernel.run({64, 1, 1}, data, flags));
  EXPECT_EQ(data[0], 64);
}

/// The first two programs: the first does one, the second the other.
Faults meet(const std::string &first, const std::string &second) {
  const std::string text = R"(tile.kernel @k(%p: !tile.ptr<i32>, %flag: !tile.ptr<i32>) {
    %pid = tile.program_id x
    %zero = arith.constant 0 : i64
    %first = arith.cmpi eq, %pid, %zero : i64
    %one = arith.constant 1 : i32
    scf.if %first {
      $FIRST
    } else {
      $SECOND
    }
    %o = tile.atomic_load relaxed device %flag : !tile.ptr<i32>
    tile.return
  })";
  TestKernel kernel(substitute(text, {{"$FIRST", first}, {"$SECOND", second}}));
  Memory<std::int32_t> p(4), flag(1);
  return kernel.run({2, 1, 1}, p, flag);
}

// SEMANTICS M4: which pairs of accesses conflict.
TEST(OrderedRaces, whichAccessesConflict) {
  const std::string load = "%v = tile.load %p : !tile.ptr<i32>", store = "tile.store %p, %one : !tile.ptr<i32>",
                    atomicLoad = "%v = tile.atomic_load relaxed device %p : !tile.ptr<i32>",
                    atomicStore = "tile.atomic_store relaxed device %p, %one : !tile.ptr<i32>",
                    atomicAdd = "%v = tile.atomic_rmw add relaxed device %p, %one : !tile.ptr<i32>",
                    narrowAdd =
                        "%q = tile.ptr_cast %p : !tile.ptr<i32> -> !tile.ptr<i16>\n%h = arith.constant 1 : i16\n"
                        "%v = tile.atomic_rmw add relaxed device %q, %h : !tile.ptr<i16>";
  const std::string all[] = {load, store, atomicLoad, atomicStore, atomicAdd};
  const bool conflict[5][5] = {{false, true, false, true, true},
                               {true, true, true, true, true},
                               {false, true, false, false, false},
                               {true, true, false, false, false},
                               {true, true, false, false, false}};
  for (int i = 0; i != 5; ++i)
    for (int j = 0; j != 5; ++j)
      EXPECT_EQ(meet(all[i], all[j]).total, conflict[i][j] ? 1u : 0u) << all[i] << " then " << all[j];
  EXPECT_EQ(meet(atomicAdd, narrowAdd).total, 1u); // atomics of two sizes do not see each other
}

// Accesses of one program before and after its release are told apart.
TEST(OrderedRaces, accessAfterTheReleaseIsNotOrdered) {
  const std::string release = "tile.atomic_store release device %flag, %one : !tile.ptr<i32>\n",
                    acquire = "%a = tile.atomic_load acquire device %flag : !tile.ptr<i32>\n",
                    store = "tile.store %p, %one : !tile.ptr<i32>\n",
                    storeIfReleased = "%set = arith.cmpi eq, %a, %one : i32\n"
                                      "tile.store %p, %one mask %set : !tile.ptr<i32>\n";
  EXPECT_EQ(meet(store + release, acquire + storeIfReleased).total, 0u);
  EXPECT_EQ(meet(store + release, acquire + store).total, 1u); // in the other order
  EXPECT_EQ(meet(release + store, acquire + storeIfReleased).total, 1u);
  EXPECT_EQ(meet(store + release + store, acquire + storeIfReleased).total, 1u);
  EXPECT_EQ(meet(store + release, store + acquire).total, 1u);
  const std::string load = "%v = tile.load %p : !tile.ptr<i32>\n", loadAgain = "%w = tile.load %p : !tile.ptr<i32>\n";
  EXPECT_EQ(meet(load + release + loadAgain, acquire + storeIfReleased).total, 1u);
}

// Bytes of one word by different programs do not race; a wider access over them does.
TEST(OrderedRaces, bytesAreToldApart) {
  const auto narrow = [](int byte) {
    return "%b = tile.ptr_cast %p : !tile.ptr<i32> -> !tile.ptr<i8>\n%off = arith.constant " + std::to_string(byte) +
           " : i64\n%q = tile.addptr %b, %off : !tile.ptr<i8>, i64\n%c = arith.constant 1 : i8\n"
           "tile.store %q, %c : !tile.ptr<i8>";
  };
  EXPECT_EQ(meet(narrow(0), narrow(1)).total, 0u);
  EXPECT_EQ(meet(narrow(1), narrow(1)).total, 1u);
  EXPECT_EQ(meet("tile.store %p, %one : !tile.ptr<i32>", narrow(3)).total, 1u);
  EXPECT_EQ(meet(narrow(3), "tile.store %p, %one : !tile.ptr<i32>").total, 1u);
}

// -- Reverse order --------------------------------------------------------------------------------

/// Program 0 writes and releases a flag, program 1 acquires it and reads.
constexpr std::string_view kHandOver =
    R"(tile.kernel @k(%data: !tile.ptr<f32>, %flag: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
    %pid = tile.program_id x
    %zero = arith.constant 0 : i64
    %first = arith.cmpi eq, %pid, %zero : i64
    %one = arith.constant 1 : i32
    %n = tile.atomic_rmw add relaxed device %out, %one : !tile.ptr<i32>
    scf.if %first {
      %f = arith.constant 1.0 : f32
      tile.store %data, %f : !tile.ptr<f32> loc("kernel.cpp":3:5)
      tile.atomic_store release device %flag, %one : !tile.ptr<i32>
    } else {
      %seen = tile.atomic_load acquire device %flag : !tile.ptr<i32>
      %set = $TEST
      %x = tile.load %data mask %set : !tile.ptr<f32> loc("kernel.cpp":8:5)
    }
    tile.return
  })";

// SEMANTICS M4: an acquire orders a program only after what it has seen; who does not look has seen nothing.
TEST(OrderedRaces, anAcquireThatNobodyTests) {
  TestKernel untested(substitute(kHandOver, {{"$TEST", "arith.constant true"}}));
  Memory<float> data(1);
  Memory<std::int32_t> flag(1), out(1);
  EXPECT_THAT(untested.run({2, 1, 1}, data, flag, out).text(),
              HasSubstr("kernel.cpp:3:5: race on element 0 of `argument 0`: program (0, 0, 0) stores to it and program "
                        "(1, 0, 0) loads it at kernel.cpp:8:5; nothing orders them"));
  // What is left in memory is what grid order gives, once.
  EXPECT_EQ(data[0], 1.0f);
  EXPECT_EQ(flag[0], 1);
  EXPECT_EQ(out[0], 2);
  TestKernel tested(substitute(kHandOver, {{"$TEST", "arith.cmpi eq, %seen, %one : i32"}}));
  Memory<std::int32_t> freshFlag(1);
  expectNoFaults(tested.run({2, 1, 1}, data, freshFlag, out));
}

// SEMANTICS M4: a program must not wait for another; in this order it is the one that comes first.
TEST(OrderedRaces, waitingForAnEarlierProgram) {
  TestKernel kernel(R"(tile.kernel @k(%flag: !tile.ptr<i32>) {
    %pid = tile.program_id x
    %zero = arith.constant 0 : i64
    %first = arith.cmpi eq, %pid, %zero : i64
    %one = arith.constant 1 : i32
    scf.if %first {
      tile.atomic_store release device %flag, %one : !tile.ptr<i32>
    } else {
      scf.while : () -> () {
        %seen = tile.atomic_load acquire device %flag : !tile.ptr<i32>
        %no = arith.cmpi ne, %seen, %one : i32
        scf.condition(%no)
      } do {
        scf.yield
      }
    }
    tile.return
  })");
  Memory<std::int32_t> flag(1);
  const Faults faults = kernel.run({2, 1, 1}, flag);
  EXPECT_EQ(faults.total, 1u);
  EXPECT_THAT(faults.text(), HasSubstr("a program must not wait for another"));
  EXPECT_EQ(flag[0], 1);
}

// Many programs, many elements: the check must not cost much, and its tables must not grow without bound.
TEST(OrderedRaces, manyPrograms) {
  const std::string text = R"(tile.kernel @k(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %counter: !tile.ptr<i32>) {
    %pid = tile.program_id x
    %lane = tile.arange 0 to 256 : tensor<256xi32>
    %s = tile.splat %x : tensor<256x!tile.ptr<f32>>
    %q = tile.addptr %s, %lane : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %q : tensor<256x!tile.ptr<f32>>
    %so = tile.splat %out : tensor<256x!tile.ptr<f32>>
    %qo = tile.addptr %so, %lane : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %old = tile.atomic_rmw fadd acq_rel device %qo, %v : tensor<256x!tile.ptr<f32>>
    %one = arith.constant 1 : i32
    %o = tile.atomic_rmw add acq_rel device %counter, %one : !tile.ptr<i32>
    tile.return
  })";
  TestKernel kernel(text);
  Memory<float> x(256, 1), out(256);
  Memory<std::int32_t> counter{0};
  expectNoFaults(kernel.run({2000, 1, 1}, x, out, counter));
  EXPECT_EQ(out[255], 2000);
  EXPECT_EQ(counter[0], 2000);
}

} // namespace
} // namespace tessera::ir::interp
