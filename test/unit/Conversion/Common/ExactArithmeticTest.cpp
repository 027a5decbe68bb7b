//===- ExactArithmeticTest.cpp - exact functions of numbers ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Conversion/Common/NumbersSupport.h"

#include "gtest/gtest.h"

#include <functional>

namespace tessera::ir {
namespace {

using namespace numbers_test;
using interp::Rounding;
using tile::DivRounding;

class ExactArithmetic : public testing::Test {
protected:
  /// A word for a float: any bits, or an exponent near the middle or the ends of the range.
  std::uint64_t floatWord(const Format &format) {
    const std::uint64_t word = random.next();
    const std::uint64_t fraction = word & ((std::uint64_t(1) << format.mantissa) - 1);
    const std::uint64_t top = std::uint64_t(1) << (format.bits - 1 - format.mantissa);
    const std::uint64_t sign = random.next() & format.signBit();
    const std::uint64_t near = static_cast<std::uint64_t>(format.bias) - 8 + random.next() % 16;
    switch (random.next() % 8) {
    case 0: // small integers and zero
      return sign | interp::encode(static_cast<double>(word % 5), format, Rounding::Nearest, false);
    case 1: // denormal or smallest normal
      return sign | (random.next() % 2) << format.mantissa | fraction;
    case 2: // largest, infinite, NaN
      return sign | (top - 1 - random.next() % 2) << format.mantissa | (random.next() % 4 ? fraction : 0);
    case 3:
    case 4:
      return word & lowBits(format.bits);
    case 5: // few bits, so that ties happen
      return sign | near << format.mantissa | (fraction & ~((std::uint64_t(1) << (format.mantissa / 2)) - 1));
    default:
      return sign | near << format.mantissa | fraction;
    }
  }

  using Words3 = std::array<std::vector<std::uint64_t>, 3>;
  /// Operands of a float operation. Of every four third operands, one nearly cancels the product of the others and one
  /// lies far below it.
  Words3 operands(const Format &format, unsigned count) {
    Words3 words;
    for (unsigned i = 0; i != count; ++i) {
      for (auto &list : words)
        list.push_back(floatWord(format));
      const double product = interp::decode(words[0][i], format) * interp::decode(words[1][i], format);
      if (i % 4 < 2)
        words[2][i] = interp::encode(i % 4 ? -product : product * 0x1p-40, format, Rounding::Nearest, false);
    }
    return words;
  }

  using Definition = std::function<Value(Value, Value, Value)>;
  /// Compares \p definition with \p oracle, which works on bits; operands for which \p applies is false are left out.
  void expectSame(const char *what, const FloatKind &kind, const Words3 &words, const Definition &definition,
                  const std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)> &oracle,
                  const std::function<bool(double, double, double)> &applies = {}) {
    unsigned failures = 0;
    forBatches(words[0].size(), [&](std::size_t first, std::size_t count) {
      b.clear();
      Value operand[3];
      for (unsigned j = 0; j != 3; ++j)
        operand[j] = makeBits(b, {words[j].data() + first, count}, kind.type);
      const Value result = definition(operand[0], operand[1], operand[2]);
      for (unsigned i = 0; i != count && failures < 5; ++i) {
        const std::uint64_t x = words[0][first + i], y = words[1][first + i], z = words[2][first + i];
        const double p = interp::decode(x, kind.format), q = interp::decode(y, kind.format),
                     r = interp::decode(z, kind.format);
        const std::uint64_t expected = oracle(x, y, z), actual = bitsOfLane(b, result, i);
        if ((applies && !applies(p, q, r)) || sameFloat(expected, actual, kind.format))
          continue;
        ++failures;
        ADD_FAILURE() << kind.name << " " << what << " of " << p << ", " << q << ", " << r << " gave " << std::hex
                      << actual << ", expected " << expected;
      }
    });
  }

  template <class T>
  void expectBinary(const char *what, const FloatKind &kind, unsigned count,
                    Value (*definition)(MathBuilder &, Value, Value), T (*oracle)(T, T)) {
    expectSame(
        what, kind, operands(kind.format, count), [&](Value x, Value y, Value) { return definition(b, x, y); },
        [&](std::uint64_t x, std::uint64_t y, std::uint64_t) {
          return toWord(oracle(fromWord<T>(x), fromWord<T>(y)));
        });
  }

  MLIRContext context;
  ConstMathBuilder b{context};
  std::vector<FloatKind> kinds = allFloats(context);
  const FloatKind &f16 = kinds[0], &bf16 = kinds[1], &f32 = kinds[2], &f64 = kinds[3];
  Words random;
};

TEST_F(ExactArithmetic, a4_floatRemainder) {
  expectBinary<float>("remainder", f32, 40000, numbers::floatRemainder,
                      [](float x, float y) { return std::fmod(x, y); });
  expectBinary<double>("remainder", f64, 20000, numbers::floatRemainder,
                       [](double x, double y) { return std::fmod(x, y); });
}

TEST_F(ExactArithmetic, a5_maxMin) {
  expectBinary<float>("maxNum", f32, 20000, numbers::maxNum, interp::maximumNumber);
  expectBinary<float>("minNum", f32, 20000, numbers::minNum, interp::minimumNumber);
  expectBinary<double>("maximum", f64, 20000, numbers::maximum, interp::maximumPropagate);
  expectBinary<double>("minimum", f64, 20000, numbers::minimum, interp::minimumPropagate);
}

// SEMANTICS A3: one rounding, in f16 and bf16 too.
TEST_F(ExactArithmetic, a3_fmaOfNarrowTypes) {
  const auto check = [&]<class T>(const FloatKind &kind, T) {
    expectSame(
        "fma", kind, operands(kind.format, 200000),
        [&](Value x, Value y, Value z) { return numbers::fusedMultiplyAdd(b, x, y, z, kind.type); },
        [](std::uint64_t x, std::uint64_t y, std::uint64_t z) -> std::uint64_t {
          const auto make = [](std::uint64_t word) { return T{static_cast<std::uint16_t>(word)}; };
          return interp::fusedMultiplyAdd(make(x), make(y), make(z)).bits;
        });
  };
  check(f16, interp::F16());
  check(bf16, interp::BF16());
}

TEST_F(ExactArithmetic, a3_fmaWithoutInstructions) {
  expectSame(
      "fma", f32, operands(f32.format, 100000),
      [&](Value x, Value y, Value z) { return numbers::fmaOfF32ByF64(b, x, y, z); },
      [](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        return toWord(std::fma(fromWord<float>(x), fromWord<float>(y), fromWord<float>(z)));
      });
  expectSame(
      "fma", f64, operands(f64.format, 100000),
      [&](Value x, Value y, Value z) { return numbers::fmaOfF64ByParts(b, x, y, z); },
      [](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        return toWord(std::fma(fromWord<double>(x), fromWord<double>(y), fromWord<double>(z)));
      },
      [](double x, double y, double) {
        const double product = std::fabs(x * y);
        return x == 0 || y == 0 || (product > 0x1p-900 && std::isfinite(product)) || !std::isfinite(x) ||
               !std::isfinite(y);
      });
}

// SEMANTICS A3: parts of numbers near the end of the range must not leave it.
TEST_F(ExactArithmetic, a3_fmaWithoutInstructionsOfHugeNumbers) {
  constexpr double most = std::numeric_limits<double>::max();
  const double factors[] = {most, -most,  0x1.fffffffp1023,     0x1.8p1023, 0x1p961, 0x1.0000001p512, 3.5, 1, -1,
                            0.5,  1e-300, 0x1.fffffffffffffp-1, 0,          -0.0};
  const double addends[] = {0, -0.0, 1, 0x1p-1060, -1e-308, most, -most, 0x1.fffffffffffffp969, -0x1p1023, 1e300};
  Words3 words;
  for (double x : factors)
    for (double y : factors)
      for (double z : addends) {
        words[0].push_back(toWord(x));
        words[1].push_back(toWord(y));
        words[2].push_back(toWord(z));
      }
  expectSame(
      "fma", f64, words, [&](Value x, Value y, Value z) { return numbers::fmaOfF64ByParts(b, x, y, z); },
      [](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        return toWord(std::fma(fromWord<double>(x), fromWord<double>(y), fromWord<double>(z)));
      });
}

// SEMANTICS A4: ldexp rounds once, ilogb counts denormals' exponents.
TEST_F(ExactArithmetic, a4_ldexpAndIlogb) {
  for (const FloatKind &kind : {f16, bf16, f32, f64}) {
    const unsigned count = 20000;
    std::vector<std::uint64_t> words, exponents;
    for (unsigned i = 0; i != count; ++i) {
      words.push_back(floatWord(kind.format));
      const std::uint64_t spread = kind.format.bits == 64 ? 4400 : 700;
      const std::uint64_t near = random.next() % spread - spread / 2;
      exponents.push_back((i % 16 ? near : random.next()) & 0xffffffff);
    }
    forBatches(count, [&](std::size_t first, std::size_t n) {
      b.clear();
      const Value x = makeBits(b, {words.data() + first, n}, kind.type);
      const Value e = makeBits(b, {exponents.data() + first, n}, IntegerType::get(&context, 32));
      const Value scaled = numbers::ldexp(b, x, e, kind.type), logarithm = numbers::ilogb(b, x, kind.type);
      for (unsigned i = 0; i != n; ++i) {
        const double v = interp::decode(words[first + i], kind.format);
        const auto exponent = static_cast<std::int32_t>(exponents[first + i]);
        const std::uint64_t expected = interp::encode(std::ldexp(v, exponent), kind.format, Rounding::Nearest, false);
        ASSERT_TRUE(sameFloat(expected, bitsOfLane(b, scaled, i), kind.format))
            << kind.name << " ldexp of " << v << ", " << exponent << " gave " << std::hex << bitsOfLane(b, scaled, i)
            << ", expected " << expected;
        const std::int32_t log = v == 0              ? std::numeric_limits<std::int32_t>::min()
                                 : !std::isfinite(v) ? std::numeric_limits<std::int32_t>::max()
                                                     : std::ilogb(v);
        ASSERT_EQ(static_cast<std::int32_t>(bitsOfLane(b, logarithm, i)), log) << kind.name << " ilogb of " << v;
      }
    });
  }
}

// -- Integers -------------------------------------------------------------------------------------

/// Floor and ceiling of a quotient that fits, from one that truncates.
std::int64_t rounded(__int128 x, __int128 y, DivRounding rounding, bool remainder) {
  __int128 q = x / y, r = x % y;
  if (rounding == DivRounding::Floor && r != 0 && (r < 0) != (y < 0)) {
    q -= 1;
    r += y;
  } else if (rounding == DivRounding::Ceil && r != 0 && (r < 0) == (y < 0)) {
    q += 1;
  }
  return static_cast<std::int64_t>(remainder ? r : q);
}

constexpr auto kLimit = static_cast<std::uint64_t>(numbers::kFloatQuotientLimit);

// SEMANTICS A1.
TEST_F(ExactArithmetic, a1_quotientsByFloats) {
  for (const unsigned bits : {8u, 16u, 32u, 64u})
    for (const bool isUnsigned : {false, true})
      for (const auto rounding : {DivRounding::Trunc, DivRounding::Floor, DivRounding::Ceil}) {
        const Type type = IntegerType::get(&context, bits);
        for (unsigned batch = 0; batch != 100; ++batch) {
          std::vector<std::uint64_t> xs, ys;
          while (xs.size() != ConstMathBuilder::kLanes) {
            std::uint64_t x = (random.next() >> random.next() % 64) & lowBits(bits);
            std::uint64_t y = (random.next() >> random.next() % 64) & lowBits(bits);
            if (random.next() % 2)
              y = (0 - y) & lowBits(bits);
            if (random.next() % 2) // near a multiple
              x = (y * (x % 1000) + random.next() % 3 - 1) & lowBits(bits);
            if (bits == 64) { // within limits
              x = (x & (kLimit - 1)) - (isUnsigned || random.next() % 2 ? 0 : kLimit);
              y = (y & (kLimit - 1)) - (isUnsigned || random.next() % 2 ? 0 : kLimit);
            }
            const bool overflows = !isUnsigned && y == lowBits(bits) && x == std::uint64_t(1) << (bits - 1);
            if (y != 0 && !overflows) {
              xs.push_back(x);
              ys.push_back(y);
            }
          }
          b.clear();
          const numbers::Division how{rounding, isUnsigned};
          const Value x = makeBits(b, xs, type), y = makeBits(b, ys, type);
          const Value q = numbers::quotientByFloats(b, x, y, isUnsigned);
          const Value r = b.subI(x, b.mulI(q, y));
          const Value quotient = numbers::adjustQuotient(b, q, r, y, how);
          const Value remainder = numbers::adjustRemainder(b, r, y, how);
          for (unsigned i = 0; i != xs.size(); ++i) {
            const auto number = [&](std::uint64_t word) {
              return isUnsigned ? static_cast<std::int64_t>(word)
                                : static_cast<std::int64_t>(word << (64 - bits)) >> (64 - bits);
            };
            const __int128 p = number(xs[i]), d = number(ys[i]);
            ASSERT_EQ(bitsOfLane(b, quotient, i), rounded(p, d, rounding, false) & lowBits(bits))
                << number(xs[i]) << " / " << number(ys[i]) << " in " << (isUnsigned ? "u" : "i") << bits;
            if (rounding != DivRounding::Ceil)
              ASSERT_EQ(bitsOfLane(b, remainder, i), rounded(p, d, rounding, true) & lowBits(bits))
                  << number(xs[i]) << " % " << number(ys[i]) << " in " << (isUnsigned ? "u" : "i") << bits;
          }
        }
      }
}

// SEMANTICS A2: no amount is harmful, those below the width are exact.
TEST_F(ExactArithmetic, a2_shifts) {
  const std::vector<std::uint64_t> xs(40, 0x80000005), amounts = [] {
    std::vector<std::uint64_t> list;
    for (std::uint64_t i = 0; i != 40; ++i)
      list.push_back(i);
    return list;
  }();
  const Type i32 = IntegerType::get(&context, 32);
  const Value x = makeBits(b, xs, i32), amount = makeBits(b, amounts, i32);
  const Value left = numbers::shiftLeft(b, x, amount), logical = numbers::shiftRight(b, x, amount, true),
              arithmetic = numbers::shiftRight(b, x, amount, false);
  for (unsigned i = 0; i != 32; ++i) {
    EXPECT_EQ(bitsOfLane(b, left, i), 0x80000005u << i);
    EXPECT_EQ(bitsOfLane(b, logical, i), 0x80000005u >> i);
    EXPECT_EQ(bitsOfLane(b, arithmetic, i), static_cast<std::uint32_t>(std::int32_t(0x80000005u) >> i));
  }
  EXPECT_NE(bitsOfLane(b, left, 33), 0x5a5a5a5au);
}

// SEMANTICS N1: the known answers of Philox-4x32-10.
TEST_F(ExactArithmetic, n1_philox) {
  struct Case {
    std::array<std::uint32_t, 2> key;
    std::array<std::uint32_t, 4> counter, words;
  };
  const Case cases[] = {
      {{0, 0}, {0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{~0u, ~0u}, {~0u, ~0u, ~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0xa4093822, 0x299f31d0},
       {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Case &known : cases) {
    b.clear();
    const auto word = [&](std::uint32_t w) { return b.make<std::uint32_t>(std::span<const std::uint32_t>(&w, 1)); };
    std::array<Value, 4> counter;
    for (unsigned i = 0; i != 4; ++i)
      counter[i] = word(known.counter[i]);
    const auto result = numbers::philox(b, {word(known.key[0]), word(known.key[1])}, counter, 10);
    for (unsigned i = 0; i != 4; ++i)
      EXPECT_EQ(bitsOfLane(b, result[i], 0), known.words[i]);
  }
}

} // namespace
} // namespace tessera::ir
