//===- Exponent.cpp - ldexp and ilogb -------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/FloatFormat.h"
#include "Conversion/Common/Numbers/Numbers.h"

#include <limits>

namespace tessera::ir::numbers {

/// 2^n in f64 for an i32 \p n from -1022 to 1023.
static Value powerOfTwo(MathBuilder &b, Value n) {
  return b.f64FromBits(b.shl(b.zeroExtend(b.addI(n, b.constI(1023, n)), 64), 52));
}

static Value clamp(MathBuilder &b, Value n, std::int64_t low, std::int64_t high) {
  return b.minS(b.maxS(n, b.constI(low, n)), b.constI(high, n));
}

/// f64. Only the last multiplication that is not by 1 may round: a step down leaves a factor below 2^-52, with which
/// whatever was a denormal on the way becomes 0.
static Value ldexpF64(MathBuilder &b, Value x, Value exponent) {
  exponent = clamp(b, exponent, -2200, 2200);
  for (unsigned step = 0; step != 3; ++step) {
    const Value tooSmall = b.ltS(exponent, b.constI(-1022, exponent));
    const Value down = b.constI(-969, exponent), up = b.minS(exponent, b.constI(1023, exponent));
    const Value part = b.select(tooSmall, down, up);
    x = b.mul(x, powerOfTwo(b, part));
    exponent = b.subI(exponent, part);
  }
  return x;
}

Value ldexp(MathBuilder &b, Value stored, Value exponent, Type element) {
  if (element.isF64())
    return ldexpF64(b, stored, exponent);
  // Exact in f64 within these bounds; beyond them every narrower type has long reached 0 or infinity.
  const Value wide = b.widenToF64(widen(b, stored, element));
  const Value product = b.mul(wide, powerOfTwo(b, clamp(b, exponent, -600, 600)));
  return element.isF32() ? b.narrowToF32(product) : narrow(b, roundToOddF32(b, product), element);
}

Value ilogb(MathBuilder &b, Value stored, Type element) {
  const Value x = widen(b, stored, element);
  const FloatType type = computeType(element);
  const FloatFormat format = FloatFormat::of(type);
  const Value bits = b.toBits(x);
  const auto constant = [&](std::uint64_t value) { return b.constI(static_cast<std::int64_t>(value), bits); };
  const Value magnitude = b.andI(bits, constant(~format.signBit()));
  const std::uint64_t smallestNormal = std::uint64_t(1) << format.mantissa;
  // Below the normal values a denormal's last places count up from its leading zeros.
  const Value zeros = b.countLeadingZeros(magnitude);
  const Value ofNormal = b.subI(b.shrU(magnitude, format.mantissa), constant(format.bias));
  const Value ofDenormal = b.subI(constant(format.bits - format.bias - format.mantissa), zeros);
  Value result = b.select(b.ltS(magnitude, constant(smallestNormal)), ofDenormal, ofNormal);
  if (format.bits == 64)
    result = b.truncate(result, 32);
  const Value isZero = b.eqI(magnitude, constant(0));
  const Value isFinite = b.ltS(magnitude, constant(format.overflow()));
  result = b.select(isZero, b.constI(std::numeric_limits<std::int32_t>::min(), result), result);
  return b.select(isFinite, result, b.constI(std::numeric_limits<std::int32_t>::max(), result));
}

} // namespace tessera::ir::numbers
