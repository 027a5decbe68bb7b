//===- MaxMin.cpp - IEEE maximum and minimum ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir::numbers {

/// Of equal values, which differ at most in the sign of zero: +0 for the larger, -0 for the smaller.
static Value ofEqual(MathBuilder &b, Value x, Value y, bool larger) {
  const Value p = b.toBits(x), q = b.toBits(y);
  return b.fromBits(larger ? b.andI(p, q) : b.orI(p, q), cast<FloatType>(MathBuilder::elementOf(x)));
}

/// The larger or smaller of \p x and \p y; a NaN in \p x is returned, one in \p y is not seen.
static Value ofNumbers(MathBuilder &b, Value x, Value y, bool larger) {
  const Value other = b.select(larger ? b.lt(x, y) : b.gt(x, y), y, x);
  return b.select(b.eq(x, y), ofEqual(b, x, y, larger), other);
}

Value maxNum(MathBuilder &b, Value x, Value y) { return b.select(b.isNaN(x), y, ofNumbers(b, x, y, true)); }
Value minNum(MathBuilder &b, Value x, Value y) { return b.select(b.isNaN(x), y, ofNumbers(b, x, y, false)); }
Value maximum(MathBuilder &b, Value x, Value y) { return b.select(b.isNaN(y), y, ofNumbers(b, x, y, true)); }
Value minimum(MathBuilder &b, Value x, Value y) { return b.select(b.isNaN(y), y, ofNumbers(b, x, y, false)); }

} // namespace tessera::ir::numbers
