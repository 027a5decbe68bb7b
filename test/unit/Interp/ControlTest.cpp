//===- ControlTest.cpp - loops, branches, program ids, random numbers -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::ir::interp {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// SEMANTICS L1: carried values; zero trips leave them unchanged
TEST(Control, forCarriesValues) {
  TestKernel kernel(R"(
tile.kernel @fibonacci(%out: !tile.ptr<i64>, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %b = scf.for %i = %zero to %n step %one iter_args(%x = %zero, %y = %one) -> (i64, i64) : i64 {
    %s = arith.addi %x, %y : i64
    scf.yield %y, %s : i64, i64
  }
  tile.store %out, %a : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int64_t> out(1);
  for (auto [n, want] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {1, 1}, {2, 1}, {10, 55}, {-5, 0}}) {
    expectNoFaults(kernel.run1(out, n));
    EXPECT_EQ(out[0], want) << n;
  }
}

// A parallel assignment: all yielded values are read before any is written
TEST(Control, forSwapsTiles) {
  TestKernel kernel(R"(
tile.kernel @swap(%out: !tile.ptr<i32>, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %p = arith.constant dense<1> : tensor<4xi32>
  %q = arith.constant dense<2> : tensor<4xi32>
  %a, %b, %c = scf.for %i = %zero to %n step %one iter_args(%x = %p, %y = %q, %z = %q) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) : i64 {
    scf.yield %y, %x, %x : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %s = tile.splat %out : tensor<4x!tile.ptr<i32>>
  %o = tile.addptr %s, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %ten = arith.constant dense<10> : tensor<4xi32>
  %t = arith.muli %a, %ten : tensor<4xi32>
  %u = arith.addi %t, %b : tensor<4xi32>
  %v = arith.muli %u, %ten : tensor<4xi32>
  %w = arith.addi %v, %c : tensor<4xi32>
  tile.store %o, %w : tensor<4x!tile.ptr<i32>>
  tile.return
})");
  Memory<std::int32_t> out(4);
  expectNoFaults(kernel.run1(out, std::int64_t(3)));
  EXPECT_THAT(out.values, Each(211));
  expectNoFaults(kernel.run1(out, std::int64_t(4)));
  EXPECT_THAT(out.values, Each(122));
}

// Reported: a loop of 1, 2, 3 trips carrying (n, d, _) to (n, d, n/d), d = 12
TEST(Control, carriedQuotient) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<f32>, %trips: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %f1 = arith.constant 1.0 : f32
  %f12 = arith.constant 12.0 : f32
  %f0 = arith.constant 0.0 : f32
  %n, %d, %q = scf.for %i = %zero to %trips step %one iter_args(%a = %f1, %b = %f12, %c = %f0) -> (f32, f32, f32) : i64 {
    %r = arith.divf %a, %b : f32
    scf.yield %a, %b, %r : f32, f32, f32
  }
  tile.store %out, %q : !tile.ptr<f32>
  tile.return
})");
  Memory<float> out(1);
  for (std::int64_t trips : {1, 2, 3}) {
    expectNoFaults(kernel.run1(out, trips));
    EXPECT_EQ(out[0], 1.0f / 12.0f);
  }
}

// SEMANTICS L1
TEST(Control, whileAndIf) {
  TestKernel kernel(R"(
tile.kernel @collatz(%out: !tile.ptr<i64>, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %end, %steps = scf.while (%x = %n, %k = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %one : i64
    scf.condition(%more) %x, %k : i64, i64
  } do {
  ^bb0(%x: i64, %k: i64):
    %bit = arith.andi %x, %one : i64
    %odd = arith.cmpi eq, %bit, %one : i64
    %next = scf.if %odd -> (i64) {
      %t = arith.muli %x, %three : i64
      %u = arith.addi %t, %one : i64
      scf.yield %u : i64
    } else {
      %h = tile.idiv %x, %two : i64
      scf.yield %h : i64
    }
    %j = arith.addi %k, %one : i64
    scf.yield %next, %j : i64, i64
  }
  tile.store %out, %steps : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int64_t> out(1);
  for (auto [n, want] : {std::pair<std::int64_t, std::int64_t>{1, 0}, {6, 8}, {27, 111}}) {
    expectNoFaults(kernel.run1(out, n));
    EXPECT_EQ(out[0], want) << n;
  }
}

// Values of an outer list stay alive through nested ones, while registers inside are used again and again
TEST(Control, nestedLoopsReuseRegisters) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %outer = arith.addi %four, %four : i64
  %sum = scf.for %i = %zero to %four step %one iter_args(%s = %zero) -> (i64) : i64 {
    %a = arith.muli %i, %outer : i64
    %t = scf.for %j = %zero to %four step %one iter_args(%u = %s) -> (i64) : i64 {
      %b = arith.addi %a, %j : i64
      %c = arith.muli %b, %one : i64
      %d = arith.addi %u, %c : i64
      scf.yield %d : i64
    }
    %e = arith.subi %t, %i : i64
    scf.yield %e : i64
  }
  %r = arith.addi %sum, %outer : i64
  tile.store %out, %r : !tile.ptr<i64>
  tile.return
})");
  std::int64_t want = 8;
  for (int i = 0; i != 4; ++i) {
    for (int j = 0; j != 4; ++j)
      want += i * 8 + j;
    want -= i;
  }
  Memory<std::int64_t> out(1);
  expectNoFaults(kernel.run1(out));
  EXPECT_EQ(out[0], want);
}

// SEMANTICS L1: a step that turns out to be zero
TEST(Control, zeroStepIsReported) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i64>, %step: i64) {
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %a = scf.for %i = %zero to %ten step %step iter_args(%x = %zero) -> (i64) : i64 {
    %s = arith.addi %x, %i : i64
    scf.yield %s : i64
  }
  tile.store %out, %a : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int64_t> out(1);
  expectNoFaults(kernel.run1(out, std::int64_t(3)));
  EXPECT_EQ(out[0], 0 + 3 + 6 + 9);
  EXPECT_THAT(kernel.run1(out, std::int64_t(0)).text(), HasSubstr("a loop from 0 to 10 has step 0"));
}

// The last step of a loop to the end of i64 does not wrap
TEST(Control, loopEndsAtTheLargestInteger) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i64>) {
  %low = arith.constant 9223372036854775800 : i64
  %high = arith.constant 9223372036854775807 : i64
  %five = arith.constant 5 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %a = scf.for %i = %low to %high step %five iter_args(%x = %zero) -> (i64) : i64 {
    %s = arith.addi %x, %one : i64
    scf.yield %s : i64
  }
  tile.store %out, %a : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int64_t> out(1);
  expectNoFaults(kernel.run1(out));
  EXPECT_EQ(out[0], 2);
}

// SEMANTICS P1: ids and extents on three axes
TEST(Control, programIds) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i64>) {
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %nz = tile.num_programs z
  %a = arith.muli %z, %ny : i64
  %b = arith.addi %a, %y : i64
  %c = arith.muli %b, %nx : i64
  %d = arith.addi %c, %x : i64
  %o = tile.addptr %out, %d : !tile.ptr<i64>, i64
  %hundred = arith.constant 100 : i64
  %e = arith.muli %z, %hundred : i64
  %f = arith.addi %e, %y : i64
  %g = arith.muli %f, %hundred : i64
  %h = arith.addi %g, %x : i64
  tile.store %o, %h : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int64_t> out(2 * 3 * 5);
  expectNoFaults(kernel.threads(2).run({5, 3, 2}, out));
  for (int z = 0; z != 2; ++z)
    for (int y = 0; y != 3; ++y)
      for (int x = 0; x != 5; ++x)
        EXPECT_EQ(out[(z * 3 + y) * 5 + x], (z * 100 + y) * 100 + x);
}

// SEMANTICS P1b: workspaces are one more parameter, shared by the programs
TEST(Control, workspace) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i32>) {
  %n = arith.constant 4 : i64
  %w = tile.workspace %n : !tile.ptr<i32>
  %x = tile.program_id x
  %v = arith.trunci %x : i64 to i32
  %q = tile.addptr %w, %x : !tile.ptr<i32>, i64
  tile.store %q, %v : !tile.ptr<i32>
  %r = tile.load %q : !tile.ptr<i32>
  %o = tile.addptr %out, %x : !tile.ptr<i32>, i64
  tile.store %o, %r : !tile.ptr<i32>
  tile.return
})");
  ASSERT_EQ(kernel->parameters().size(), 2u);
  EXPECT_TRUE(kernel->parameters()[1].workspace);
  Memory<std::int32_t> out(4), work(4);
  expectNoFaults(kernel.run({4, 1, 1}, out, work));
  EXPECT_THAT(out.values, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kernel.run({5, 1, 1}, out, work).text(), HasSubstr(" of `workspace`, which has "));
}

// SEMANTICS N1: the published test vectors of Philox-4x32-10
TEST(Control, philox) {
  const auto words = [](std::uint32_t key, std::uint32_t counter, std::string_view which) {
    const auto v = std::vector<std::int32_t>{static_cast<std::int32_t>(key)};
    const auto c = std::vector<std::int32_t>{static_cast<std::int32_t>(counter)};
    return static_cast<std::uint32_t>(elementwise<std::int32_t>(
        "%w:4 = tile.philox %a, %a, %b, %b, %b, %b : $A\n%z = arith.constant dense<0> : $A\n%r = arith.addi " +
            std::string(which) + ", %z : $A",
        v, c)[0]);
  };
  EXPECT_EQ(words(0, 0, "%w#0"), 0x6627e8d5u);
  EXPECT_EQ(words(0, 0, "%w#1"), 0xe169c58du);
  EXPECT_EQ(words(0, 0, "%w#2"), 0xbc57ac4cu);
  EXPECT_EQ(words(0, 0, "%w#3"), 0x9b00dbd8u);
  EXPECT_EQ(words(0xffffffff, 0xffffffff, "%w#0"), 0x408f276du);
  EXPECT_EQ(words(0xffffffff, 0xffffffff, "%w#1"), 0x41c83b0eu);
  EXPECT_EQ(words(0xffffffff, 0xffffffff, "%w#3"), 0x6d5451fdu);
}

TEST(Control, unknownOperationIsRefused) {
  EXPECT_THAT(whyNotBuilt("tile.kernel @k(%x: f32) {\n%y = math.sinh %x : f32\ntile.return\n}"),
              HasSubstr("`math.sinh` is not an operation of this target"));
}

} // namespace
} // namespace tessera::ir::interp
