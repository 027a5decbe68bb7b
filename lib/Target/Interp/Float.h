//===- Float.h - exact conversions between float formats -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every source format is exact in double, so one encoder from double, rounding once, serves all narrowing (SEMANTICS
// C1: no double rounding). The common paths, f32 to and from f16 and bf16, have branch-free forms that vectorise.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_FLOAT_H
#define TESSERA_TARGET_INTERP_FLOAT_H

#include "Elem.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::ir::interp {

enum class Rounding : std::uint8_t { Nearest, TowardZero, Stochastic };

/// What a format does above its largest finite value, and whether it has a negative zero.
enum class Specials : std::uint8_t { Ieee, NanOnly, Fnuz };

/// A binary float format of at most 64 bits.
struct Format {
  unsigned bits, mantissa; ///< total width; stored mantissa bits
  int bias;
  Specials specials;
  /// Encoding of the largest finite magnitude.
  constexpr std::uint64_t maxFinite() const {
    const std::uint64_t all = (std::uint64_t(1) << (bits - 1)) - 1;
    if (specials == Specials::Ieee)
      return (((std::uint64_t(1) << (bits - 1 - mantissa)) - 1) << mantissa) - 1;
    return specials == Specials::NanOnly ? all - 1 : all;
  }
  constexpr std::uint64_t infinity() const { return maxFinite() + 1; } ///< meaningful for Ieee only
  constexpr std::uint64_t signBit() const { return std::uint64_t(1) << (bits - 1); }
  constexpr std::uint64_t nan() const {
    if (specials == Specials::Ieee)
      return infinity() | (std::uint64_t(1) << (mantissa - 1));
    return specials == Specials::NanOnly ? signBit() - 1 : signBit();
  }
};

template <class T> struct FormatOf;
template <> struct FormatOf<F16> {
  static constexpr Format value{16, 10, 15, Specials::Ieee};
};
template <> struct FormatOf<BF16> {
  static constexpr Format value{16, 7, 127, Specials::Ieee};
};
template <> struct FormatOf<float> {
  static constexpr Format value{32, 23, 127, Specials::Ieee};
};
template <> struct FormatOf<double> {
  static constexpr Format value{64, 52, 1023, Specials::Ieee};
};
template <> struct FormatOf<E4M3> {
  static constexpr Format value{8, 3, 7, Specials::NanOnly};
};
template <> struct FormatOf<E5M2> {
  static constexpr Format value{8, 2, 15, Specials::Ieee};
};
template <> struct FormatOf<E4M3Fnuz> {
  static constexpr Format value{8, 3, 8, Specials::Fnuz};
};
template <> struct FormatOf<E5M2Fnuz> {
  static constexpr Format value{8, 2, 16, Specials::Fnuz};
};

/// Rounds \p x once to \p format. Overflow gives infinity where the format has one, else NaN; \p saturate gives the
/// largest finite value instead (of an infinity too). Toward zero never overflows a finite value. Stochastic rounds
/// the magnitude up when its discarded part, taken as a 32-bit binary fraction, plus \p random carries out.
std::uint64_t encode(double x, const Format &format, Rounding rounding, bool saturate, std::uint32_t random = 0);

/// The exact value of an encoding; any NaN becomes a quiet NaN of its sign.
double decode(std::uint64_t bits, const Format &format);

// -- f32 <-> f16, bf16 without branches -----------------------------------------------------------

inline float widen(F16 h) {
  const std::uint32_t sign = std::uint32_t(h.bits & 0x8000u) << 16, magnitude = std::uint32_t(h.bits & 0x7fffu) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f; // exact; also makes denormals normal
  const std::uint32_t special = magnitude | 0x7f800000u;           // infinity and NaN
  const std::uint32_t bits = magnitude >= 0x0f800000u ? special : std::bit_cast<std::uint32_t>(scaled);
  return std::bit_cast<float>(bits | sign);
}

inline float widen(BF16 h) { return std::bit_cast<float>(std::uint32_t(h.bits) << 16); }
inline float widen(float x) { return x; }
inline double widen(double x) { return x; }
float widen(E4M3 x);
float widen(E5M2 x);
float widen(E4M3Fnuz x);
float widen(E5M2Fnuz x);

inline F16 narrowToF16(float x) {
  const std::uint32_t u = std::bit_cast<std::uint32_t>(x), sign = (u >> 16) & 0x8000u, a = u & 0x7fffffffu;
  // Normal results: round to nearest even on the integer, then move the exponent. Denormal: add a power of two whose
  // unit in the last place is f16's smallest denormal, so that the float adder rounds.
  const std::uint32_t normal = (a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13;
  const std::uint32_t denormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(a) + 0.5f) - 0x3f000000u;
  std::uint32_t r = a < 0x38800000u ? denormal : normal;
  r = a >= 0x477ff000u ? 0x7c00u : r; // at and above 65520
  r = a > 0x7f800000u ? 0x7e00u : r;
  return {static_cast<std::uint16_t>(r | sign)};
}

inline BF16 narrowToBF16(float x) {
  const std::uint32_t u = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
  const std::uint32_t nan = (u >> 16 & 0x8000u) | 0x7fc0u;
  return {static_cast<std::uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? nan : rounded)};
}

// -- By storage type ------------------------------------------------------------------------------

/// The type \p T computes in: double for f64, float for the rest.
template <class T> struct ComputeOf {
  using type = float;
};
template <> struct ComputeOf<double> {
  using type = double;
};
template <class T> using Compute = typename ComputeOf<T>::type;

/// Rounds a value of the compute type once to \p T, to nearest even.
template <class T> inline T narrow(Compute<T> x) {
  return {static_cast<decltype(T::bits)>(encode(x, FormatOf<T>::value, Rounding::Nearest, false))};
}
template <> inline F16 narrow<F16>(float x) { return narrowToF16(x); }
template <> inline BF16 narrow<BF16>(float x) { return narrowToBF16(x); }
template <> inline float narrow<float>(float x) { return x; }
template <> inline double narrow<double>(double x) { return x; }

template <class T> inline double toDouble(T x) { return widen(x); }

/// Rounds a double once to \p T by \p rounding.
template <class T>
inline T fromDouble(double x, Rounding rounding = Rounding::Nearest, bool saturate = false, std::uint32_t random = 0) {
  return {static_cast<decltype(T::bits)>(encode(x, FormatOf<T>::value, rounding, saturate, random))};
}
template <> inline float fromDouble<float>(double x, Rounding rounding, bool saturate, std::uint32_t random) {
  if (rounding == Rounding::Nearest && !saturate)
    return static_cast<float>(x);
  return std::bit_cast<float>(
      static_cast<std::uint32_t>(encode(x, FormatOf<float>::value, rounding, saturate, random)));
}
template <> inline double fromDouble<double>(double x, Rounding, bool saturate, std::uint32_t) {
  if (saturate && std::isinf(x))
    return std::copysign(std::numeric_limits<double>::max(), x);
  return x;
}

/// \p a + \p b in double rounded to odd, so that a later rounding to at most 51 bits is the only one.
double addRoundToOdd(double a, double b);

/// a * b + c rounded once (SEMANTICS A3). In f16 and bf16 the product is exact in double.
template <class T> inline T fusedMultiplyAdd(T a, T b, T c) {
  return fromDouble<T>(addRoundToOdd(toDouble(a) * toDouble(b), toDouble(c)));
}
template <> inline float fusedMultiplyAdd(float a, float b, float c) { return std::fma(a, b, c); }
template <> inline double fusedMultiplyAdd(double a, double b, double c) { return std::fma(a, b, c); }

/// An integer as the double whose rounding to any narrower format equals the integer's own rounding.
double toDoubleSticky(std::int64_t x);
double toDoubleSticky(std::uint64_t x);

/// Truncation toward zero, saturating at \p Int's limits; NaN gives 0 (SEMANTICS C2).
template <class Int> inline Int truncateSaturating(double x) {
  constexpr double lo = static_cast<double>(std::numeric_limits<Int>::min());
  // The bound above the largest value is a power of two, exact in double for every width.
  constexpr double above = 2.0 * static_cast<double>(Int(1) << (std::numeric_limits<Int>::digits - 1));
  if (x != x)
    return 0;
  if (x <= lo)
    return std::numeric_limits<Int>::min();
  if (x >= above)
    return std::numeric_limits<Int>::max();
  return static_cast<Int>(x);
}

/// IEEE maximumNumber and minimumNumber (SEMANTICS A5): a NaN loses to a number, -0 orders below +0.
template <class F> inline F maximumNumber(F a, F b) {
  if (a != a)
    return b;
  if (b != b)
    return a;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <class F> inline F minimumNumber(F a, F b) {
  if (a != a)
    return b;
  if (b != b)
    return a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
/// IEEE maximum and minimum: a NaN wins.
template <class F> inline F maximumPropagate(F a, F b) { return a != a ? a : b != b ? b : maximumNumber(a, b); }
template <class F> inline F minimumPropagate(F a, F b) { return a != a ? a : b != b ? b : minimumNumber(a, b); }

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_FLOAT_H
