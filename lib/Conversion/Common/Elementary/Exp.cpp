//===- Exp.cpp - e^x, 2^x and e^x - 1 ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// x = n ln 2 + r with |r| <= ln 2 / 2. The product n ln 2 is subtracted in two parts, each rounded once by fma.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

static constexpr double kLog2E = 0x1.715476p0;
static constexpr double kLn2High = 0x1.62e43p-1;
static constexpr double kLn2Low = -0x1.05c61p-29;

Float clampTo(Float x, double low, double high) {
  const Float raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}

Int wholeOrZero(Float whole) { return toInt(select(whole == whole, whole, 0.0)); }

/// (e^r - 1 - r) / r^2
static Float expTail(Float r) {
  return polynomial(r, {0x1.694c96p-10, 0x1.12397ep-7, 0x1.555a26p-5, 0x1.555492p-3, 0x1.fffffap-2});
}

Float exp32(Float x) {
  const Float c = clampTo(x, -104, 89);
  const Float n = roundEven(c * kLog2E);
  const Float r = fma(n, -kLn2Low, fma(n, -kLn2High, c));
  const Float p = fma(expTail(r) * r, r, r) + 1.0;
  return scale(p, wholeOrZero(n));
}

Float accurateExp32(Float x) {
  const Float c = clampTo(x, -104, 89);
  const Float n = roundEven(c * kLog2E);
  const Float high = fma(n, -kLn2High, c);
  const Float r = fma(n, -kLn2Low, high);
  const Float rest = fma(n, -kLn2Low, high - r); // what rounding r lost
  const Float u = fma(expTail(r) * r, r, rest);
  const Float h = 1.0 + r;
  const Float p = h + (((1.0 - h) + r) + u);
  return scale(p, wholeOrZero(n));
}

Value exp(MathBuilder &b, Value x) {
  const Float value(b, x);
  return value.isF64() ? exp64(value).value : exp32(value).value;
}

Value exp2(MathBuilder &b, Value x) {
  const Float c = clampTo({b, x}, -151, 129);
  const Float n = roundEven(c);
  const Float p = polynomial(
      c - n, {0x1.3fa206p-13, 0x1.5f0b82p-10, 0x1.3b30ap-7, 0x1.c6af76p-5, 0x1.ebfbd8p-3, 0x1.62e43p-1, 1.0});
  return scale(p, wholeOrZero(n)).value;
}

Value expm1(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const Float c = clampTo(x, -18, 89);
  const Float n = roundEven(c * kLog2E);
  const Float r = fma(n, -kLn2Low, fma(n, -kLn2High, c));
  const Float q = polynomial(r, {0x1.9e0bf2p-13, 0x1.6d4368p-10, 0x1.111306p-7, 0x1.5554fp-5, 0x1.555554p-3, 0.5});
  const Float p = fma(q * r, r, r);               // e^r - 1
  const Float s = powerOfTwo(wholeOrZero(n) - 1); // half, so that 2^128 does not overflow on the way
  const Float t = fma(p, s, s - 0.5);
  return select(n == 0.0, select(x == 0.0, x, p), t + t).value;
}

} // namespace tessera::ir::elementary
