//===- FloatCasts.cpp - float to float, rounding once ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every type narrower than f32 is exact in f32. To nearest: f64 goes through f32 rounded to odd, and f32 is rounded on
// its bits. Toward zero and stochastically: from the bits of the value as f64, with the discarded part in 32 bits; f32
// to bf16 toward zero is the upper half.
// Saturation clamps the value first, which no rounding undoes because the largest finite value is exact.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/FloatFormat.h"
#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir::numbers {

using Specials = FloatFormat::Specials;
using tile::FloatRounding;

Type storedType(Type element) {
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    return IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  return element;
}

FloatType computeType(Type element) {
  if (element.isF64())
    return cast<FloatType>(element);
  return mlir::Float32Type::get(element.getContext());
}

// -- Widening -------------------------------------------------------------------------------------

/// Bits of a format of at most 16 bits as an f32.
static Value widenBits(MathBuilder &b, Value bits, const FloatFormat &format) {
  const Value word = b.zeroExtend(bits, 32);
  const unsigned shift = 23 - format.mantissa;
  const std::int64_t rebias = std::int64_t(127 - format.bias) << 23, one = std::int64_t(1) << 23;
  const Value magnitude = b.shl(b.andI(word, b.constI(format.signBit() - 1, word)), shift);
  // A denormal is given the exponent of the smallest normal value, whose implicit bit is then subtracted.
  const Value normal = b.addI(magnitude, b.constI(rebias, word));
  const Value scaled = b.f32FromBits(b.addI(magnitude, b.constI(rebias + one, word)));
  const Value denormal = b.sub(scaled, b.f32FromBits(b.constI(rebias + one, word)));
  Value result = b.select(b.ltS(magnitude, b.constI(one, word)), b.toBits(denormal), normal);
  const Value nan = b.constI(0x7fc00000, word);
  switch (format.specials) {
  case Specials::Ieee: {
    const Value infinity = b.constI(std::int64_t(format.overflow()) << shift, word);
    result = b.select(b.ltS(magnitude, infinity), result, b.orI(magnitude, b.constI(0x7f800000, word)));
    break;
  }
  case Specials::NanOnly:
    result = b.select(b.eqI(magnitude, b.constI(std::int64_t(format.nan()) << shift, word)), nan, result);
    break;
  case Specials::Fnuz:
    result = b.select(b.eqI(word, b.constI(format.nan(), word)), nan, result);
    break;
  }
  const Value sign = b.shl(b.andI(word, b.constI(format.signBit(), word)), 32 - format.bits);
  return b.f32FromBits(b.orI(result, sign));
}

Value widenF16ByBits(MathBuilder &b, Value bits) {
  return widenBits(b, bits, FloatFormat::of(mlir::Float16Type::get(bits.getContext())));
}

Value widen(MathBuilder &b, Value stored, Type element) {
  if (element.isF32() || element.isF64())
    return stored;
  if (element.isF16())
    return b.widen(b.fromBits(stored, cast<FloatType>(element)), computeType(element));
  if (element.isBF16())
    return b.f32FromBits(b.shl(b.zeroExtend(stored, 32), 16));
  return widenBits(b, stored, FloatFormat::of(element));
}

// -- Narrowing to nearest even --------------------------------------------------------------------

/// \p magnitude of a result (i32 or i64, without a sign) with the sign bit that \p sign holds.
static Value withSign(MathBuilder &b, Value magnitude, Value sign, const FloatFormat &format) {
  if (format.specials == Specials::Fnuz) // no -0
    sign = b.select(b.eqI(magnitude, b.constI(0, magnitude)), b.constI(0, sign), sign);
  return b.orI(magnitude, sign);
}

/// f32 to the bits of bf16. The exponents are the same, so that the carry of rounding makes infinity of what is too
/// large and the sign may stay where it is; only NaN needs care.
static Value narrowToBF16(MathBuilder &b, Value x) {
  const Value bits = b.toBits(x), upper = b.shrU(bits, 16);
  const Value odd = b.andI(upper, b.constI(1, bits));
  const Value rounded = b.shrU(b.addI(b.addI(bits, b.constI(0x7fff, bits)), odd), 16);
  const Value nan = b.orI(upper, b.constI(0x40, bits)); // quiet, whatever is left of its payload
  return b.truncate(b.select(b.isNaN(x), nan, rounded), 16);
}

/// f32 to the bits of a format with fewer exponents.
static Value narrowToBits(MathBuilder &b, Value x, const FloatFormat &format) {
  const unsigned shift = 23 - format.mantissa;
  const std::int64_t rebias = std::int64_t(127 - format.bias) << 23, one = std::int64_t(1) << 23;
  const std::int64_t half = std::int64_t(1) << (shift - 1);
  const Value bits = b.toBits(x), magnitude = b.andI(bits, b.constI(0x7fffffff, bits));
  // Round on the integer, whose carry moves into the exponent.
  const Value odd = b.andI(b.shrU(magnitude, shift), b.constI(1, bits));
  const Value raised = b.addI(b.addI(magnitude, b.constI(half - 1 - rebias, bits)), odd);
  // Below the smallest normal result: add a power of two whose last place is the smallest denormal.
  const Value power = b.constI(std::int64_t(127 + 24 - format.bias - int(format.mantissa)) << 23, bits);
  const Value sum = b.add(b.f32FromBits(magnitude), b.f32FromBits(power));
  const Value denormal = b.subI(b.toBits(sum), power);
  Value result = b.select(b.ltS(magnitude, b.constI(rebias + one, bits)), denormal, b.shrU(raised, shift));
  const Value largest = b.constI(format.maxFinite(), bits);
  if (format.specials == Specials::Ieee) {
    result = b.minS(result, b.constI(format.overflow(), bits));
    result = b.select(b.gtS(magnitude, b.constI(0x7f800000, bits)), b.constI(format.nan(), bits), result);
  } else { // infinities and NaN lie above `largest` as well
    result = b.select(b.gtS(result, largest), b.constI(format.nan(), bits), result);
  }
  const Value sign = b.andI(b.shrU(bits, 32 - format.bits), b.constI(format.signBit(), bits));
  return b.truncate(withSign(b, result, sign, format), format.bits);
}

Value narrowF16ByBits(MathBuilder &b, Value x) {
  return narrowToBits(b, x, FloatFormat::of(mlir::Float16Type::get(x.getContext())));
}

Value narrow(MathBuilder &b, Value computed, Type element) {
  if (element.isF32() || element.isF64())
    return computed;
  if (element.isF16())
    return b.toBits(b.narrow(computed, cast<FloatType>(element)));
  if (element.isBF16())
    return narrowToBF16(b, computed);
  return narrowToBits(b, computed, FloatFormat::of(element));
}

Value narrowExact(MathBuilder &b, Value computed, Type element) {
  if (element.isBF16())
    return b.truncate(b.shrU(b.toBits(computed), 16), 16);
  return narrow(b, computed, element);
}

Value roundToOddF32(MathBuilder &b, Value x) {
  const Value nearest = b.narrowToF32(x), back = b.widenToF64(nearest);
  // The truncated value, then its last bit set where something was cut off; neither happens to NaN.
  const Value above = b.gt(b.abs(back), b.abs(x));
  const Value bits = b.toBits(nearest);
  const Value truncated = b.subI(bits, b.zeroExtend(above, 32));
  const Value inexact = b.orI(b.lt(back, x), b.gt(back, x));
  return b.f32FromBits(b.orI(truncated, b.zeroExtend(inexact, 32)));
}

// -- Narrowing toward zero and stochastically -----------------------------------------------------

/// f32 to the bits of bf16 toward zero.
static Value cutToBF16(MathBuilder &b, Value x) {
  const Value upper = b.shrU(b.toBits(x), 16);
  return b.truncate(b.select(b.isNaN(x), b.orI(upper, b.constI(0x40, upper)), upper), 16);
}

/// f64 to the bits (i64) of a format of at most 32 bits.
static Value cutToBits(MathBuilder &b, Value x, const FloatFormat &format, Value random) {
  const int mantissa = static_cast<int>(format.mantissa);
  const Value bits = b.toBits(x);
  const auto constant = [&](std::int64_t value) { return b.constI(value, bits); };
  const Value zero = constant(0), one = constant(1), infinity = constant(std::int64_t(0x7ff) << 52);
  const Value magnitude = b.andI(bits, constant(~(std::uint64_t(1) << 63)));
  const Value field = b.shrU(magnitude, 52), exponent = b.maxS(field, one);
  const Value fraction = b.andI(magnitude, constant((std::int64_t(1) << 52) - 1));
  const Value implicit = b.select(b.eqI(field, zero), zero, constant(std::int64_t(1) << 52));
  // How far the smallest exponent of the format lies above the value's, and the exponent field of the result.
  const Value below = b.maxS(b.subI(constant(1 - format.bias + 1023), exponent), zero);
  const Value biased = b.maxS(b.addI(exponent, constant(format.bias - 1023)), one);
  // The kept bits above 32 bits of the discarded part. At least 29 bits are discarded, the format having at most 24.
  const Value distance = b.minS(b.addI(below, constant(52 - mantissa - 29)), constant(63));
  Value fixed = b.shrU(b.shl(b.orI(fraction, implicit), 3), distance);
  if (random)
    fixed = b.addI(fixed, b.zeroExtend(random, 64));
  Value result = b.addI(b.shl(b.subI(biased, one), format.mantissa), b.shrU(fixed, 32));
  const Value overflow = constant(format.overflow());
  const Value tooLarge =
      random ? overflow : b.select(b.eqI(magnitude, infinity), overflow, constant(format.maxFinite()));
  result = b.select(b.gtS(result, constant(format.maxFinite())), tooLarge, result);
  result = b.select(b.gtS(magnitude, infinity), constant(format.nan()), result);
  const Value sign = b.andI(b.shrU(bits, 64 - format.bits), constant(format.signBit()));
  return withSign(b, result, sign, format);
}

// -- Any to any -----------------------------------------------------------------------------------

/// \p x no larger in magnitude than \p largest; NaN stays.
static Value clampMagnitude(MathBuilder &b, Value x, double largest) {
  const Value high = b.constF(largest, x), low = b.constF(-largest, x);
  x = b.select(b.gt(x, high), high, x);
  return b.select(b.lt(x, low), low, x);
}

Value convertFloat(MathBuilder &b, Value stored, Type from, Type to, const Narrowing &how) {
  if (from == to && !how.saturate)
    return stored;
  const FloatFormat target = FloatFormat::of(to);
  const bool narrows = from.isF64() ? !to.isF64() : target.bits < 32;
  const bool nearest = !narrows || how.rounding == FloatRounding::Nearest;
  Value x = widen(b, stored, from);
  const bool takesUpper = to.isBF16() && how.rounding == FloatRounding::TowardZero && !b.isF64(x);
  if (to.isF64() || (!nearest && !takesUpper))
    x = b.isF64(x) ? x : b.widenToF64(x);
  if (how.saturate)
    x = clampMagnitude(b, x, target.largest());
  if (!narrows)
    return x;
  if (takesUpper)
    return cutToBF16(b, x);
  if (!nearest) {
    const bool stochastic = how.rounding == FloatRounding::Stochastic;
    const Value bits = b.truncate(cutToBits(b, x, target, stochastic ? how.random : Value()), target.bits);
    return to.isF32() ? b.f32FromBits(bits) : bits;
  }
  if (to.isF32())
    return b.narrowToF32(x);
  return narrow(b, b.isF64(x) ? roundToOddF32(b, x) : x, to);
}

} // namespace tessera::ir::numbers
