//===- RandomTest.cpp - the counter-based generator ---------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/TileCase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::ir::interp {
namespace {

using Words = std::vector<std::uint32_t>;

/// Philox over lanes: element i of each operand belongs to lane i; result is word after word.
std::array<Words, 4> philox(const std::array<Words, 6> &operands, const std::string &options = "") {
  const auto n = static_cast<std::int64_t>(operands[0].size());
  TileCase text;
  const char *names[] = {"k0", "k1", "c0", "c1", "c2", "c3"};
  for (const char *name : names)
    text.in(name, "i32", {n});
  for (int w = 0; w != 4; ++w)
    text.out("r" + std::to_string(w), "i32", {n});
  TestKernel kernel(text.text("%r0, %r1, %r2, %r3 = tile.philox %k0, %k1, %c0, %c1, %c2, %c3 " + options + " : " +
                              tileType({n}, "i32")));
  std::array<Memory<std::uint32_t>, 6> in{Memory(operands[0]), Memory(operands[1]), Memory(operands[2]),
                                          Memory(operands[3]), Memory(operands[4]), Memory(operands[5])};
  const auto size = static_cast<std::size_t>(n);
  std::array<Memory<std::uint32_t>, 4> out{Memory<std::uint32_t>(size), Memory<std::uint32_t>(size),
                                           Memory<std::uint32_t>(size), Memory<std::uint32_t>(size)};
  expectNoFaults(kernel.run1(in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1], out[2], out[3]));
  return {out[0].values, out[1].values, out[2].values, out[3].values};
}

// The published known-answer vectors of Random123 (kat_vectors): zeros, ones, digits of pi.
const std::array<Words, 6> kInputs{Words{0, 0xffffffff, 0xa4093822, 0}, Words{0, 0xffffffff, 0x299f31d0, 0},
                                   Words{0, 0xffffffff, 0x243f6a88, 0}, Words{0, 0xffffffff, 0x85a308d3, 0},
                                   Words{0, 0xffffffff, 0x13198a2e, 0}, Words{0, 0xffffffff, 0x03707344, 0}};

// SEMANTICS N1
TEST(Philox, tenRoundsMatchTheKnownAnswers) {
  const std::array<Words, 4> r = philox(kInputs);
  EXPECT_EQ(r[0], (Words{0x6627e8d5, 0x408f276d, 0xd16cfe09, 0x6627e8d5}));
  EXPECT_EQ(r[1], (Words{0xe169c58d, 0x41c83b0e, 0x94fdcceb, 0xe169c58d}));
  EXPECT_EQ(r[2], (Words{0xbc57ac4c, 0xa20bc7c6, 0x5001e420, 0xbc57ac4c}));
  EXPECT_EQ(r[3], (Words{0x9b00dbd8, 0x6d5451fd, 0x24126ea1, 0x9b00dbd8}));
}

// SEMANTICS N1
TEST(Philox, sevenRoundsMatchTheKnownAnswers) {
  const std::array<Words, 4> r = philox(kInputs, "rounds 7");
  EXPECT_EQ(r[0], (Words{0x5f6fb709, 0x5207ddc2, 0x4dfccaba, 0x5f6fb709}));
  EXPECT_EQ(r[1], (Words{0x0d893f64, 0x45165e59, 0x190a87f0, 0x0d893f64}));
  EXPECT_EQ(r[2], (Words{0x4f121f81, 0x4d8ee751, 0xc47362ba, 0x4f121f81}));
  EXPECT_EQ(r[3], (Words{0x4f730a48, 0x8c52f662, 0xb6b5242a, 0x4f730a48}));
}

// Every number of rounds the operation takes, against the definition.
TEST(Philox, everyNumberOfRounds) {
  for (int rounds = 1; rounds <= 16; ++rounds) {
    std::uint32_t k[2] = {0xa4093822, 0x299f31d0}, c[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    for (int i = 0; i != rounds; ++i) {
      const std::uint64_t left = 0xD2511F53ull * c[0], right = 0xCD9E8D57ull * c[2];
      const std::uint32_t next[4] = {std::uint32_t(right >> 32) ^ c[1] ^ k[0], std::uint32_t(right),
                                     std::uint32_t(left >> 32) ^ c[3] ^ k[1], std::uint32_t(left)};
      std::copy(next, next + 4, c);
      k[0] += 0x9E3779B9;
      k[1] += 0xBB67AE85;
    }
    const std::array<Words, 4> r = philox(kInputs, "rounds " + std::to_string(rounds));
    for (int w = 0; w != 4; ++w)
      EXPECT_EQ(r[w][2], c[w]) << rounds << " rounds, word " << w;
  }
}

} // namespace
} // namespace tessera::ir::interp
