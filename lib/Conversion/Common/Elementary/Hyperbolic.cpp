//===- Hyperbolic.cpp - tanh, sigmoid and softplus -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

Value tanh(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const Float a = abs(x);
  const Float z = a * a;
  const Float q =
      polynomial(z, {0x1.18b51ap-9, -0x1.0c01f4p-7, 0x1.6394c4p-6, -0x1.b9f04ep-5, 0x1.111076p-3, -0x1.555554p-2});
  const Float small = fma(q * z, a, a);
  const Float c = select(a > 10.0, 10.0, a);
  const Float large = 1.0 - 2.0 / (exp32(c + c) + 1.0);
  const Float v = select(isNaN(a), a, select(a < 0.625, small, large));
  return copySign(v, x).value;
}

Value sigmoid(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const Float e = accurateExp32(-abs(x));
  const Float d = 1.0 + e;
  const Float lost = e - (d - 1.0);
  const Float n = select(x < 0.0, e, 1.0);
  const Float c = 1.0 / d;
  const Float v = n * c;
  Float r = fma(-v, d, n);
  r = fma(-v, lost, r);
  return fma(r, c, v).value;
}

Value softplus(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const Float l = log1p32(accurateExp32(-abs(x)));
  const Float v = select(x > 0.0, x, 0.0) + l;
  return select(isNaN(x), x, v).value;
}

} // namespace tessera::ir::elementary
