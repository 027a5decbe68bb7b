//===- MemoryTest.cpp - loads, stores and views -----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Copies `n` of four elements of type T through a masked load and a plain store.
template <class T> TestKernel maskedCopy(std::string_view other) {
  return TestKernel(substitute(R"(
tile.kernel @k(%in: !tile.ptr<$T>, %out: !tile.ptr<$T>, %n: i32, %fill: $T) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %ns = tile.splat %n : tensor<4xi32>
  %mask = arith.cmpi slt, %lane, %ns : tensor<4xi32>
  %is = tile.splat %in : tensor<4x!tile.ptr<$T>>
  %os = tile.splat %out : tensor<4x!tile.ptr<$T>>
  %ip = tile.addptr %is, %lane : tensor<4x!tile.ptr<$T>>, tensor<4xi32>
  %op = tile.addptr %os, %lane : tensor<4x!tile.ptr<$T>>, tensor<4xi32>
  %o = tile.splat %fill : tensor<4x$T>
  %v = tile.load %ip mask %mask $OTHER : tensor<4x!tile.ptr<$T>>
  tile.store %op, %v : tensor<4x!tile.ptr<$T>>
  tile.return
})",
                               {{"$OTHER", std::string(other)}, {"$T", std::string(irType<T>())}}));
}

template <class T> class Memories : public ::testing::Test {};
using Types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, F16, BF16, float, double, E4M3,
                               E5M2, E4M3Fnuz, E5M2Fnuz>;
TYPED_TEST_SUITE(Memories, Types);

// SEMANTICS M1: a masked lane reads nothing and yields 0, or `other`. Reported: masked load without and with other
TYPED_TEST(Memories, maskedLoad) {
  using T = TypeParam;
  const auto make = [](int v) {
    if constexpr (std::is_class_v<T>)
      return fromDouble<T>(v);
    else
      return static_cast<T>(v);
  };
  const auto value = [](T v) {
    if constexpr (std::is_class_v<T>)
      return toDouble(v);
    else
      return static_cast<double>(v);
  };
  Memory<T> in{make(1), make(2)}, out(4);
  TestKernel plain = maskedCopy<T>(""), filled = maskedCopy<T>("other %o");
  expectNoFaults(plain.run1(in, out, std::int32_t(2), make(7)));
  EXPECT_EQ(value(out[0]), 1);
  EXPECT_EQ(value(out[1]), 2);
  EXPECT_EQ(value(out[2]), 0);
  EXPECT_EQ(value(out[3]), 0);
  expectNoFaults(filled.run1(in, out, std::int32_t(1), make(7)));
  EXPECT_EQ(value(out[0]), 1);
  EXPECT_EQ(value(out[1]), 7);
  EXPECT_EQ(value(out[3]), 7);
}

// SEMANTICS M1: i1 in memory is one byte; any but zero reads as true; 0 or 1 is written
TEST(Memory, i1) {
  TestKernel kernel = maskedCopy<Bool>("");
  Memory<Bool> in{Bool{0}, Bool{1}, Bool{2}, Bool{0x80}}, out(4);
  expectNoFaults(kernel.run1(in, out, std::int32_t(4), Bool{0}));
  EXPECT_EQ(out[0].bits, 0);
  EXPECT_EQ(out[1].bits, 1);
  EXPECT_EQ(out[2].bits, 1);
  EXPECT_EQ(out[3].bits, 1);
}

// SEMANTICS M1: the address of a masked lane may be anything, null included
TEST(Memory, maskedLaneTouchesNothing) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %no = arith.constant false
  %one = arith.constant 1.0 : f32
  %v = tile.load %p mask %no other %one : !tile.ptr<f32>
  tile.store %p, %v mask %no : !tile.ptr<f32>
  tile.store %q, %v : !tile.ptr<f32>
  tile.return
})");
  Memory<float> out(1);
  for (std::uint64_t address : {std::uint64_t(0), std::uint64_t(3), ~std::uint64_t(0)}) {
    out[0] = 0;
    expectNoFaults(kernel.run1(Address{address}, out));
    EXPECT_EQ(out[0], 1);
  }
}

// SEMANTICS P1b: a table of addresses
TEST(Memory, pointersToPointers) {
  TestKernel kernel(R"(
tile.kernel @k(%table: !tile.ptr<!tile.ptr<f32>>, %out: !tile.ptr<f32>, %i: i64) {
  %e = tile.addptr %table, %i : !tile.ptr<!tile.ptr<f32>>, i64
  %p = tile.load %e : !tile.ptr<!tile.ptr<f32>>
  %one = arith.constant 1 : i64
  %q = tile.addptr %p, %one : !tile.ptr<f32>, i64
  %v = tile.load %q : !tile.ptr<f32>
  tile.store %out, %v : !tile.ptr<f32>
  tile.return
})");
  const float rows[] = {1, 2, 3, 4};
  TestKernel &k = kernel.checks(false); // the rows are no buffer of the launch
  Memory<std::uint64_t> table{reinterpret_cast<std::uint64_t>(rows), reinterpret_cast<std::uint64_t>(rows + 2)};
  Memory<float> out(1);
  k.run1(table, out, std::int64_t(0));
  EXPECT_EQ(out[0], 2);
  k.run1(table, out, std::int64_t(1));
  EXPECT_EQ(out[0], 4);
}

// SEMANTICS M3: of several lanes at one address one wins, and program order holds. Reported: store then load another
// lane's element
TEST(Memory, programOrderHolds) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>) {
  %lane = tile.arange 0 to 64 : tensor<64xi32>
  %s = tile.splat %p : tensor<64x!tile.ptr<i32>>
  %a = tile.addptr %s, %lane : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %a, %lane : tensor<64x!tile.ptr<i32>>
  %f = tile.flip %a axis 0 : tensor<64x!tile.ptr<i32>>
  %v = tile.load %f : tensor<64x!tile.ptr<i32>>
  %one = arith.constant dense<100> : tensor<64xi32>
  %w = arith.addi %v, %one : tensor<64xi32>
  tile.store %a, %w : tensor<64x!tile.ptr<i32>>
  tile.return
})");
  Memory<std::int32_t> p(64);
  expectNoFaults(kernel.run1(p));
  for (int i = 0; i != 64; ++i)
    EXPECT_EQ(p[i], 163 - i);
}

// SEMANTICS M3a: pointers are values; a selection between bases. Reported: per-row choice among base pointers
TEST(Memory, selectedPointers) {
  TestKernel kernel(R"(
tile.kernel @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %xs = tile.splat %x : tensor<4x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<4x!tile.ptr<f32>>
  %one = arith.constant dense<1> : tensor<4xi32>
  %zero = arith.constant dense<0> : tensor<4xi32>
  %bit = arith.andi %lane, %one : tensor<4xi32>
  %odd = arith.cmpi ne, %bit, %zero : tensor<4xi32>
  %base = arith.select %odd, %xs, %ys : tensor<4xi1>, tensor<4x!tile.ptr<f32>>
  %p = tile.addptr %base, %lane : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %v = tile.load %p : tensor<4x!tile.ptr<f32>>
  %os = tile.splat %out : tensor<4x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  tile.store %op, %v : tensor<4x!tile.ptr<f32>>
  tile.return
})");
  Memory<float> x{0, 1, 2, 3}, y{10, 11, 12, 13}, out(4);
  expectNoFaults(kernel.run1(x, y, out));
  EXPECT_THAT(out.values, ElementsAre(10, 1, 12, 3));
}

constexpr std::string_view kViewCopy = R"(
tile.kernel @k(%p: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i64, %n: i64, %sm: i64, %sn: i64, %i: i64, %j: i64) {
  %v = tile.make_view %p, [%m, %n], [%sm, %sn] : !tile.view<f32, 2>
  %t = tile.view_load %v[%i, %j] $PAD : !tile.view<f32, 2> -> tensor<2x4xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %w = tile.make_view %out, [%two, %four], [%four, %one] : !tile.view<f32, 2>
  tile.view_store %w[%zero, %zero], %t : !tile.view<f32, 2>, tensor<2x4xf32>
  tile.return
})";

// SEMANTICS M6: outside the extents reads give the pad (0 by default); coordinates may be negative
TEST(View, load) {
  TestKernel kernel(substitute(kViewCopy, {{"$PAD", ""}}));
  Memory<float> p(15), out(8);
  std::iota(p.values.begin(), p.values.end(), 1.0f); // 3 x 5
  const auto at = [&](std::int64_t i, std::int64_t j) {
    expectNoFaults(kernel.run1(p, out, std::int64_t(3), std::int64_t(5), std::int64_t(5), std::int64_t(1), i, j));
    return out.values;
  };
  EXPECT_THAT(at(0, 0), ElementsAre(1, 2, 3, 4, 6, 7, 8, 9));
  EXPECT_THAT(at(2, 3), ElementsAre(14, 15, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(at(-1, -2), ElementsAre(0, 0, 0, 0, 0, 0, 1, 2));
  EXPECT_THAT(at(3, 0), Each(0));
  EXPECT_THAT(at(0, 5), Each(0));
  EXPECT_THAT(at(std::int64_t(1) << 62, 0), Each(0));
  EXPECT_THAT(at(0, std::numeric_limits<std::int64_t>::min()), Each(0));
  EXPECT_THAT(at(0, std::numeric_limits<std::int64_t>::max()), Each(0));
}

// SEMANTICS M6, P1b: any pad; strides of 0, transposed and negative
TEST(View, padAndStrides) {
  TestKernel kernel(substitute("tile.kernel" + std::string(kViewCopy).substr(std::string("\ntile.kernel").size()),
                               {{"$PAD", "pad %pad"}, {"%j: i64)", "%j: i64, %pad: f32)"}}));
  Memory<float> p(15), out(8);
  std::iota(p.values.begin(), p.values.end(), 1.0f);
  expectNoFaults(kernel.run1(p, out, std::int64_t(5), std::int64_t(3), std::int64_t(1), std::int64_t(5),
                             std::int64_t(1), std::int64_t(1), -1.0f));
  EXPECT_THAT(out.values, ElementsAre(7, 12, -1, -1, 8, 13, -1, -1));
  expectNoFaults(kernel.run1(p, out, std::int64_t(2), std::int64_t(4), std::int64_t(0), std::int64_t(1),
                             std::int64_t(0), std::int64_t(0), -1.0f));
  EXPECT_THAT(out.values, ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
}

// SEMANTICS M6: writes outside are dropped. Reported: a descriptor store with an inner extent of 466 bytes
TEST(View, storeDropsWhatIsOutside) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i8>, %n: i64, %i: i64) {
  %one = arith.constant 1 : i64
  %v = tile.make_view %p, [%n], [%one] : !tile.view<i8, 1>
  %t = arith.constant dense<5> : tensor<512xi8>
  tile.view_store %v[%i], %t : !tile.view<i8, 1>, tensor<512xi8>
  tile.return
})");
  Memory<std::int8_t> p(1024);
  expectNoFaults(kernel.run1(p, std::int64_t(466), std::int64_t(0)));
  for (int i = 0; i != 1024; ++i)
    ASSERT_EQ(p[i], i < 466 ? 5 : 0) << i;
}

// SEMANTICS M6: a view that promises more than its memory holds
TEST(View, extentsBeyondTheBufferAreReported) {
  TestKernel kernel(substitute(kViewCopy, {{"$PAD", ""}}));
  Memory<float> p(14), out(8);
  const Faults faults = kernel.run1(p, out, std::int64_t(3), std::int64_t(5), std::int64_t(5), std::int64_t(1),
                                    std::int64_t(2), std::int64_t(3));
  EXPECT_THAT(faults.text(), HasSubstr("load of element 14 of `argument 0`, which has 14, "));
  EXPECT_THAT(faults.text(), HasSubstr("at [0, 1]"));
}

/// A view of `extent` elements at a distance of `stride`, of which four are read from `at` on.
constexpr std::string_view kFarView = R"(
tile.kernel @k(%p: !tile.ptr<f32>, %extent: i64, %stride: i64, %at: i64) {
  %v = tile.make_view %p, [%extent], [%stride] : !tile.view<f32, 1> loc("k.cpp":3:3)
  %t = tile.view_load %v[%at] : !tile.view<f32, 1> -> tensor<4xf32> loc("k.cpp":4:3)
  tile.return
})";

// SEMANTICS T5: the address arithmetic of a view is index arithmetic
TEST(View, addressesThatOverflowAreReported) {
  TestKernel kernel(kFarView);
  Memory<float> p(4);
  constexpr std::int64_t far = std::int64_t(1) << 60, most = std::numeric_limits<std::int64_t>::max();
  // 4 * 2^60 elements of 4 bytes are 2^64 bytes: where the view began
  EXPECT_THAT(kernel.run1(p, most, far, std::int64_t(4)).text(),
              HasSubstr("k.cpp:4:3: place [4] of a view with strides [1152921504606846976] in elements of 4 bytes "
                        "overflows the address, in program (0, 0, 0) at [0] and 3 more lanes; index arithmetic must "
                        "not overflow"));
  expectNoFaults(kernel.run1(p, std::int64_t(4), far, std::int64_t(4))); // outside the extents
  expectNoFaults(kernel.run1(p, most, std::int64_t(0), std::int64_t(4)));
  expectNoFaults(kernel.run1(p, std::int64_t(4), std::int64_t(1), most)); // as is where no coordinate fits
}

// A view made in a kernel is held to what the launch asks of one
TEST(View, negativeExtentIsReported) {
  TestKernel kernel(kFarView);
  Memory<float> p(4);
  EXPECT_THAT(kernel.run1(p, std::int64_t(-5), std::int64_t(1), std::int64_t(0)).text(),
              HasSubstr("k.cpp:3:3: a view with extent -5 on axis 0, in program (0, 0, 0); extents are at least 0"));
  expectNoFaults(kernel.run1(p, std::int64_t(0), std::int64_t(1), std::int64_t(0)));
}

// SEMANTICS M6a
TEST(View, rows) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<f32>, %idx: !tile.ptr<i32>, %out: !tile.ptr<f32>, %col: i64) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %is = tile.splat %idx : tensor<4x!tile.ptr<i32>>
  %ip = tile.addptr %is, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %rows = tile.load %ip : tensor<4x!tile.ptr<i32>>
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %v = tile.make_view %p, [%four, %three], [%three, %one] : !tile.view<f32, 2>
  %t = tile.view_load_rows %v[%rows, %col] : !tile.view<f32, 2>, tensor<4xi32> -> tensor<4x2xf32>
  %w = tile.make_view %out, [%four, %three], [%three, %one] : !tile.view<f32, 2>
  tile.view_store_rows %w[%rows, %col], %t : !tile.view<f32, 2>, tensor<4xi32>, tensor<4x2xf32>
  tile.return
})");
  Memory<float> p(12), out(12, -1.0f);
  std::iota(p.values.begin(), p.values.end(), 0.0f);
  Memory<std::int32_t> rows{3, -1, 0, 7};
  expectNoFaults(kernel.run1(p, rows, out, std::int64_t(2)));
  EXPECT_THAT(out.values, ElementsAre(-1, -1, 2, -1, -1, -1, -1, -1, -1, -1, -1, 11));
}

} // namespace
} // namespace tessera::ir::interp
