//===- FloatToInt.cpp - float to integer, saturating ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Values are clamped to what the plain conversion can take, which is poison outside; the largest integer, where the
// float type does not have it, is put in afterwards.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/Numbers.h"

#include <cmath>

namespace tessera::ir::numbers {

/// The truncated \p x between integers that its type holds exactly; NaN gives 0.
static Value convertBetween(MathBuilder &b, Value x, double lowest, double highest) {
  const Value low = b.constF(lowest, x), high = b.constF(highest, x);
  x = b.select(b.isNaN(x), b.constF(0, x), x);
  x = b.select(b.gt(x, low), x, low);
  return b.toSigned(b.select(b.lt(x, high), x, high), 32);
}

/// To a signed integer of 32 or 64 bits whose largest value the type of \p x does not have.
static Value convertSigned(MathBuilder &b, Value x, unsigned bits) {
  const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
  const Value low = b.constF(-limit, x), above = b.constF(limit, x);
  Value inside = b.select(b.gt(x, low), x, low);
  inside = b.select(b.lt(x, above), inside, b.constF(0, x)); // NaN gives 0 as well
  const Value result = b.toSigned(inside, bits);
  return b.select(b.ge(x, above), b.constI(static_cast<std::int64_t>(~std::uint64_t(0) >> (65 - bits)), result),
                  result);
}

/// To an unsigned integer of 32 or 64 bits through the signed conversion.
static Value convertUnsigned(MathBuilder &b, Value x, unsigned bits) {
  const double half = std::ldexp(1.0, static_cast<int>(bits) - 1);
  const Value zero = b.constF(0, x), middle = b.constF(half, x), above = b.constF(2 * half, x);
  x = b.select(b.gt(x, zero), x, zero); // NaN gives 0 as well
  const Value upper = b.ge(x, middle);
  Value lower = b.select(upper, b.sub(x, middle), x);
  lower = b.select(b.lt(x, above), lower, zero);
  Value result = b.toSigned(lower, bits);
  const Value top = b.constI(static_cast<std::int64_t>(std::uint64_t(1) << (bits - 1)), result);
  result = b.select(upper, b.xorI(result, top), result);
  return b.select(b.ge(x, above), b.constI(-1, result), result);
}

Value floatToInt(MathBuilder &b, Value stored, Type from, unsigned bits, bool isUnsigned) {
  const Value x = widen(b, stored, from);
  if (bits < 32) {
    const double span = std::ldexp(1.0, static_cast<int>(bits) - (isUnsigned ? 0 : 1));
    return b.truncate(convertBetween(b, x, isUnsigned ? 0 : -span, span - 1), bits);
  }
  if (isUnsigned)
    return convertUnsigned(b, x, bits);
  if (bits == 32 && b.isF64(x))
    return convertBetween(b, x, -0x1p31, 0x1p31 - 1);
  return convertSigned(b, x, bits);
}

} // namespace tessera::ir::numbers
