//===- TrigReduction.cpp - multiples of pi/2 taken off -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Small arguments: n = rint(x 2/pi), and n pi/2 is subtracted in three parts (Cody and Waite); the first difference is
// exact, the others keep what rounding loses.
// Large ones (Payne and Hanek): |x| = m 2^e. Of the bits of 2/pi only a window matters: those above it make m times
// them a multiple of 4 quadrants, those below it make too little. The window is m's width of integer and fraction bits
// and as many again, so that even the closest miss of a multiple of pi/2 leaves a full mantissa. Only whole words of
// arithmetic are needed, and the window is chosen by selects, so there is no table in memory.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

static constexpr std::uint64_t kTwoOverPi32[] = {0,          0xA2F9836E, 0x4E441529, 0xFC2757D1,
                                                 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB};
static constexpr std::uint64_t kTwoOverPi64[] = {
    0,
    0xA2F9836E4E441529,
    0xFC2757D1F534DDC0,
    0xDB6295993C439041,
    0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0,
    0x06492EEA09D1921C,
    0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484,
    0xE99C7026B45F7E41,
    0x3991D639835339F4,
    0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F,
    0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08,
    0x56033046FC7B6BAB,
};

namespace {

/// The numbers that differ between f32 and f64.
struct Format {
  unsigned bits, mantissaBits, wordBits; ///< 2^wordBits is `bits`
  unsigned indexBits;                    ///< of the first word of a window
  ArrayRef<std::uint64_t> twoOverPi;
  double twoOverPiRounded, halfPi, halfPiMiddle, halfPiLow; ///< pi/2 in three parts
  double large;                                             ///< from where on the window is taken
};

Format formatOf(Float x) {
  if (x.isF64())
    return {64,
            52,
            6,
            5,
            kTwoOverPi64,
            0x1.45f306dc9c883p-1,
            0x1.921fb54442d18p0,
            0x1.1a62633145c07p-54,
            -0x1.f1976b7ed8fbcp-110,
            0x1p20};
  return {32, 23, 5, 3, kTwoOverPi32, 0x1.45f306p-1, 0x1.921fb6p0, -0x1.777a5cp-25, -0x1.ee59dap-50, 0x1p16};
}

/// Four words of 2/pi from the word \p first on; zeros past the table's end.
SmallVector<Int> wordsFrom(const Format &format, Int first) {
  SmallVector<Int> words;
  for (std::size_t i = 0; i < (std::size_t(1) << format.indexBits) + 3; ++i)
    words.push_back(first.constant(i < format.twoOverPi.size() ? static_cast<std::int64_t>(format.twoOverPi[i]) : 0));
  for (unsigned step = 1u << (format.indexBits - 1); step > 0; step /= 2) {
    const Bool skip = (first & step) != 0;
    for (unsigned i = 0; i < step + 3; ++i)
      words[i] = select(skip, words[i + step], words[i]);
    words.truncate(step + 3);
  }
  return words;
}

/// The upper word of a : b shifted left by less than a word.
Int funnel(const Format &format, Int a, Int b, Int amount) {
  return (a << amount) | shrU(shrU(b, 1), static_cast<std::int64_t>(format.bits - 1) - amount);
}

/// The sum of two parts, and what its rounding lost; `high` is the greater.
Parts renormalised(Float high, Float low) {
  const Float sum = high + low;
  return {sum, low - (sum - high)};
}

Reduced reduceSmall(const Format &format, Float x) {
  const Float n = roundEven(x * format.twoOverPiRounded);
  const Float a = fma(n, -format.halfPi, x); // exact
  const Float t = n * -format.halfPiMiddle;
  const Float tLost = fma(n, -format.halfPiMiddle, -t);
  const Float r = a + t;
  const Float back = r - a;
  Float low = (a - (r - back)) + (t - back);
  low = low + tLost;
  low = fma(n, -format.halfPiLow, low);
  return {renormalised(r, low), toInt(n)};
}

Reduced reduceLarge(const Format &format, Float x) {
  const unsigned width = format.bits, mantissa = format.mantissaBits, precision = mantissa + 1;
  const unsigned rest = width - precision; // bits of a word past a mantissa
  const std::int64_t hidden = std::int64_t(1) << mantissa;
  const std::int64_t bias = (std::int64_t(1) << (rest - 1)) - 1 + mantissa;

  const Int all = bits(abs(x));
  const Int e = shrU(all, mantissa) - bias;
  const Int m = (all & (hidden - 1)) | hidden; // |x| = m 2^e
  const Int start = e + static_cast<std::int64_t>(width - 2);
  const SmallVector<Int> words = wordsFrom(format, shrU(start, format.wordBits));
  const Int shift = start & (width - 1);
  const Int v0 = funnel(format, words[0], words[1], shift);
  const Int v1 = funnel(format, words[1], words[2], shift);
  const Int v2 = funnel(format, words[2], words[3], shift);

  // The lower three words of m times the window: two bits of quadrants, then the fraction.
  const Int low2 = m * v2, low1 = m * v1;
  const Int sum1 = low1 + umulHigh(m, v2);
  const Int one = m.constant(1), zero = m.constant(0);
  const Int sum0 = m * v0 + umulHigh(m, v1) + select(ltU(sum1, low1), one, zero);
  const Int quadrant = shrU(sum0, width - 2);
  const Int f0 = (sum0 << 2u) | shrU(sum1, width - 2);
  const Int f1 = (sum1 << 2u) | shrU(low2, width - 2);

  // From above a half, count down from the next quadrant.
  const Bool up = ltS(f0, 0);
  const Int g1 = select(up, zero - f1, f1);
  const Int g0 = select(up, (f0 ^ f0.constant(-1)) + select(f1 == 0, one, zero), f0);
  const Int zeros = select(g0 != 0, countLeadingZeros(g0), zero + static_cast<std::int64_t>(width - 1));
  const Int high = funnel(format, g0, g1, zeros);
  const Int low = g1 << zeros;
  const Float unit = powerOfTwo(-static_cast<std::int64_t>(precision) - zeros);
  const Float fh = toFloat(shrU(high, rest)) * unit;
  const Int lowBits =
      ((high & ((std::int64_t(1) << rest) - 1)) << (precision - rest)) | shrU(low, width - (precision - rest));
  const Float fl = toFloat(lowBits) * (unit * (mantissa == 52 ? 0x1p-53 : 0x1p-24));

  const Float r = fh * format.halfPi;
  Float l = fma(fh, format.halfPi, -r);
  l = fma(fh, format.halfPiMiddle, l);
  l = fma(fl, format.halfPi, l);
  const Parts sum = renormalised(r, l);
  const Bool negative = isNegative(x);
  const Bool flip = up ^ negative;
  const Int turned = quadrant + select(up, one, zero);
  return {{select(flip, -sum.high, sum.high), select(flip, -sum.low, sum.low)},
          select(negative, zero - turned, turned)};
}

} // namespace

Reduced reduceByHalfPi(Float x) {
  const Format format = formatOf(x);
  const Bool large = !(abs(x) < format.large);
  const Reduced small = reduceSmall(format, select(large, 0.0, x));
  MathBuilder &b = *x.builder;
  const MathBuilder::Values chosen =
      b.ifAny(large.value, {small.rest.high.value, small.rest.low.value, small.quadrant.value}, [&] {
        const Reduced full = reduceLarge(format, x);
        return MathBuilder::Values{full.rest.high.value, full.rest.low.value, full.quadrant.value};
      });
  return {{Float(b, chosen[0]), Float(b, chosen[1])}, Int{{&b, chosen[2]}}};
}

} // namespace tessera::ir::elementary
