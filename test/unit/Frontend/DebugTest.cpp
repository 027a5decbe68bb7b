//===- DebugTest.cpp - printing, asserting, assembly and hints -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Debug.h"
#include "tessera/lang/Hints.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;
using test::trace;

// SEMANTICS L3
TEST(Debug, prints) {
  expectIR([] { device_print("here"); }, {"tile.print \"here\""});
  expectIR([](Int n) { device_print("n", n); }, {"tile.print \"n\" %", ": i64"});
  expectIR([](Int n) { device_print("values", {n, arange(0, 8), 3}); },
           {"tile.print \"values\" %", ": i64, tensor<8xi32>, i32"});
  expectIR([](U32 n) { device_print("n", n); }, {"unsigned"});
}

// SEMANTICS L3
TEST(Debug, printsNames) {
  const std::string ir = trace(
      [](Int n, Int m) {
        Tile row = arange(0, 8).named("row");
        device_print("values", {row, n, m + 1});
      },
      {"n", "m"});
  test::expectInOrder(ir, {"tile.print \"values\" %row", "names [\"row\", \"n\", \"\"]"},
                      std::source_location::current());
}

// SEMANTICS L3
TEST(Debug, printsWhere) {
  expectIR([](Int n) { device_print("n", n, {.when = n < 3}); }, {"tile.print \"n\" %", "pred %", "is i1"});
  expectIR([](Int n) { device_print("n", {n, arange(0, 8).col(), arange(0, 4)}); },
           {"tile.print \"n\" %", ": i64, tensor<8x4xi32>, tensor<8x4xi32>"});
  expectIR([](Int n) { device_print("n", {n, arange(0, 8).col()}, {.when = arange(0, 4).row() < n}); },
           {"tile.broadcast", "tile.print \"n\" %", "pred %", "is tensor<8x4xi1>", ": i64, tensor<8x4xi32>"});
}

// SEMANTICS L3
TEST(Debug, asserts) {
  expectIR([](Int n) { device_assert(arange(0, 8) < n, "in range"); },
           {"tile.assert %", "\"in range\" : tensor<8xi1>"});
}

// SEMANTICS P2
TEST(Debug, inlineAsm) {
  expectIR(
      [](F32 s) {
        Tile r = inline_asm({{"cuda", "lg2.approx.f32 $0, $1;", "=f,f"}}, f32, {arange(0, 8).to(f32) * s});
        EXPECT_EQ(r.shape(), Shape({8}));
      },
      {"tile.inline_asm", "cuda = {asm = \"lg2.approx.f32 $0, $1;\", constraints = \"=f,f\"}", "pure",
       "(tensor<8xf32>) -> tensor<8xf32>"});
  expectIR(
      [](I32 n) {
        auto [a, b] = inline_asm({{"cuda", "", "=r,=r,r,r"}, {"hip:gfx9", "", "=v,=v,v,v"}}, {u32, i32},
                                 {arange(0, 8), n}, {.pure = false, .pack = 2});
        EXPECT_EQ(a.dtype(), u32);
      },
      {"tile.splat", "tile.inline_asm", "not pure", "pack 2", "-> (tensor<8xi32>, tensor<8xi32>)"});
  expectIR([](I32 n) { inline_asm({{"cuda", "", "r"}}, {n}); }, {"tile.inline_asm", "not pure", "(i32) -> ()"});
}

// SEMANTICS P2
TEST(Debug, hints) {
  expectIR([](Int n) { Int same = multiple_of(n, 16); }, {"tile.hint %", "multiple_of [16] : i64"});
  expectIR([] { multiple_of(arange(0, 64).row(), {1, 16}); },
           {"tile.hint %", "multiple_of [1, 16] : tensor<1x64xi32>"});
  expectIR([](Ptr<f32> p) { Ptr<f32> same = multiple_of(p, 4); }, {"tile.hint %", "multiple_of [4] : !tile.ptr<f32>"});
  expectIR([] { max_contiguous(arange(0, 64), 64); }, {"tile.hint %", "max_contiguous [64] : tensor<64xi32>"});
  expectIR([](Int n) { assume(n > 0); }, {"arith.cmpi sgt", "tile.assume %"});
}
