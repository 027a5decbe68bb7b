//===- Float.cpp - exact conversions between float formats ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Float.h"

#include <array>

namespace tessera::ir::interp {

std::uint64_t encode(double x, const Format &format, Rounding rounding, bool saturate, std::uint32_t random) {
  const std::uint64_t u = std::bit_cast<std::uint64_t>(x);
  const bool negative = u >> 63;
  const std::uint64_t magnitude = u & ~(std::uint64_t(1) << 63);
  const std::uint64_t sign = negative ? format.signBit() : 0;
  const auto nan = [&] { return format.specials == Specials::Fnuz ? format.nan() : sign | format.nan(); };
  constexpr std::uint64_t doubleInfinity = std::uint64_t(0x7ff) << 52;
  if (magnitude > doubleInfinity)
    return nan();

  const auto overflow = [&]() -> std::uint64_t {
    if (saturate || (rounding == Rounding::TowardZero && magnitude != doubleInfinity))
      return sign | format.maxFinite();
    return format.specials == Specials::Ieee ? sign | format.infinity() : nan();
  };
  if (magnitude == doubleInfinity)
    return overflow();
  if (format.bits == 64)
    return u;

  // Value = significand * 2^(exponent - 52), significand with its leading bit at 52 (or below for zero and denormals).
  int exponent = static_cast<int>(magnitude >> 52);
  std::uint64_t significand = magnitude & ((std::uint64_t(1) << 52) - 1);
  if (exponent == 0)
    exponent = 1;
  else
    significand |= std::uint64_t(1) << 52;
  exponent -= 1023;

  // Bits to drop so that the kept integer counts units of the target's last place.
  const int minExponent = 1 - format.bias;
  int drop = 52 - static_cast<int>(format.mantissa);
  int biased = exponent + format.bias;
  if (exponent < minExponent) {
    drop += minExponent - exponent;
    biased = 1;
  }
  std::uint64_t kept, fraction; // fraction: the dropped part as a 64-bit binary fraction
  bool sticky = false;          // something nonzero below the fraction's last bit
  if (drop < 64) {
    kept = significand >> drop;
    fraction = significand << (64 - drop);
  } else {
    kept = 0;
    const int shift = drop - 64;
    fraction = shift < 64 ? significand >> shift : 0;
    sticky = shift < 64 ? (significand & ((std::uint64_t(1) << shift) - 1)) != 0 : significand != 0;
  }
  constexpr std::uint64_t half = std::uint64_t(1) << 63;
  bool up = false;
  if (rounding == Rounding::Nearest)
    up = fraction > half || (fraction == half && (sticky || (kept & 1)));
  else if (rounding == Rounding::Stochastic)
    up = (fraction >> 32) + random > 0xffffffffull;
  kept += up;

  // A significand that reaches the next power of two carries into the exponent by itself.
  const std::uint64_t implicit = std::uint64_t(1) << format.mantissa;
  std::uint64_t result;
  if (kept < implicit) // denormal (biased is 1) or zero
    result = kept;
  else if (biased >= (1 << (format.bits - format.mantissa)))
    return overflow(); // far beyond; would not fit the shift below
  else
    result = (static_cast<std::uint64_t>(biased - 1) << format.mantissa) + kept;
  if (result > format.maxFinite())
    return overflow();
  if (result == 0 && format.specials == Specials::Fnuz)
    return 0; // no negative zero
  return sign | result;
}

double decode(std::uint64_t bits, const Format &format) {
  const bool negative = bits & format.signBit();
  const std::uint64_t magnitude = bits & (format.signBit() - 1);
  const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(), negative ? -1.0 : 1.0);
  if (format.specials == Specials::Fnuz && bits == format.signBit())
    return nan;
  if (magnitude > format.maxFinite()) {
    if (format.specials == Specials::Ieee && magnitude == format.infinity())
      return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return nan;
  }
  const std::uint64_t implicit = std::uint64_t(1) << format.mantissa;
  const int biased = static_cast<int>(magnitude >> format.mantissa);
  const std::uint64_t fraction = magnitude & (implicit - 1);
  const double significand = static_cast<double>(biased ? fraction | implicit : fraction);
  const double value = std::ldexp(significand, (biased ? biased : 1) - format.bias - static_cast<int>(format.mantissa));
  return negative ? -value : value;
}

namespace {
template <class T> struct Table {
  std::array<float, 256> values;
  Table() {
    for (unsigned i = 0; i != 256; ++i)
      values[i] = static_cast<float>(decode(i, FormatOf<T>::value));
  }
};
template <class T> float lookUp(T x) {
  static const Table<T> table;
  return table.values[x.bits];
}
} // namespace

float widen(E4M3 x) { return lookUp(x); }
float widen(E5M2 x) { return lookUp(x); }
float widen(E4M3Fnuz x) { return lookUp(x); }
float widen(E5M2Fnuz x) { return lookUp(x); }

double addRoundToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  // Knuth's two-sum: the exact error of the addition.
  const double bb = sum - a;
  const double error = (a - (sum - bb)) + (b - bb);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1))
    return sum;
  // Inexact and even: step to the odd neighbour on the error's side, which is where the exact value lies.
  const bool away = (error > 0) == (sum > 0);
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

double toDoubleSticky(std::uint64_t x) {
  if (x >> 53) { // at most 11 bits do not fit: fold them into one that keeps the rounding honest
    const std::uint64_t low = x & 0x7ff;
    x = (x & ~std::uint64_t(0x7ff)) | (low ? 0x800 : 0);
  }
  return static_cast<double>(x);
}

double toDoubleSticky(std::int64_t x) {
  const std::uint64_t magnitude = x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  const double value = toDoubleSticky(magnitude);
  return x < 0 ? -value : value;
}

} // namespace tessera::ir::interp
