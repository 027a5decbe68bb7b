//===- FloatFormat.h - how float types lie in their bits -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_NUMBERS_FLOATFORMAT_H
#define TESSERA_CONVERSION_COMMON_NUMBERS_FLOATFORMAT_H

#include "IRSupport/LLVM.h"

#include <cstdint>

namespace tessera::ir::numbers {

/// A binary float format of at most 64 bits.
struct FloatFormat {
  /// What lies above the largest finite value: infinity and NaN, one NaN of each sign, or nothing (the one NaN of such
  /// a type is where others have -0).
  enum class Specials : std::uint8_t { Ieee, NanOnly, Fnuz };

  unsigned bits, mantissa; ///< total width; stored mantissa bits
  int bias;
  Specials specials;

  static FloatFormat of(Type element);

  /// Encoding of the largest finite magnitude.
  constexpr std::uint64_t maxFinite() const {
    const std::uint64_t all = (std::uint64_t(1) << (bits - 1)) - 1;
    if (specials == Specials::Ieee)
      return (((std::uint64_t(1) << (bits - 1 - mantissa)) - 1) << mantissa) - 1;
    return specials == Specials::NanOnly ? all - 1 : all;
  }
  /// Encoding of what a finite value that is too large becomes: infinity, or NaN where there is none.
  constexpr std::uint64_t overflow() const { return specials == Specials::Ieee ? maxFinite() + 1 : nan(); }
  constexpr std::uint64_t nan() const {
    if (specials == Specials::Ieee)
      return (maxFinite() + 1) | (std::uint64_t(1) << (mantissa - 1));
    return specials == Specials::NanOnly ? signBit() - 1 : signBit();
  }
  constexpr std::uint64_t signBit() const { return std::uint64_t(1) << (bits - 1); }
  /// The largest finite magnitude.
  double largest() const;
};

} // namespace tessera::ir::numbers

#endif // TESSERA_CONVERSION_COMMON_NUMBERS_FLOATFORMAT_H
