//===- NumbersSupport.h - runs number definitions on many inputs ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_CONVERSION_COMMON_NUMBERSSUPPORT_H
#define TESSERA_TEST_UNIT_CONVERSION_COMMON_NUMBERSSUPPORT_H

#include "Conversion/Common/Numbers/Numbers.h"
#include "Target/Interp/Float.h"
#include "unit/Conversion/ConstMathBuilder.h"

#include "mlir/IR/MLIRContext.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera::ir::numbers_test {

using interp::Format;

/// A float type, for the definitions and for the oracle.
struct FloatKind {
  const char *name;
  Format format;
  Type type;
};

inline std::vector<FloatKind> allFloats(MLIRContext &c) {
  using namespace interp;
  return {{"f16", FormatOf<F16>::value, mlir::Float16Type::get(&c)},
          {"bf16", FormatOf<BF16>::value, mlir::BFloat16Type::get(&c)},
          {"f32", FormatOf<float>::value, mlir::Float32Type::get(&c)},
          {"f64", FormatOf<double>::value, mlir::Float64Type::get(&c)},
          {"e4m3", FormatOf<E4M3>::value, mlir::Float8E4M3FNType::get(&c)},
          {"e5m2", FormatOf<E5M2>::value, mlir::Float8E5M2Type::get(&c)},
          {"e4m3fnuz", FormatOf<E4M3Fnuz>::value, mlir::Float8E4M3FNUZType::get(&c)},
          {"e5m2fnuz", FormatOf<E5M2Fnuz>::value, mlir::Float8E5M2FNUZType::get(&c)}};
}

inline std::uint64_t lowBits(unsigned bits) { return ~std::uint64_t(0) >> (64 - bits); }

/// Calls \p f with a zero of the type in which a batch holds elements of \p element.
template <class F> auto dispatchStored(Type element, F f) {
  if (element.isF32())
    return f(float());
  if (element.isF64())
    return f(double());
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
  case 8:
    return f(std::uint8_t());
  case 16:
    return f(std::uint16_t());
  case 32:
    return f(std::uint32_t());
  default:
    return f(std::uint64_t());
  }
}

template <class T> T fromWord(std::uint64_t word) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(word));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(word);
  else
    return static_cast<T>(word);
}
template <class T> std::uint64_t toWord(T x) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(x);
  else
    return x;
}

/// A value of stored elements whose bits are \p words.
inline Value makeBits(ConstMathBuilder &b, std::span<const std::uint64_t> words, Type element) {
  const Type stored = numbers::storedType(element);
  return dispatchStored(stored, [&]<class T>(T) {
    std::vector<T> elements;
    for (const std::uint64_t word : words)
      elements.push_back(fromWord<T>(word));
    return b.make<T>(std::span<const T>(elements), stored);
  });
}

/// The bits of lane \p i.
inline std::uint64_t bitsOfLane(const ConstMathBuilder &b, Value x, unsigned i) {
  return dispatchStored(MathBuilder::elementOf(x), [&]<class T>(T) { return toWord(b.lanes<T>(x)[i]); });
}

inline bool isNaN(std::uint64_t bits, const Format &format) {
  if (format.specials == interp::Specials::Fnuz)
    return bits == format.signBit();
  return (bits & (format.signBit() - 1)) >= format.infinity() + (format.specials == interp::Specials::Ieee);
}

/// Equal bits, or both NaN.
inline bool sameFloat(std::uint64_t a, std::uint64_t b, const Format &format) {
  return a == b || (isNaN(a, format) && isNaN(b, format));
}

/// Words in a fixed order without a pattern.
class Words {
public:
  std::uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

private:
  std::uint64_t state = 1;
};

/// Bits of \p kind worth trying: all of a narrow type; of a wide one every \p stride-th or as many words without a
/// pattern, special values, and neighbours of what lies in the middle between two values of \p target.
inline std::vector<std::uint64_t> samples(const FloatKind &kind, std::uint64_t stride,
                                          const FloatKind *target = nullptr) {
  std::vector<std::uint64_t> words;
  const unsigned bits = kind.format.bits;
  if (bits <= 16) {
    for (std::uint64_t i = 0; i <= lowBits(bits); ++i)
      words.push_back(i);
    return words;
  }
  Words random;
  for (std::uint64_t i = 0; i < (std::uint64_t(1) << 32); i += stride)
    words.push_back(bits == 32 ? i : random.next());
  const auto around = [&](double value) {
    const std::uint64_t center = interp::encode(value, kind.format, interp::Rounding::Nearest, false);
    for (const std::uint64_t near : {center - 1, center, center + 1})
      for (const std::uint64_t sign : {std::uint64_t(0), kind.format.signBit()})
        words.push_back((near ^ sign) & lowBits(bits));
  };
  for (const double special : {0.0, HUGE_VAL, std::nan(""), 1.0})
    around(special);
  for (int exponent = -1074; exponent < 1024; exponent += bits == 32 ? 3 : 7)
    around(std::ldexp(1.25, exponent));
  for (int exponent = 0; exponent <= 65; ++exponent)
    for (const double offset : {-1.0, -0.5, 0.0, 0.5, 1.0})
      around(std::ldexp(1.0, exponent) + offset);
  if (target && target->format.bits <= 32) {
    const std::uint64_t last = target->format.maxFinite() + 1, step = std::max<std::uint64_t>(1, last / 20000);
    for (std::uint64_t i = 0; i < last; i += step) {
      const double low = interp::decode(i, target->format);
      const double high =
          i + 1 == last ? 2 * low - interp::decode(i - 1, target->format) : interp::decode(i + 1, target->format);
      around((low + high) / 2);
    }
  }
  return words;
}

/// Calls \p batch with consecutive runs of \p count indices, at most as many as a builder has lanes.
template <class F> void forBatches(std::size_t count, F batch) {
  for (std::size_t first = 0; first < count; first += ConstMathBuilder::kLanes)
    batch(first, std::min<std::size_t>(ConstMathBuilder::kLanes, count - first));
}

} // namespace tessera::ir::numbers_test

#endif // TESSERA_TEST_UNIT_CONVERSION_COMMON_NUMBERSSUPPORT_H
