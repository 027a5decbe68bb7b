//===- ChecksTest.cpp - what checked execution finds -----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tessera::ir::interp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Stores lane numbers at out + start + lane * step, for 4 lanes, with names and places in the IR.
constexpr std::string_view kScatter = R"(
tile.kernel @scatter(%out: !tile.ptr<i32> loc("out"("kernel.cpp":3:5)), %start: i32, %step: i32) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %steps = tile.splat %step : tensor<4xi32>
  %starts = tile.splat %start : tensor<4xi32>
  %a = arith.muli %lane, %steps : tensor<4xi32> loc("kernel.cpp":6:20)
  %b = arith.addi %a, %starts : tensor<4xi32> loc("offs"("kernel.cpp":7:20))
  %s = tile.splat %out : tensor<4x!tile.ptr<i32>>
  %p = tile.addptr %s, %b : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %p, %lane : tensor<4x!tile.ptr<i32>> loc("kernel.cpp":9:3)
  tile.return
})";

TEST(Checks, pastTheEnd) {
  TestKernel kernel(kScatter);
  Memory<std::int32_t> out(8);
  const Faults faults = kernel.run1(out, 6, 1);
  EXPECT_EQ(faults.text(),
            "kernel.cpp:9:3: store to element 8 of `out`, which has 8, in program (0, 0, 0) at [2] and 1 more lane; "
            "every access must stay inside a live buffer; mask the lanes that leave it");
  EXPECT_THAT(out.values, ElementsAre(0, 0, 0, 0, 0, 0, 0, 1)); // the lanes inside were written
}

TEST(Checks, beforeTheStart) {
  TestKernel kernel(kScatter);
  Memory<std::int32_t> out(8);
  EXPECT_THAT(kernel.run1(out, -2, 1).text(),
              HasSubstr("store to element -2 of `out`, which has 8, in program (0, 0, 0) at [0] and 1 more lane"));
}

TEST(Checks, nullPointer) {
  TestKernel kernel(kScatter);
  EXPECT_THAT(kernel.run1(Address{0}, 0, 0).text(),
              HasSubstr("store to i32 at a null pointer, in program (0, 0, 0) at [0] and 3 more lanes"));
}

TEST(Checks, misaligned) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i8> loc("bytes"("k.cpp":1:1)), %off: i64) {
  %q = tile.addptr %p, %off : !tile.ptr<i8>, i64
  %r = tile.ptr_cast %q : !tile.ptr<i8> -> !tile.ptr<f32>
  %v = tile.load %r : !tile.ptr<f32> loc("k.cpp":4:7)
  tile.store %r, %v : !tile.ptr<f32>
  tile.return
})");
  Memory<std::int8_t> p(16);
  expectNoFaults(kernel.run1(p, std::int64_t(4)));
  const Faults faults = kernel.run1(p, std::int64_t(6));
  EXPECT_EQ(faults.total, 2u);
  EXPECT_THAT(faults.text(),
              AllOf(HasSubstr("k.cpp:4:7: load of f32 at a misaligned address"), HasSubstr("byte 6 of `bytes`"),
                    HasSubstr("an element must lie at a multiple of its size")));
}

// SEMANTICS M3: an address made from one argument but inside another's buffer
TEST(Checks, strayIntoAnotherBuffer) {
  TestKernel kernel(R"(
tile.kernel @k(%x: !tile.ptr<i64> loc("x"("k.cpp":1:1)), %y: !tile.ptr<i64> loc("y"("k.cpp":1:9))) {
  %a = tile.ptr_to_int %x : !tile.ptr<i64>
  %b = tile.ptr_to_int %y : !tile.ptr<i64>
  %d = arith.subi %b, %a : i64
  %eight = arith.constant 8 : i64
  %e = tile.idiv %d, %eight : i64
  %p = tile.addptr %x, %e : !tile.ptr<i64>, i64
  tile.store %p, %eight : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int64_t> x(2), y(2);
  EXPECT_THAT(kernel.run1(x, y).text(), AllOf(HasSubstr("of `x`, which has 2, inside `y`"),
                                              HasSubstr("must stay in the buffer of its own argument")));
  EXPECT_EQ(y[0], 0);
}

// SEMANTICS T5: overflow in what reaches an address
TEST(Checks, indexOverflow) {
  TestKernel kernel(kScatter);
  Memory<std::int32_t> out(8);
  const Faults faults = kernel.run1(out, 0, 1 << 30);
  EXPECT_THAT(faults.text(), AllOf(HasSubstr("kernel.cpp:6:20: 2 * 1073741824 overflows i32 and wraps to -2147483648, "
                                             "in program (0, 0, 0) at [2] and 1 more lane; "
                                             "arithmetic that reaches an address or a mask must not overflow"),
                                   Not(HasSubstr("kernel.cpp:7:20"))));
  EXPECT_THAT(kernel.run1(out, std::numeric_limits<int>::max(), 1).text(),
              HasSubstr("kernel.cpp:7:20: 1 + 2147483647 overflows i32 and wraps to -2147483648, in program (0, 0, 0) "
                        "at [1] and 2 more lanes of `offs`"));
}

// SEMANTICS T5: overflow in a mask; the lane it lets through is reported too
TEST(Checks, maskOverflow) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %i: i32) {
  %four = arith.constant 4 : i32
  %end = arith.addi %i, %four : i32 loc("k.cpp":2:1)
  %in = arith.cmpi sle, %end, %n : i32
  %v = tile.load %p mask %in : !tile.ptr<f32>
  tile.return
})");
  Memory<float> p(1);
  expectNoFaults(kernel.run1(p, 4, 0));
  EXPECT_THAT(kernel.run1(p, 4, std::numeric_limits<int>::max()).text(),
              HasSubstr("k.cpp:2:1: 2147483647 + 4 overflows i32"));
}

// SEMANTICS T5: a hash may wrap, also when its remainder is an index; data may wrap
TEST(Checks, hashesAndDataMayWrap) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %x: i32) {
  %a = arith.constant -1640531527 : i32
  %h = arith.muli %x, %a : i32
  %seven = arith.constant 7 : i32
  %i = tile.irem %h, %seven unsigned : i32
  %q = tile.addptr %p, %i : !tile.ptr<i32>, i32
  %big = arith.addi %h, %h : i32
  tile.store %q, %big : !tile.ptr<i32>
  %twentynine = arith.constant 29 : i32
  %j = tile.shr %h, %twentynine unsigned : i32
  %r = tile.addptr %p, %j : !tile.ptr<i32>, i32
  tile.store %r, %big : !tile.ptr<i32>
  tile.return
})");
  Memory<std::int32_t> p(8);
  expectNoFaults(kernel.run1(p, 123456789));
}

// SEMANTICS T5: an unsigned index counts to 2^32
TEST(Checks, unsignedIndexArithmetic) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %x: i32, %y: i32, %n: i64) {
  %s = arith.addi %x, %y {tile.unsigned} : i32 loc("k.cpp":2:1)
  %w = arith.extui %s : i32 to i64
  %in = arith.cmpi slt, %w, %n : i64
  %q = tile.addptr %p, %w : !tile.ptr<i32>, i64
  tile.store %q, %x mask %in : !tile.ptr<i32>
  tile.return
})");
  Memory<std::int32_t> p(8);
  expectNoFaults(kernel.run1(p, std::numeric_limits<int>::max(), 5, std::int64_t(8)));
  EXPECT_THAT(kernel.run1(p, -1, 5, std::int64_t(8)).text(),
              HasSubstr("k.cpp:2:1: 4294967295 + 5 overflows u32 and wraps to 4"));
}

// SEMANTICS T5: the signedness is that of the operation, whoever uses its result
TEST(Checks, signednessStandsOnTheOperation) {
  constexpr std::string_view text = R"(
tile.kernel @k(%p: !tile.ptr<i8>, %x: i8, %y: i8) {
  %s = arith.$OP %x, %y $UNSIGNED : i8 loc("k.cpp":2:1)
  %limit = arith.constant 100 : i8
  %in = arith.cmpi $LESS, %s, %limit : i8
  tile.store %p, %x mask %in : !tile.ptr<i8>
  tile.return
})";
  const auto found = [&](const char *op, const char *isUnsigned, const char *less, int x, int y) {
    TestKernel kernel(substitute(text, {{"$OP", op}, {"$UNSIGNED", isUnsigned}, {"$LESS", less}}));
    Memory<std::int8_t> p(1);
    return kernel.run1(p, static_cast<std::int8_t>(x), static_cast<std::int8_t>(y)).text();
  };
  EXPECT_EQ(found("subi", "", "ult", 0, 1), ""); // (i - 1).to(u8) < 100
  EXPECT_THAT(found("subi", "{tile.unsigned}", "slt", 0, 1), HasSubstr("0 - 1 overflows u8 and wraps to 255"));
  EXPECT_THAT(found("addi", "{tile.unsigned}", "ult", 100, 200), HasSubstr("100 + 200 overflows u8 and wraps to 44"));
  EXPECT_EQ(found("addi", "{tile.unsigned}", "ult", 100, 100), "");
  EXPECT_THAT(found("addi", "", "ult", 100, 100), HasSubstr("100 + 100 overflows i8 and wraps to -56"));
  EXPECT_THAT(found("muli", "{tile.unsigned}", "eq", 16, 16), HasSubstr("16 * 16 overflows u8 and wraps to 0"));
}

// SEMANTICS T5: through loops, branches and selections
TEST(Checks, indexOverflowThroughControlFlow) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %n: i64, %step: i32) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant 0 : i32
  %end = scf.for %i = %zero to %n step %one iter_args(%o = %start) -> (i32) : i64 {
    %next = arith.addi %o, %step : i32 loc("k.cpp":5:5)
    scf.yield %next : i32
  }
  %c = arith.cmpi sgt, %n, %zero : i64
  %f = scf.if %c -> (i32) {
    scf.yield %end : i32
  } else {
    scf.yield %start : i32
  }
  %no = arith.constant false
  %q = tile.addptr %p, %f : !tile.ptr<i32>, i32
  tile.store %q, %f mask %no : !tile.ptr<i32>
  tile.return
})");
  Memory<std::int32_t> p(1);
  expectNoFaults(kernel.run1(p, std::int64_t(2), 1 << 30 >> 1));
  EXPECT_THAT(kernel.run1(p, std::int64_t(3), 1 << 30).text(),
              HasSubstr("k.cpp:5:5: 1073741824 + 1073741824 overflows i32"));
}

// SEMANTICS A1. Reported: x // 0 and x % 0, alone and together
TEST(Checks, divisionByZero) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %out: !tile.ptr<i32>, %x: i32) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %ps = tile.splat %p : tensor<4x!tile.ptr<i32>>
  %pp = tile.addptr %ps, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %d = tile.load %pp : tensor<4x!tile.ptr<i32>>
  %xs = tile.splat %x : tensor<4xi32>
  %q = tile.idiv %xs, %d : tensor<4xi32> loc("k.cpp":7:9)
  %r = tile.irem %xs, %d : tensor<4xi32> loc("k.cpp":8:9)
  %os = tile.splat %out : tensor<4x!tile.ptr<i32>>
  %op = tile.addptr %os, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %op, %q : tensor<4x!tile.ptr<i32>>
  tile.return
})");
  Memory<std::int32_t> d{2, 0, 5, 0}, out(4);
  const Faults faults = kernel.run1(d, out, 10);
  EXPECT_EQ(faults.total, 2u);
  EXPECT_THAT(faults.text(),
              AllOf(HasSubstr("k.cpp:7:9: division by zero: 10 / 0, in program (0, 0, 0) at [1] and 1 more lane"),
                    HasSubstr("k.cpp:8:9: division by zero: 10 % 0")));
  EXPECT_EQ(out[0], 5); // the neighbours are right
  EXPECT_EQ(out[2], 2);
  Memory<std::int32_t> minusOne{1, 1, 1, -1};
  EXPECT_THAT(kernel.run1(minusOne, out, std::numeric_limits<int>::min()).text(),
              HasSubstr("division overflows: -2147483648 / -1 does not fit i32, in program (0, 0, 0) at [3]"));
}

// SEMANTICS P2
TEST(Checks, falseHints) {
  TestKernel kernel(R"(
tile.kernel @k(%x: i64 {tile.multiple_of = 16 : i64} loc("n"("k.cpp":1:1)), %c: i1) {
  %h = tile.hint %x multiple_of [32] : i64 loc("k.cpp":2:2)
  tile.assume %c loc("k.cpp":3:3)
  %s = tile.splat %x : tensor<4xi64>
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %l = arith.extsi %lane : tensor<4xi32> to tensor<4xi64>
  %m = arith.muli %l, %s : tensor<4xi64>
  %r = tile.hint %m multiple_of [16] max_contiguous [2] : tensor<4xi64> loc("k.cpp":4:4)
  tile.return
})");
  EXPECT_THAT(kernel.run1(std::int64_t(32), Bool{0}).text(),
              AllOf(HasSubstr("k.cpp:3:3: false hint: an assumed condition is false"),
                    HasSubstr("k.cpp:4:4: false hint: 32 does not follow 0 within a run of 2, in program (0, 0, 0) at "
                              "[1] and 1 more lane")));
  EXPECT_THAT(kernel.run1(std::int64_t(8), Bool{1}).text(),
              AllOf(HasSubstr("false hint: `n` is 0x8, no multiple of 16"),
                    HasSubstr("k.cpp:2:2: false hint: 8 is no multiple of 32")));
}

// SEMANTICS P2: on pointers hints count elements
TEST(Checks, hintsOnPointers) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<f32>, %off: i32) {
  %lane = tile.arange 0 to 8 : tensor<8xi32>
  %o = tile.splat %off : tensor<8xi32>
  %i = arith.addi %lane, %o : tensor<8xi32>
  %s = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %q = tile.addptr %s, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %h = tile.hint %q multiple_of [4] max_contiguous [8] : tensor<8x!tile.ptr<f32>>
  tile.return
})");
  Memory<float> p(64);
  const std::uint64_t aligned = kernel.run1(p, 0).total, shifted = kernel.run1(p, 1).total;
  EXPECT_EQ(aligned + shifted, 1u); // the memory itself lies at a multiple of 8 bytes
}

constexpr std::string_view kShared = R"(
tile.kernel @k(%p: !tile.ptr<i32> loc("p"("k.cpp":1:1)), %divisor: i64) {
  %x = tile.program_id x
  %i = tile.idiv %x, %divisor : i64
  %q = tile.addptr %p, %i : !tile.ptr<i32>, i64
  %one = arith.constant 1 : i32
  tile.store %q, %one : !tile.ptr<i32> loc("k.cpp":5:3)
  tile.return
})";

// SEMANTICS M4: two programs at one address, one of them writing
TEST(Checks, raceOfTwoStores) {
  TestKernel kernel(kShared);
  Memory<std::int32_t> p(8);
  expectNoFaults(kernel.run({8, 1, 1}, p, std::int64_t(1)));
  const std::string once = kernel.threads(1).run({8, 1, 1}, p, std::int64_t(2)).text();
  EXPECT_THAT(
      once,
      AllOf(HasSubstr("k.cpp:5:3: race on element 0 of `p`: program (0, 0, 0) and program (1, 0, 0) both store to it"),
            HasSubstr(", and 3 more times; "), HasSubstr("only atomics may meet at one address")));
  for (int i = 0; i != 20; ++i)
    ASSERT_EQ(kernel.threads(2 + i % 3).run({8, 1, 1}, p, std::int64_t(2)).text(), once);
}

// SEMANTICS M4: many readers do not race; one writer among them does
TEST(Checks, raceOfReaderAndWriter) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32> loc("p"("k.cpp":1:1)), %writer: i64) {
  %x = tile.program_id x
  %v = tile.load %p : !tile.ptr<i32> loc("k.cpp":3:3)
  %is = arith.cmpi eq, %x, %writer : i64
  tile.store %p, %v mask %is : !tile.ptr<i32> loc("k.cpp":5:3)
  tile.return
})");
  Memory<std::int32_t> p(1);
  expectNoFaults(kernel.threads(2).run({64, 1, 1}, p, std::int64_t(-1)));
  for (std::int64_t writer : {0, 17, 63})
    EXPECT_THAT(kernel.run({64, 1, 1}, p, writer).text(),
                AllOf(HasSubstr("race on element 0 of `p`: program "),
                      HasSubstr("program (" + std::to_string(writer) + ", 0, 0) stores to it"),
                      HasSubstr(" loads it")));
  expectNoFaults(kernel.run({1, 1, 1}, p, std::int64_t(0))); // one program cannot race with itself
}

// Accesses of different sizes at one place are seen byte by byte
TEST(Checks, raceOfMixedSizes) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i8> loc("p"("k.cpp":1:1)), %at: i64) {
  %x = tile.program_id x
  %zero = arith.constant 0 : i64
  %first = arith.cmpi eq, %x, %zero : i64
  %w = arith.constant 7 : i32
  %b = arith.constant 7 : i8
  scf.if %first {
    %q = tile.ptr_cast %p : !tile.ptr<i8> -> !tile.ptr<i32>
    tile.store %q, %w : !tile.ptr<i32>
  } else {
    %q = tile.addptr %p, %at : !tile.ptr<i8>, i64
    tile.store %q, %b : !tile.ptr<i8>
  }
  tile.return
})");
  Memory<std::int8_t> p(8);
  expectNoFaults(kernel.run({2, 1, 1}, p, std::int64_t(4)));
  EXPECT_THAT(kernel.run({2, 1, 1}, p, std::int64_t(3)).text(), HasSubstr("race on byte 3 of `p`"));
}

constexpr std::string_view kInPlace = R"(
tile.kernel @k(%x: !tile.ptr<i32> $ALIAS loc("x"("k.cpp":1:1)), %y: !tile.ptr<i32> loc("y"("k.cpp":1:9)), %shift: i64) {
  %one = arith.constant 1 : i64
  %a = tile.load %x : !tile.ptr<i32>
  tile.store %y, %a : !tile.ptr<i32> loc("k.cpp":4:3)
  %q = tile.addptr %x, %shift : !tile.ptr<i32>, i64
  %b = tile.load %q : !tile.ptr<i32> loc("k.cpp":6:3)
  %r = tile.addptr %y, %one : !tile.ptr<i32>, i64
  tile.store %r, %b : !tile.ptr<i32> loc("k.cpp":8:3)
  tile.return
})";

// SEMANTICS M3: in place is fine as long as nothing reads through one argument what another wrote
TEST(Checks, overlappingArguments) {
  TestKernel kernel(substitute(kInPlace, {{"$ALIAS", ""}}));
  Memory<std::int32_t> x(4), y(4);
  expectNoFaults(kernel.run1(x, y, std::int64_t(0)));
  // Reading back through x what y wrote, in one buffer
  EXPECT_THAT(kernel.run1(x, Into{0}, std::int64_t(0)).text(),
              AllOf(HasSubstr("k.cpp:6:3: load of element 0 of `x` through `x`, which a store at k.cpp:4:3 wrote "
                              "through `y` before"),
                    HasSubstr("memory of different arguments is assumed disjoint; declare one of them MayAlias<i32>")));
  expectNoFaults(kernel.run1(x, Into{0}, std::int64_t(2))); // another element of the buffer
  expectNoFaults(kernel.run1(x, Into{0, 8}, std::int64_t(0)));
  TestKernel declared(substitute(kInPlace, {{"$ALIAS", "{tile.may_alias}"}}));
  expectNoFaults(declared.run1(x, Into{0}, std::int64_t(0)));
}

// SEMANTICS M3: what a lane loaded through one argument another lane must not store through another
TEST(Checks, loadsAndStoresThroughOverlappingArguments) {
  constexpr std::string_view text = R"(
tile.kernel @k(%x: !tile.ptr<i32> $ALIAS loc("x"("k.cpp":1:1)), %y: !tile.ptr<i32> loc("y"("k.cpp":1:9)), %flag: !tile.ptr<i32>) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %back = tile.flip %lane axis 0 : tensor<4xi32>
  %xs = tile.splat %x : tensor<4x!tile.ptr<i32>>
  %ys = tile.splat %y : tensor<4x!tile.ptr<i32>>
  %px = tile.addptr %xs, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %py = tile.addptr %ys, $STORED : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %v = tile.load %px : tensor<4x!tile.ptr<i32>> loc("k.cpp":4:3)
  %one = arith.constant 1 : i32
  $BETWEEN
  tile.store %py, $VALUE : tensor<4x!tile.ptr<i32>> loc("k.cpp":6:3)
  tile.return
})";
  struct Case {
    std::string stored = "%back", value = "%v", between = "", alias = "";
  };
  const auto found = [&](const Case &c) {
    TestKernel kernel(
        substitute(text, {{"$STORED", c.stored}, {"$VALUE", c.value}, {"$BETWEEN", c.between}, {"$ALIAS", c.alias}}));
    Memory<std::int32_t> x{1, 2, 3, 4}, y(4), flag(1);
    expectNoFaults(kernel.run1(x, y, flag));
    return kernel.run1(x, Into{0}, flag).text();
  };
  EXPECT_THAT(found({}), AllOf(HasSubstr("k.cpp:6:3: store to element 3 of `y` through `y`, which a load of another "
                                         "lane at k.cpp:4:3 read through `x` before, in program (0, 0, 0) at [0] and "
                                         "3 more lanes"),
                               HasSubstr("declare one of them MayAlias<i32>")));
  EXPECT_EQ(found({.stored = "%lane"}), ""); // in place: each lane stores where it loaded
  EXPECT_EQ(found({.alias = "{tile.may_alias}"}), "");
  // The loaded elements go back to their own places
  const std::string flip = "%w = tile.flip %v axis 0 : tensor<4xi32>";
  EXPECT_EQ(found({.value = "%w", .between = flip}), "");
  // An order of the whole program lies between them; a relaxed atomic is none
  const std::string atomic = "%o = tile.atomic_rmw add $ORDER device %flag, %one : !tile.ptr<i32>";
  EXPECT_EQ(found({.between = substitute(atomic, {{"$ORDER", "acq_rel"}})}), "");
  EXPECT_THAT(found({.between = substitute(atomic, {{"$ORDER", "relaxed"}})}), HasSubstr("of another lane"));
}

// SEMANTICS M3: what all lanes loaded none of them may store through another argument
TEST(Checks, broadcastLoadBeforeAnOverlappingStore) {
  constexpr std::string_view text = R"(
tile.kernel @k(%x: !tile.ptr<i32> loc("x"("k.cpp":1:1)), %y: !tile.ptr<i32> loc("y"("k.cpp":1:9))) {
  %v = tile.load %x : !tile.ptr<i32>
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %ys = tile.splat %y : tensor<4x!tile.ptr<i32>>
  %py = tile.addptr %ys, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %vs = tile.splat %v : tensor<4xi32>
  $STORE
  tile.return
})";
  const auto found = [&](const char *store) {
    TestKernel kernel(substitute(text, {{"$STORE", store}}));
    Memory<std::int32_t> x{1, 2, 3, 4};
    return kernel.run1(x, Into{0}).text();
  };
  EXPECT_THAT(found("tile.store %py, %vs : tensor<4x!tile.ptr<i32>>"), HasSubstr("store to element 0 of `y`"));
  EXPECT_EQ(found("tile.store %y, %v : !tile.ptr<i32>"), "");
}

/// Three stores to memory of four elements, out of bounds in programs from 4, 2 and 6 on.
constexpr std::string_view kThreeStores = R"(
tile.kernel @k(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %r: !tile.ptr<i32>) {
  %x = tile.program_id x
  %two = arith.constant 2 : i64
  %six = arith.constant 6 : i64
  %one = arith.constant 1 : i32
  %a = tile.addptr %p, %x : !tile.ptr<i32>, i64
  tile.store %a, %one : !tile.ptr<i32> loc("k.cpp":1:1)
  %y = arith.addi %x, %two : i64
  %b = tile.addptr %q, %y : !tile.ptr<i32>, i64
  tile.store %b, %one : !tile.ptr<i32> loc("k.cpp":2:1)
  %c = tile.addptr %r, %x : !tile.ptr<i32>, i64
  %late = arith.cmpi sge, %x, %six : i64
  tile.store %c, %one mask %late : !tile.ptr<i32> loc("k.cpp":3:1)
  tile.return
})";

TEST(Checks, faultsAreLimitedCountedAndOrdered) {
  TestKernel kernel(kThreeStores);
  Memory<std::int32_t> p(4), q(4), r(4);
  for (unsigned threads : {1u, 2u, 3u}) {
    const Faults faults = kernel.threads(threads).maxFaults(2).run({100, 1, 1}, p, q, r);
    EXPECT_EQ(faults.total, 96u + 98 + 94);
    ASSERT_EQ(faults.shown.size(), 2u);
    EXPECT_EQ(faults.shown[0].program, 2u);
    EXPECT_EQ(faults.shown[0].count, 98u);
    EXPECT_EQ(faults.shown[1].program, 4u);
    EXPECT_THAT(faults.text(), HasSubstr("and 94 more; TESSERA_FAULTS sets how many are shown"));
  }
}

// One place of the kernel, one line
TEST(Checks, equalFaultsAreOneLine) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32> loc("p"("k.cpp":1:1)), %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %v = arith.constant 7 : i32
  scf.for %i = %zero to %n step %one : i64 {
    %q = tile.addptr %p, %n : !tile.ptr<i32>, i64
    tile.store %q, %v : !tile.ptr<i32> loc("k.cpp":5:3)
  }
  tile.return
})");
  Memory<std::int32_t> p(1);
  EXPECT_EQ(kernel.run1(p, std::int64_t(2)).text(),
            "k.cpp:5:3: store to element 2 of `p`, which has 1, in program (0, 0, 0), and 1 more time; every access "
            "must stay inside a live buffer; mask the lanes that leave it");
  const Faults faults = kernel.run1(p, std::int64_t(50));
  EXPECT_EQ(faults.total, 50u);
  EXPECT_THAT(faults.text(), HasSubstr("in program (0, 0, 0), and 49 more times; "));
}

TEST(Checks, canBeTurnedOff) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %x: i32) {
  %zero = arith.constant 0 : i32
  %q = tile.idiv %x, %zero : i32
  %no = arith.constant false
  tile.assume %no
  tile.store %p, %q : !tile.ptr<i32>
  tile.return
})");
  Memory<std::int32_t> p(1);
  EXPECT_EQ(kernel.run1(p, 1).total, 2u);
  EXPECT_TRUE(kernel.checks(false).run1(p, 1).none());
}

} // namespace
} // namespace tessera::ir::interp
