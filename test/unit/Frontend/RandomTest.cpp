//===- RandomTest.cpp - random numbers from a counter --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Random.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS N1
TEST(Random, philoxTakesA64BitKey) {
  expectIR(
      [](U64 key) {
        auto [a, b, c, d] = philox(key, arange(0, 64), 1, 2, 3, {.rounds = 7});
        EXPECT_EQ(d.dtype(), u32);
        EXPECT_EQ(d.shape(), Shape({64}));
      },
      {"arith.trunci", "tile.shr %", "unsigned : i64", "arith.trunci", "tile.philox %", "rounds 7"});
  expectIR([] { philox(7, 0, 0, 0, 0); }, {"tile.philox %", "not rounds"});
}

// SEMANTICS N1
TEST(Random, offsetsAre64Bit) {
  expectIR([] { EXPECT_EQ(randint(7, arange(0, 64)).dtype(), u32); },
           {"arith.extsi %", "tensor<64xi64>", "arith.trunci", "tile.shr %", "arith.trunci", "tile.philox %"});
  expectIR([](Int n) { U32 word = randint(7, n); }, {"tile.philox %", ": i32"});
}

// SEMANTICS N1
TEST(Random, randIsAMultipleOfTwoToMinus24) {
  expectIR([] { EXPECT_EQ(rand(7, arange(0, 64)).dtype(), f32); },
           {"tile.philox %", "arith.constant dense<8> : tensor<64xi32>", "tile.shr %", "unsigned", "arith.uitofp",
            "arith.constant dense<5.96046448E-8> : tensor<64xf32>", "arith.mulf"});
}

// SEMANTICS N1
TEST(Random, randnByBoxAndMuller) {
  expectIR([] { EXPECT_EQ(randn(7, arange(0, 64)).dtype(), f32); },
           {"tile.philox %", "arith.addi", "math.log", "dense<-2.000000e+00>", "math.sqrt", "dense<6.28318548>",
            "math.cos", "arith.mulf"});
}
