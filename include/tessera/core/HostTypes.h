//===- HostTypes.h - element types on the host -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The C++ types that buffers are filled from and read into: `half`, `bfloat16`, four kinds of 8-bit float, and the map
// between them and dtypes. Conversion to a narrow type rounds once, to nearest even (SEMANTICS C1); from it, it is
// exact.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_HOSTTYPES_H
#define TESSERA_CORE_HOSTTYPES_H

#include "tessera/core/DType.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace tessera {

namespace detail {

/// Which special values a narrow float has.
enum class FloatStyle {
  Ieee, ///< infinities, NaNs with the top exponent, −0
  Fn,   ///< no infinities; NaN is all ones; overflow gives NaN
  Fnuz, ///< no infinities, no −0; NaN is the bits of −0; overflow gives NaN
};

/// The value of \p bits as a narrow float of \p exponentBits exponent and \p mantissaBits mantissa bits. Exact.
template <int exponentBits, int mantissaBits, int bias, FloatStyle style>
constexpr double decodeFloat(std::uint32_t bits) {
  const std::uint64_t sign = static_cast<std::uint64_t>(bits >> (exponentBits + mantissaBits) & 1) << 63;
  const std::uint32_t magnitude = bits & ((1u << (exponentBits + mantissaBits)) - 1),
                      mantissa = magnitude & ((1u << mantissaBits) - 1);
  const int exponent = static_cast<int>(magnitude >> mantissaBits);
  constexpr std::uint64_t nan = std::uint64_t{0x7ff8} << 48;
  if constexpr (style == FloatStyle::Ieee) {
    if (exponent == (1 << exponentBits) - 1)
      return std::bit_cast<double>(sign | (mantissa ? nan | static_cast<std::uint64_t>(mantissa) << (52 - mantissaBits)
                                                    : std::uint64_t{0x7ff0} << 48));
  } else if constexpr (style == FloatStyle::Fn) {
    if (magnitude == (1u << (exponentBits + mantissaBits)) - 1)
      return std::bit_cast<double>(sign | nan);
  } else {
    if (sign && !magnitude)
      return std::bit_cast<double>(nan);
  }
  if (!exponent) {
    const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1 - bias - mantissaBits + 1023) << 52);
    const double value = static_cast<double>(mantissa) * scale;
    return sign ? -value : value;
  }
  return std::bit_cast<double>(sign | static_cast<std::uint64_t>(exponent - bias + 1023) << 52 |
                               static_cast<std::uint64_t>(mantissa) << (52 - mantissaBits));
}

/// The narrow float nearest to \p value, ties to even. What is too large gives infinity, or NaN where there is none.
template <int exponentBits, int mantissaBits, int bias, FloatStyle style>
constexpr std::uint32_t encodeFloat(double value) {
  const std::uint64_t wide = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = static_cast<std::uint32_t>(wide >> 63) << (exponentBits + mantissaBits);
  constexpr std::uint32_t ones = (1u << (exponentBits + mantissaBits)) - 1;
  constexpr std::uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  constexpr std::uint32_t nan = style == FloatStyle::Ieee ? infinity | 1u << (mantissaBits - 1)
                                : style == FloatStyle::Fn ? ones
                                                          : 1u << (exponentBits + mantissaBits);
  constexpr std::uint32_t largest = style == FloatStyle::Ieee ? infinity - 1
                                    : style == FloatStyle::Fn ? ones - 1
                                                              : ones;
  const std::uint32_t tooLarge = style == FloatStyle::Ieee ? sign | infinity
                                 : style == FloatStyle::Fn ? sign | nan
                                                           : nan;
  const int exponent = static_cast<int>(wide >> 52 & 0x7ff) - 1023;
  const std::uint64_t fraction = wide & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 1024)
    return fraction ? (style == FloatStyle::Fnuz ? nan : sign | nan) : tooLarge;
  if (exponent + bias >= 1 << exponentBits)
    return tooLarge;
  const std::uint32_t zero = style == FloatStyle::Fnuz ? 0 : sign;
  const bool normal = exponent + bias >= 1;
  const int shift = 52 - mantissaBits + (normal ? 0 : 1 - exponent - bias);
  if (exponent == -1023 || shift > 53)
    return zero;
  const std::uint64_t significand = fraction | std::uint64_t{1} << 52;
  std::uint64_t rounded = significand >> shift;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1), half = std::uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (rounded & 1)))
    ++rounded;
  // A carry out of the mantissa lands in the exponent, where it belongs.
  const std::uint32_t magnitude = static_cast<std::uint32_t>(
      normal ? rounded + (static_cast<std::uint64_t>(exponent + bias - 1) << mantissaBits) : rounded);
  if (magnitude > largest)
    return tooLarge;
  return magnitude ? sign | magnitude : zero;
}

} // namespace detail

/// A narrow float in memory: converts from and to `float`, in which all arithmetic happens. Copies are values.
template <class Bits, int exponentBits, int mantissaBits, int bias, detail::FloatStyle style> struct NarrowFloat {
  Bits bits = 0; ///< as stored

  constexpr NarrowFloat() = default;
  /// Rounds once, to nearest even.
  template <class Number>
    requires std::floating_point<Number> || std::integral<Number>
  constexpr NarrowFloat(Number value)
      : bits(static_cast<Bits>(
            detail::encodeFloat<exponentBits, mantissaBits, bias, style>(static_cast<double>(value)))) {}
  constexpr operator float() const {
    return static_cast<float>(detail::decodeFloat<exponentBits, mantissaBits, bias, style>(bits));
  }
  /// The value with exactly these bits.
  static constexpr NarrowFloat from_bits(Bits bits) {
    NarrowFloat value;
    value.bits = bits;
    return value;
  }
};

using half = NarrowFloat<std::uint16_t, 5, 10, 15, detail::FloatStyle::Ieee>;          ///< f16
using bfloat16 = NarrowFloat<std::uint16_t, 8, 7, 127, detail::FloatStyle::Ieee>;      ///< bf16
using float8_e4m3 = NarrowFloat<std::uint8_t, 4, 3, 7, detail::FloatStyle::Fn>;        ///< e4m3 (OCP, finite)
using float8_e5m2 = NarrowFloat<std::uint8_t, 5, 2, 15, detail::FloatStyle::Ieee>;     ///< e5m2 (OCP)
using float8_e4m3fnuz = NarrowFloat<std::uint8_t, 4, 3, 8, detail::FloatStyle::Fnuz>;  ///< e4m3fnuz (gfx94x)
using float8_e5m2fnuz = NarrowFloat<std::uint8_t, 5, 2, 16, detail::FloatStyle::Fnuz>; ///< e5m2fnuz (gfx94x)

namespace detail {

template <DType Element> constexpr auto hostTypeOf() {
  if constexpr (Element.isPointer())
    return std::type_identity<void *>();
  else if constexpr (Element == i1 || Element == u8)
    return std::type_identity<std::uint8_t>();
  else if constexpr (Element == i8)
    return std::type_identity<std::int8_t>();
  else if constexpr (Element == i16)
    return std::type_identity<std::int16_t>();
  else if constexpr (Element == i32)
    return std::type_identity<std::int32_t>();
  else if constexpr (Element == i64)
    return std::type_identity<std::int64_t>();
  else if constexpr (Element == u16)
    return std::type_identity<std::uint16_t>();
  else if constexpr (Element == u32)
    return std::type_identity<std::uint32_t>();
  else if constexpr (Element == u64)
    return std::type_identity<std::uint64_t>();
  else if constexpr (Element == f16)
    return std::type_identity<half>();
  else if constexpr (Element == bf16)
    return std::type_identity<bfloat16>();
  else if constexpr (Element == f32)
    return std::type_identity<float>();
  else if constexpr (Element == f64)
    return std::type_identity<double>();
  else if constexpr (Element == e4m3)
    return std::type_identity<float8_e4m3>();
  else if constexpr (Element == e5m2)
    return std::type_identity<float8_e5m2>();
  else if constexpr (Element == e4m3fnuz)
    return std::type_identity<float8_e4m3fnuz>();
  else if constexpr (Element == e5m2fnuz)
    return std::type_identity<float8_e5m2fnuz>();
  else
    return std::type_identity<void>();
}

template <class Host> constexpr DType dtypeOf() {
  if constexpr (std::is_pointer_v<Host>)
    return ptr_to(dtypeOf<std::remove_cv_t<std::remove_pointer_t<Host>>>());
  else if constexpr (std::is_same_v<Host, bool>)
    return i1;
  else if constexpr (std::is_same_v<Host, half>)
    return f16;
  else if constexpr (std::is_same_v<Host, bfloat16>)
    return bf16;
  else if constexpr (std::is_same_v<Host, float>)
    return f32;
  else if constexpr (std::is_same_v<Host, double>)
    return f64;
  else if constexpr (std::is_same_v<Host, float8_e4m3>)
    return e4m3;
  else if constexpr (std::is_same_v<Host, float8_e5m2>)
    return e5m2;
  else if constexpr (std::is_same_v<Host, float8_e4m3fnuz>)
    return e4m3fnuz;
  else if constexpr (std::is_same_v<Host, float8_e5m2fnuz>)
    return e5m2fnuz;
  else if constexpr (std::integral<Host> && std::is_signed_v<Host>)
    return sizeof(Host) == 1 ? i8 : sizeof(Host) == 2 ? i16 : sizeof(Host) == 4 ? i32 : i64;
  else if constexpr (std::integral<Host>)
    return sizeof(Host) == 1 ? u8 : sizeof(Host) == 2 ? u16 : sizeof(Host) == 4 ? u32 : u64;
  else
    return DType{};
}

} // namespace detail

/// The host type of one element of \p Element: float for f32, half for f16, a byte for i1, an address for pointers.
template <DType Element> using host_type = typename decltype(detail::hostTypeOf<Element>())::type;

/// The dtype whose elements have the host type \p Host; of kind None if there is none. `bool` gives i1, a byte u8.
template <class Host> inline constexpr DType dtype_of = detail::dtypeOf<std::remove_cv_t<Host>>();

} // namespace tessera

#endif // TESSERA_CORE_HOSTTYPES_H
