//===- Philox.cpp - counter-based random words ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir::numbers {

std::array<Value, 4> philox(MathBuilder &b, std::array<Value, 2> key, std::array<Value, 4> counter, unsigned rounds) {
  const auto constant = [&](std::uint32_t word) { return b.constI(word, key[0]); };
  const Value m0 = constant(0xD2511F53), m1 = constant(0xCD9E8D57);
  const Value w0 = constant(0x9E3779B9), w1 = constant(0xBB67AE85);
  auto [c0, c1, c2, c3] = counter;
  for (unsigned round = 0; round != rounds; ++round) {
    const Value high0 = b.umulHigh(m0, c0), low0 = b.mulI(m0, c0);
    const Value high1 = b.umulHigh(m1, c2), low1 = b.mulI(m1, c2);
    c0 = b.xorI(b.xorI(high1, c1), key[0]);
    c1 = low1;
    c2 = b.xorI(b.xorI(high0, c3), key[1]);
    c3 = low0;
    key = {b.addI(key[0], w0), b.addI(key[1], w1)};
  }
  return {c0, c1, c2, c3};
}

} // namespace tessera::ir::numbers
