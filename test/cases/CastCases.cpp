//===- CastCases.cpp - reported mistakes in casts and precision ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

#include <bit>

namespace tessera::test {
namespace {

/// The value of an 8-bit float: \p mantissa stored bits, \p bias, and where its specials are.
enum class Specials { ieee, nanOnly, fnuz };
struct Format {
  DType dtype;
  int mantissa, bias;
  Specials specials;
};
const Format kFormats[] = {{e4m3, 3, 7, Specials::nanOnly},
                           {e5m2, 2, 15, Specials::ieee},
                           {e4m3fnuz, 3, 8, Specials::fnuz},
                           {e5m2fnuz, 2, 16, Specials::fnuz}};

double valueOf(unsigned bits, const Format &f) {
  const unsigned magnitude = bits & 0x7f;
  const double sign = bits & 0x80 ? -1 : 1;
  const int exponent = static_cast<int>(magnitude >> f.mantissa),
            fraction = static_cast<int>(magnitude & ((1u << f.mantissa) - 1));
  if (f.specials == Specials::fnuz && bits == 0x80)
    return kNan;
  if (f.specials == Specials::nanOnly && magnitude == 0x7f)
    return kNan;
  if (f.specials == Specials::ieee && exponent == 31)
    return fraction ? double(kNan) : sign * double(kInf);
  return sign * (exponent ? std::ldexp((1 << f.mantissa) + fraction, exponent - f.bias - f.mantissa)
                          : std::ldexp(fraction, 1 - f.bias - f.mantissa));
}

// SEMANTICS C1
// #5925: 9 lies between 8 and 10 in e5m2 and rounds to the even one.
TEST(CastCases, tieRoundsToEven) {
  const auto k = kernel("narrow", {"x", "out"}, [](Ptr<f16> x, Ptr<e5m2> out) { store(out, load(x).to(e5m2)); });
  const Buffer<f16> x = device().upload<f16>(std::vector<float>{9});
  Buffer<e5m2> out = device().buffer<e5m2>(1);
  k.launch(device(), 1, x, out);
  EXPECT_EQ(static_cast<float>(out.download()[0]), 8.0f);
}

struct NarrowConfig {
  DType to = e5m2;
};

// SEMANTICS C1, C3
// #8322, #7904: every f16 to every 8-bit float, against the nearest value by search.
TEST(CastCases, everyHalfToEightBits) {
  const auto k = kernel("narrow_all", {"out"}, [](const NarrowConfig &c, Ptr<u8> out) {
    Tile bits = program_id(0) * 4096 + arange(0, 4096);
    store(out + bits, bits.to(u16).bitcast(f16).to(c.to).bitcast(u8));
  });
  for (const Format &f : kFormats) {
    Buffer<u8> out = device().buffer<u8>(65536);
    k.with({f.dtype}).launch(device(), 16, out);
    const std::vector<std::uint8_t> got = out.download();
    unsigned largest = 0x7f;
    while (!std::isfinite(valueOf(largest, f)))
      --largest;
    for (unsigned bits = 0; bits != 65536; ++bits) {
      const double x = static_cast<float>(half::from_bits(static_cast<std::uint16_t>(bits))), size = std::fabs(x);
      const unsigned sign = bits & 0x8000 ? 0x80 : 0;
      const bool isNan = std::isnan(valueOf(got[bits], f));
      // Above the largest value plus half a step there is infinity, or NaN where the type has none.
      const double step = valueOf(largest, f) - valueOf(largest - 1, f);
      if (std::isnan(x)) {
        ASSERT_TRUE(isNan) << f.dtype.name() << " of NaN " << bits;
        continue;
      }
      const double above = valueOf(largest, f) + step / 2;
      if (size > above || (size == above && (largest & 1))) {
        if (f.specials == Specials::ieee)
          ASSERT_EQ(got[bits], sign | (largest + 1)) << f.dtype.name() << " of " << x;
        else
          ASSERT_TRUE(isNan) << f.dtype.name() << " of " << x;
        continue;
      }
      unsigned best = 0;
      for (unsigned i = 1; i <= largest; ++i) {
        const double here = std::fabs(valueOf(i, f) - size), before = std::fabs(valueOf(best, f) - size);
        if (here < before || (here == before && i % 2 == 0))
          best = i;
      }
      const unsigned want = best == 0 && f.specials == Specials::fnuz ? 0 : sign | best;
      ASSERT_EQ(got[bits], want) << f.dtype.name() << " of " << x;
    }
  }
}

template <DType To> void widenAll() {
  const auto k = kernel("widen_all", {"out"}, [](const NarrowConfig &c, Ptr<To> out) {
    Tile bits = arange(0, 256);
    store(out + bits, bits.to(u8).bitcast(c.to).to(To));
  });
  for (const Format &f : kFormats) {
    Buffer<To> out = device().buffer<To>(256);
    k.with({f.dtype}).launch(device(), 1, out);
    const std::vector<float> got = floats(out.download());
    for (unsigned bits = 0; bits != 256; ++bits) {
      const double want = valueOf(bits, f);
      if (std::isnan(want))
        EXPECT_TRUE(std::isnan(got[bits])) << f.dtype.name() << " " << bits;
      else
        EXPECT_EQ(std::bit_cast<std::uint32_t>(got[bits]), std::bit_cast<std::uint32_t>(static_cast<float>(want)))
            << f.dtype.name() << " " << bits;
    }
  }
}

// SEMANTICS C3
// #8322, #7904, intel#7771: every 8-bit float to the wider ones: exact, NaN stays NaN and infinity infinity.
TEST(CastCases, everyEightBitFloatWidens) {
  widenAll<f16>();
  widenAll<bf16>();
  widenAll<f32>();
}

// SEMANTICS A3
// #11610: 4097 * 4097 + 2^-30 is just above a tie; one rounding goes up, two would go to even.
TEST(CastCases, fusedMultiplyAddRoundsOnce) {
  const auto k =
      kernel("fused", {"x", "out"}, [](Ptr<f32> x, Ptr<f32> out) { store(out, fma(load(x), load(x), load(x + 1))); });
  const Buffer<f32> x = device().upload(std::vector<float>{4097, 0x1p-30f});
  Buffer<f32> out = device().buffer<f32>(1);
  k.launch(device(), 1, x, out);
  EXPECT_EQ(out.download()[0], 16785410.0f);
}

// SEMANTICS A3
// #10073: a division is correctly rounded unless the approximate one is asked for.
TEST(CastCases, divisionIsCorrectlyRounded) {
  const auto k =
      kernel("divisions", {"x", "y", "out", "near"}, [](Ptr<f32> x, Ptr<f32> y, Ptr<f32> out, Ptr<f32> near) {
        Tile i = program_id(0) * 1024 + arange(0, 1024);
        store(out + i, load(x + i) / load(y + i));
        store(near + i, fast_div(load(x + i), load(y + i)));
      });
  std::mt19937 random(3);
  std::vector<float> x(8192), y(8192);
  for (int i = 0; i != 8192; ++i) {
    x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(0x3f000000u + random() % 0x1000000u)); // 0.5 to 2
    y[i] = std::bit_cast<float>(static_cast<std::uint32_t>(0x3f000000u + random() % 0x1000000u));
  }
  x[0] = 0x1p-140f; // a denormal quotient
  const Buffer<f32> bx = device().upload(x), by = device().upload(y);
  Buffer<f32> out = device().buffer<f32>(8192), near = device().buffer<f32>(8192);
  k.launch(device(), 8, bx, by, out, near);
  const std::vector<float> got = out.download(), approximate = near.download();
  for (int i = 0; i != 8192; ++i) {
    const float want = static_cast<float>(static_cast<double>(x[i]) / y[i]); // a double quotient cannot lie on a tie
    ASSERT_EQ(got[i], want) << x[i] << " / " << y[i];
    if (i != 0) {
      ASSERT_NEAR(approximate[i], want, want * 0x1p-20);
    }
  }
}

// SEMANTICS A4, C2
// #8306: the logarithm of a positive 64-bit integer is finite.
TEST(CastCases, logarithmOfAnInteger) {
  const auto k = kernel("log_int", {"x", "out"}, [](Ptr<i64> x, Ptr<f32> out) {
    Tile i = arange(0, 8);
    store(out + i, log(load(x + i).to(f32)));
  });
  const std::vector<std::int64_t> x{1,
                                    2,
                                    3,
                                    1000003,
                                    std::int64_t(1) << 40,
                                    (std::int64_t(1) << 53) + 1,
                                    std::int64_t(1) << 62,
                                    std::numeric_limits<std::int64_t>::max()};
  const Buffer<i64> bx = device().upload(x);
  Buffer<f32> out = device().buffer<f32>(8);
  k.launch(device(), 1, bx, out);
  const std::vector<float> got = out.download();
  for (int i = 0; i != 8; ++i)
    EXPECT_FLOAT_EQ(got[i], static_cast<float>(std::log(static_cast<double>(static_cast<float>(x[i]))))) << x[i];
}

// SEMANTICS C3
// A number that counts along a tile wraps when it is narrowed, wherever it starts, and does not unwrap when it is
// widened.
TEST(CastCases, countingThatWraps) {
  const auto k = kernel("wraps", {"out", "n"}, [](Ptr<u32> out, Int n) {
    Tile i = arange(0, 8), v = (i + n).to(u8);
    store(out + i, v.to(u32));
    store(out + (8 + i), cumsum(v));
    store(out + (16 + i), (-(i + 2)).to(u8).to(u32));
  });
  for (const std::int64_t n : {-3, 5, 250}) {
    Buffer<u32> out = device().buffer<u32>(24);
    k.launch(device(), 1, out, n);
    const std::vector<std::uint32_t> got = out.download();
    std::uint32_t sum = 0;
    for (int i = 0; i != 8; ++i) {
      const auto byte = static_cast<std::uint8_t>(i + n);
      sum += byte;
      EXPECT_EQ(got[i], byte) << n << " + " << i;
      EXPECT_EQ(got[8 + i], sum) << n << " + " << i;
      EXPECT_EQ(got[16 + i], static_cast<std::uint8_t>(-(i + 2)));
    }
  }
}

} // namespace
} // namespace tessera::test
