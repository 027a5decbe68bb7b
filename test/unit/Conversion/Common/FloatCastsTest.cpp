//===- FloatCastsTest.cpp - conversions between number formats ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Conversion/Common/NumbersSupport.h"

#include "gtest/gtest.h"

namespace tessera::ir {
namespace {

using namespace numbers_test;
using interp::Rounding;
using tile::FloatRounding;

class NumberCasts : public testing::TestWithParam<int> {
protected:
  MLIRContext context;
  ConstMathBuilder b{context};
  std::vector<FloatKind> kinds = allFloats(context);
};

void expectConverted(ConstMathBuilder &b, const FloatKind &from, const FloatKind &to, FloatRounding rounding,
                     bool saturate) {
  const std::vector<std::uint64_t> words = samples(from, 60013, &to);
  const Rounding oracle = rounding == FloatRounding::Nearest      ? Rounding::Nearest
                          : rounding == FloatRounding::TowardZero ? Rounding::TowardZero
                                                                  : Rounding::Stochastic;
  Words noise;
  unsigned failures = 0;
  forBatches(words.size(), [&](std::size_t first, std::size_t count) {
    const std::span<const std::uint64_t> inputs(words.data() + first, count);
    std::vector<std::uint32_t> random;
    for (std::size_t i = 0; i != count; ++i) {
      const std::uint64_t word = noise.next();
      random.push_back(word % 8 == 0 ? std::uint32_t(-1) : word % 8 == 1 ? 0 : static_cast<std::uint32_t>(word >> 32));
    }
    b.clear();
    numbers::Narrowing how{rounding, saturate, {}};
    if (rounding == FloatRounding::Stochastic)
      how.random = b.make<std::uint32_t>(random);
    const Value result = numbers::convertFloat(b, makeBits(b, inputs, from.type), from.type, to.type, how);
    for (unsigned i = 0; i != count && failures < 5; ++i) {
      const double x = interp::decode(inputs[i], from.format);
      const std::uint64_t expected = interp::encode(x, to.format, oracle, saturate, random[i]);
      const std::uint64_t actual = bitsOfLane(b, result, i);
      if (sameFloat(expected, actual, to.format))
        continue;
      ++failures;
      ADD_FAILURE() << from.name << " to " << to.name << " rounding " << int(rounding) << " saturate " << saturate
                    << ": bits " << std::hex << inputs[i] << " (" << x << ") random " << random[i] << " gave " << actual
                    << ", expected " << expected;
    }
  });
}

// SEMANTICS C1: every pair of types, each kind of rounding, with and without saturation.
TEST_P(NumberCasts, c1_agreesWithTheOracle) {
  const FloatKind &from = kinds[GetParam()];
  for (const FloatKind &to : kinds) {
    for (const auto rounding : {FloatRounding::Nearest, FloatRounding::TowardZero, FloatRounding::Stochastic})
      for (const bool saturate : {false, true})
        expectConverted(b, from, to, rounding, saturate);
  }
}
INSTANTIATE_TEST_SUITE_P(From, NumberCasts, testing::Range(0, 8));

TEST_F(NumberCasts, c1_f16WithoutInstructions) {
  const FloatKind &f16 = kinds[0], &f32 = kinds[2];
  const std::vector<std::uint64_t> narrow = samples(f16, 1), wide = samples(f32, 20011, &f16);
  forBatches(narrow.size(), [&](std::size_t first, std::size_t count) {
    b.clear();
    const Value result = numbers::widenF16ByBits(b, makeBits(b, {narrow.data() + first, count}, f16.type));
    for (unsigned i = 0; i != count; ++i) {
      const double x = interp::decode(narrow[first + i], f16.format);
      ASSERT_TRUE(sameFloat(toWord(static_cast<float>(x)), bitsOfLane(b, result, i), f32.format)) << x;
    }
  });
  forBatches(wide.size(), [&](std::size_t first, std::size_t count) {
    b.clear();
    const Value result = numbers::narrowF16ByBits(b, makeBits(b, {wide.data() + first, count}, f32.type));
    for (unsigned i = 0; i != count; ++i) {
      const double x = interp::decode(wide[first + i], f32.format);
      const std::uint64_t expected = interp::encode(x, f16.format, Rounding::Nearest, false);
      ASSERT_TRUE(sameFloat(expected, bitsOfLane(b, result, i), f16.format)) << x;
    }
  });
}

TEST_F(NumberCasts, narrowExactKeepsWhatFits) {
  for (const FloatKind &kind : kinds) {
    if (kind.format.bits > 16)
      continue;
    const std::vector<std::uint64_t> words = samples(kind, 1);
    forBatches(words.size(), [&](std::size_t first, std::size_t count) {
      b.clear();
      const Value wide = numbers::widen(b, makeBits(b, {words.data() + first, count}, kind.type), kind.type);
      const Value result = numbers::narrowExact(b, wide, kind.type);
      for (unsigned i = 0; i != count; ++i)
        ASSERT_TRUE(sameFloat(words[first + i], bitsOfLane(b, result, i), kind.format)) << kind.name;
    });
  }
}

template <class Int> std::uint64_t truncated(double x) {
  return static_cast<std::uint64_t>(interp::truncateSaturating<Int>(x));
}

std::uint64_t truncatedTo(unsigned bits, bool isUnsigned, double x) {
  switch (bits) {
  case 8:
    return isUnsigned ? truncated<std::uint8_t>(x) : truncated<std::int8_t>(x);
  case 16:
    return isUnsigned ? truncated<std::uint16_t>(x) : truncated<std::int16_t>(x);
  case 32:
    return isUnsigned ? truncated<std::uint32_t>(x) : truncated<std::int32_t>(x);
  default:
    return isUnsigned ? truncated<std::uint64_t>(x) : truncated<std::int64_t>(x);
  }
}

// SEMANTICS C2: truncation, saturation, NaN to 0.
TEST_P(NumberCasts, c2_floatToInt) {
  const FloatKind &from = kinds[GetParam()];
  const std::vector<std::uint64_t> words = samples(from, 40009);
  for (const unsigned bits : {8u, 16u, 32u, 64u})
    for (const bool isUnsigned : {false, true})
      forBatches(words.size(), [&](std::size_t first, std::size_t count) {
        b.clear();
        const Value x = makeBits(b, {words.data() + first, count}, from.type);
        const Value result = numbers::floatToInt(b, x, from.type, bits, isUnsigned);
        ASSERT_EQ(MathBuilder::bitsOf(result), bits);
        for (unsigned i = 0; i != count; ++i) {
          const double value = interp::decode(words[first + i], from.format);
          ASSERT_EQ(bitsOfLane(b, result, i), truncatedTo(bits, isUnsigned, value) & lowBits(bits))
              << from.name << " " << value << " to " << (isUnsigned ? "u" : "i") << bits;
        }
      });
}

std::vector<std::uint64_t> integers(unsigned bits) {
  std::vector<std::uint64_t> words;
  if (bits <= 16) {
    for (std::uint64_t i = 0; i <= lowBits(bits); ++i)
      words.push_back(i);
    return words;
  }
  // Around powers of two and halves between what short significands hold; words of every length.
  for (unsigned at = 0; at != bits; ++at)
    for (unsigned tail = 0; tail <= std::min(at, 14u); ++tail)
      for (const std::int64_t offset : {-1, 0, 1})
        for (const bool negative : {false, true}) {
          const std::uint64_t word =
              (std::uint64_t(1) << at) + (std::uint64_t(1) << (at - tail)) + static_cast<std::uint64_t>(offset);
          words.push_back((negative ? 0 - word : word) & lowBits(bits));
        }
  Words random;
  for (unsigned i = 0; i != 20000; ++i) {
    const std::uint64_t word = random.next();
    words.push_back((random.next() >> (word % 64)) & lowBits(bits));
  }
  return words;
}

// SEMANTICS C2: integers round once to nearest even.
TEST_P(NumberCasts, c2_intToFloat) {
  const FloatKind &to = kinds[GetParam()];
  for (const unsigned bits : {1u, 8u, 16u, 32u, 64u})
    for (const bool isUnsigned : {false, true}) {
      const std::vector<std::uint64_t> words = integers(bits);
      forBatches(words.size(), [&](std::size_t first, std::size_t count) {
        b.clear();
        const Value x = makeBits(b, {words.data() + first, count}, IntegerType::get(&context, bits));
        const Value result = numbers::intToFloat(b, x, to.type, isUnsigned);
        for (unsigned i = 0; i != count; ++i) {
          const std::uint64_t word = words[first + i];
          const auto value = static_cast<std::int64_t>(word << (64 - bits)) >> (64 - bits);
          std::uint64_t expected;
          if (to.format.bits == 64)
            expected = toWord(isUnsigned ? static_cast<double>(word) : static_cast<double>(value));
          else if (to.format.bits == 32)
            expected = toWord(isUnsigned ? static_cast<float>(word) : static_cast<float>(value));
          else
            expected = interp::encode(isUnsigned ? interp::toDoubleSticky(word) : interp::toDoubleSticky(value),
                                      to.format, Rounding::Nearest, false);
          ASSERT_TRUE(sameFloat(expected, bitsOfLane(b, result, i), to.format))
              << (isUnsigned ? "u" : "i") << bits << " " << std::hex << word << " to " << to.name << " gave "
              << bitsOfLane(b, result, i) << ", expected " << expected;
        }
      });
    }
}

} // namespace
} // namespace tessera::ir
