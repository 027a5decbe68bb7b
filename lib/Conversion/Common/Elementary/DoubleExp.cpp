//===- DoubleExp.cpp - e^x in f64 ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// As in f32: x = n ln 2 + r, where the first part of ln 2 is short enough that its product with n is exact.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

static constexpr double kLog2E = 0x1.71547652b82fep0;
static constexpr double kLn2High = 0x1.62e42fefa4p-1;
static constexpr double kLn2Low = -0x1.8432a1b0e2634p-43;

/// (e^r - 1 - r) / r^2
static Float expTail(Float r) {
  return polynomial(r, {0x1.ad92e93d92cbfp-26, 0x1.28adfb3b267f4p-22, 0x1.71df18ed0d332p-19, 0x1.a019996060b76p-16,
                        0x1.a01a012ff0273p-13, 0x1.6c16c18476a5ep-10, 0x1.1111111126b32p-7, 0x1.55555555506bdp-5,
                        0x1.55555555554fep-3, 0x1.000000000000ap-1});
}

Float exp64(Float x) {
  const Float c = clampTo(x, -746, 710);
  const Float n = roundEven(c * kLog2E);
  const Float r = fma(n, -kLn2Low, fma(n, -kLn2High, c));
  const Float p = fma(expTail(r) * r, r, r) + 1.0;
  return scale(p, wholeOrZero(n));
}

Float accurateExp64(Parts x) {
  const Float c = clampTo(x.high, -746, 710);
  const Float n = roundEven(c * kLog2E);
  const Float high = fma(n, -kLn2High, c);
  const Float t = fma(n, -kLn2Low, x.low);
  const Float r = high + t;
  const Float rest = (high - r) + t;
  const Float u = fma(expTail(r) * r, r, fma(rest, r, rest));
  const Float h = 1.0 + r;
  const Float p = h + (((1.0 - h) + r) + u);
  return scale(p, wholeOrZero(n));
}

} // namespace tessera::ir::elementary
