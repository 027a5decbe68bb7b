//===- Error.cpp - the error function ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

Value erf(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const Float a = abs(x);
  const Float z = a * a;
  const Float q =
      polynomial(z, {0x1.02d72ep-13, -0x1.e6263ep-11, 0x1.5cf86p-8, -0x1.b92262p-6, 0x1.ce3fbcp-4, -0x1.8127cp-2});
  // 2 / sqrt(pi) is 1 + 0x1.06eba8p-3, so that a itself is added last.
  const Float small = fma(fma(q, z, 0x1.06eba8p-3), a, a);
  const Float c = select(a > 4.0, 4.0, a);
  const Float logOfRest = polynomial(c, {0x1.ae39b6p-20, -0x1.7c8044p-15, 0x1.35ba0cp-11, -0x1.36046ep-8, 0x1.af7dep-6,
                                         -0x1.c24222p-4, -0x1.4394b8p-1, -0x1.21505ap0, 0x1.34cb9ap-12});
  const Float large = 1.0 - exp32(logOfRest);
  const Float v = select(isNaN(a), a, select(a < 0.921875, small, large));
  return copySign(v, x).value;
}

} // namespace tessera::ir::elementary
