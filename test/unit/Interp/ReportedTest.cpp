//===- ReportedTest.cpp - kinds of mistakes other compilers were reported to make ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Small kernels whose right values are known. Those about one operation stand with that operation's tests.
//
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using I32 = std::vector<std::int32_t>;

I32 range(std::int32_t begin, std::int32_t end) {
  I32 v(static_cast<std::size_t>(end - begin));
  std::iota(v.begin(), v.end(), begin);
  return v;
}

// SEMANTICS A1: division truncates
TEST(Reported, divisionByMinusTwo) {
  EXPECT_THAT(elementwise<std::int32_t>("%d = arith.constant dense<-2> : $A\n%r = tile.idiv %a, %d : $A", range(0, 16)),
              ElementsAre(0, 0, -1, -1, -2, -2, -3, -3, -4, -4, -5, -5, -6, -6, -7, -7));
  EXPECT_THAT(elementwise<std::int32_t>("%d = arith.constant dense<2> : $A\n%r = tile.idiv %a, %d : $A", I32{-1}),
              ElementsAre(0));
}

// SEMANTICS A1: a quotient of negative numbers as an offset is not constant
TEST(Reported, negativeQuotientAsOffset) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
  %lane = tile.arange 0 to 8 : tensor<8xi32>
  %start = arith.constant dense<-64> : tensor<8xi32>
  %x = arith.addi %lane, %start : tensor<8xi32>
  %d = arith.constant dense<32> : tensor<8xi32>
  %q = tile.idiv %x, %d : tensor<8xi32>
  %s = tile.splat %p : tensor<8x!tile.ptr<i32>>
  %two = arith.constant dense<2> : tensor<8xi32>
  %i = arith.addi %q, %two : tensor<8xi32>
  %a = tile.addptr %s, %i : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  %v = tile.load %a : tensor<8x!tile.ptr<i32>>
  %os = tile.splat %out : tensor<8x!tile.ptr<i32>>
  %o = tile.addptr %os, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %o, %v : tensor<8x!tile.ptr<i32>>
  tile.return
})");
  Memory<std::int32_t> p{-2, -1}, out(8);
  expectNoFaults(kernel.run1(p, out));
  EXPECT_THAT(out.values, ElementsAre(-2, -1, -1, -1, -1, -1, -1, -1));
}

// A store of (i * 9 + 1) % 1000 into the even elements only
TEST(Reported, remainderStoredUnderAMask) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i32>) {
  %r = tile.arange 0 to 32 : tensor<32xi32>
  %c = tile.arange 0 to 8 : tensor<8xi32>
  %rc = tile.expand_dims %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cr = tile.expand_dims %c axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %row = tile.broadcast %rc : tensor<32x1xi32> -> tensor<32x8xi32>
  %col = tile.broadcast %cr : tensor<1x8xi32> -> tensor<32x8xi32>
  %eight = arith.constant dense<8> : tensor<32x8xi32>
  %nine = arith.constant dense<9> : tensor<32x8xi32>
  %one = arith.constant dense<1> : tensor<32x8xi32>
  %zero = arith.constant dense<0> : tensor<32x8xi32>
  %thousand = arith.constant dense<1000> : tensor<32x8xi32>
  %a = arith.muli %row, %eight : tensor<32x8xi32>
  %i = arith.addi %a, %col : tensor<32x8xi32>
  %m = arith.muli %i, %nine : tensor<32x8xi32>
  %n = arith.addi %m, %one : tensor<32x8xi32>
  %v = tile.irem %n, %thousand : tensor<32x8xi32>
  %bit = arith.andi %i, %one : tensor<32x8xi32>
  %even = arith.cmpi eq, %bit, %zero : tensor<32x8xi32>
  %s = tile.splat %out : tensor<32x8x!tile.ptr<i32>>
  %p = tile.addptr %s, %i : tensor<32x8x!tile.ptr<i32>>, tensor<32x8xi32>
  tile.store %p, %v mask %even : tensor<32x8x!tile.ptr<i32>>
  tile.return
})");
  Memory<std::int32_t> out(256, -1);
  expectNoFaults(kernel.run1(out));
  EXPECT_EQ(out[136], 225);
  for (int i = 0; i != 256; ++i)
    EXPECT_EQ(out[i], i % 2 ? -1 : (i * 9 + 1) % 1000) << i;
}

// SEMANTICS M2: a 2-D value through 3-D pointers
TEST(Reported, storeBroadcastsTheValue) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i32>) {
  %x = tile.arange 0 to 4 : tensor<4xi32>
  %v2 = tile.reshape %x : tensor<4xi32> -> tensor<2x2xi32>
  %v3 = tile.expand_dims %v2 axis 0 : tensor<2x2xi32> -> tensor<1x2x2xi32>
  %v = tile.broadcast %v3 : tensor<1x2x2xi32> -> tensor<2x2x2xi32>
  %l = tile.arange 0 to 8 : tensor<8xi32>
  %i = tile.reshape %l : tensor<8xi32> -> tensor<2x2x2xi32>
  %s = tile.splat %out : tensor<2x2x2x!tile.ptr<i32>>
  %p = tile.addptr %s, %i : tensor<2x2x2x!tile.ptr<i32>>, tensor<2x2x2xi32>
  tile.store %p, %v : tensor<2x2x2x!tile.ptr<i32>>
  tile.return
})");
  Memory<std::int32_t> out(8);
  expectNoFaults(kernel.run1(out));
  EXPECT_THAT(out.values, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

// Offsets that are no multiple of a vector: a selection of two, rows of 1185, x + 1000 i
TEST(Reported, oddStridesAreNotMisaligned) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<f32>, %out: !tile.ptr<f32>, %stride: i64, %first: i1) {
  %x = tile.program_id x
  %row = arith.muli %x, %stride : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %shift = arith.select %first, %one, %two : i64
  %start = arith.addi %row, %shift : i64
  %b = tile.addptr %p, %start : !tile.ptr<f32>, i64
  %lane = tile.arange 0 to 16 : tensor<16xi32>
  %s = tile.splat %b : tensor<16x!tile.ptr<f32>>
  %q = tile.addptr %s, %lane : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %v = tile.load %q : tensor<16x!tile.ptr<f32>>
  %sixteen = arith.constant 16 : i64
  %o = arith.muli %x, %sixteen : i64
  %ob = tile.addptr %out, %o : !tile.ptr<f32>, i64
  %os = tile.splat %ob : tensor<16x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  tile.store %op, %v : tensor<16x!tile.ptr<f32>>
  tile.return
})");
  for (std::int64_t stride : {1185, 1000})
    for (std::uint8_t first : {0, 1}) {
      Memory<float> p(static_cast<std::size_t>(stride * 3 + 32)), out(48);
      std::iota(p.values.begin(), p.values.end(), 0.0f);
      expectNoFaults(kernel.run({3, 1, 1}, p, out, stride, Bool{first}));
      for (int r = 0; r != 3; ++r)
        for (int i = 0; i != 16; ++i)
          ASSERT_EQ(out[r * 16 + i], static_cast<float>(r * stride + (first ? 1 : 2) + i));
    }
}

// A loop that loads an index and stores there under a condition that is always true at run time
TEST(Reported, storeAtALoadedIndexInALoop) {
  TestKernel kernel(R"(
tile.kernel @k(%index: !tile.ptr<i32>, %out: !tile.ptr<i32>, %n: i64, %yes: i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %one32 = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i64 {
    %p = tile.addptr %index, %i : !tile.ptr<i32>, i64
    %x = tile.load %p : !tile.ptr<i32>
    scf.if %yes {
      %q = tile.addptr %out, %x : !tile.ptr<i32>, i32
      %v = arith.addi %x, %one32 : i32
      tile.store %q, %v : !tile.ptr<i32>
    }
  } {tile.num_stages = 2 : i64}
  tile.return
})");
  Memory<std::int32_t> index(range(0, 17)), out(17);
  expectNoFaults(kernel.run1(index, out, std::int64_t(17), Bool{1}));
  EXPECT_EQ(out.values, range(1, 18));
}

// A nest whose outer loop has no trips touches nothing, whatever its inner bound points to
TEST(Reported, emptyOuterLoopLoadsNoBound) {
  TestKernel kernel(R"(
tile.kernel @k(%bounds: !tile.ptr<i64>, %out: !tile.ptr<i64>, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (i64) : i64 {
    %b = tile.load %bounds : !tile.ptr<i64>
    %t = scf.for %j = %zero to %b step %one iter_args(%u = %s) -> (i64) : i64 {
      %v = arith.addi %u, %one : i64
      scf.yield %v : i64
    }
    scf.yield %t : i64
  }
  tile.store %out, %sum : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int64_t> out(1, 5);
  expectNoFaults(kernel.run1(Address{16}, out, std::int64_t(0)));
  EXPECT_EQ(out[0], 0);
  Memory<std::int64_t> bound{3};
  expectNoFaults(kernel.run1(bound, out, std::int64_t(2)));
  EXPECT_EQ(out[0], 6);
}

// y = A x with ones, between stores that a false guard keeps from happening
TEST(Reported, deadGuardedStores) {
  TestKernel kernel(R"(
tile.kernel @k(%a: !tile.ptr<f32>, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %no: i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %f0 = arith.constant 0.0 : f32
  %f7 = arith.constant 7.0 : f32
  scf.for %i = %zero to %four step %one : i64 {
    %o = tile.addptr %y, %i : !tile.ptr<f32>, i64
    %sum = scf.for %j = %zero to %four step %one iter_args(%s = %f0) -> (f32) : i64 {
      %r = arith.muli %i, %four : i64
      %e = arith.addi %r, %j : i64
      %ap = tile.addptr %a, %e : !tile.ptr<f32>, i64
      %xp = tile.addptr %x, %j : !tile.ptr<f32>, i64
      %av = tile.load %ap : !tile.ptr<f32>
      %xv = tile.load %xp : !tile.ptr<f32>
      %p = arith.mulf %av, %xv : f32
      %t = arith.addf %s, %p : f32
      tile.store %o, %f7 mask %no : !tile.ptr<f32>
      scf.yield %t : f32
    }
    tile.store %o, %sum : !tile.ptr<f32>
    scf.if %no {
      tile.store %o, %f7 : !tile.ptr<f32>
    }
  }
  tile.return
})");
  Memory<float> a(16, 1.0f), x(4, 1.0f), y(4);
  expectNoFaults(kernel.run1(a, x, y, Bool{0}));
  EXPECT_THAT(y.values, Each(4.0f));
}

// SEMANTICS P1: offsets beyond 32 bits, on memory of which only the touched pages exist
TEST(Reported, offsetsBeyondFourGigabytes) {
  constexpr std::size_t bytes = (std::size_t(67108864) * 63 + 64) * 2;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    GTEST_SKIP() << "no address space for " << bytes << " bytes";
  constexpr std::string_view text = R"(
tile.kernel @k(%p: !tile.ptr<bf16>, %value: bf16) {
  %x = tile.program_id x
  $OFFSET
  %q = tile.addptr %p, %start : !tile.ptr<bf16>, $T
  %lane = tile.arange 0 to 64 : tensor<64xi32>
  %s = tile.splat %q : tensor<64x!tile.ptr<bf16>>
  %a = tile.addptr %s, %lane : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  %v = tile.splat %value : tensor<64xbf16>
  tile.store %a, %v : tensor<64x!tile.ptr<bf16>>
  tile.return
})";
  TestKernel wide(substitute(
      text, {{"$OFFSET", "%c = arith.constant 67108864 : i64\n%start = arith.muli %x, %c : i64"}, {"$T", "i64"}}));
  expectNoFaults(wide.run({64, 1, 1}, Region{memory, bytes}, BF16{0x3f80}));
  for (std::size_t x = 0; x != 64; ++x)
    for (std::size_t i = 0; i != 64; ++i)
      ASSERT_EQ(static_cast<std::uint16_t *>(memory)[x * 67108864 + i], 0x3f80);
  // The same product in 32 bits is a finding, at its own operation.
  TestKernel narrow(substitute(text, {{"$OFFSET", "%n = arith.trunci %x : i64 to i32\n%c = arith.constant 67108864 : "
                                                  "i32\n%start = arith.muli %n, %c : i32 loc(\"k.cpp\":5:5)"},
                                      {"$T", "i32"}}));
  EXPECT_THAT(narrow.run({64, 1, 1}, Region{memory, bytes}, BF16{0}).text(),
              HasSubstr("k.cpp:5:5: 32 * 67108864 overflows i32 and wraps to -2147483648, in program (32, 0, 0)"));
  munmap(memory, bytes);
}

} // namespace
} // namespace tessera::ir::interp
