//===- AmdMath.cpp - AMD's instructions on numbers ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/AmdMath.h"

#include "Target/Sim/Ops/Cell.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace tessera::ir::sim {

using interp::E4M3;
using interp::E4M3Fnuz;
using interp::E5M2;
using interp::E5M2Fnuz;
using interp::fromDouble;

namespace {

float flush(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x; }

/// \p exact or a neighbour of it, as an odd or even number of the bits of \p of is set.
float neighbour(double exact, float of) {
  const auto nearest = static_cast<float>(exact);
  if (nearest == exact || std::isnan(exact))
    return nearest;
  const bool isAbove = nearest > exact, wantsAbove = std::popcount(std::bit_cast<std::uint32_t>(of)) % 2 != 0;
  if (isAbove == wantsAbove)
    return flush(nearest);
  return flush(std::nextafter(nearest, isAbove ? -INFINITY : INFINITY));
}

template <double (*kExact)(double)> void approximate(const Inst &i, Warp &w) {
  mapLanes<float, float>(i, w, [](float a) {
    const float x = flush(a);
    return neighbour(kExact(x), x);
  });
}

double exp2(double x) { return std::exp2(x); }
double log2(double x) { return std::log2(x); }
double reciprocal(double x) { return 1 / x; }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double sqrt(double x) { return std::sqrt(x); }
/// Of angles in turns; the chip knows only 256 of them.
double sin(double x) { return std::fabs(x) <= 256 ? std::sin(2 * std::numbers::pi * x) : std::nan(""); }
double cos(double x) { return std::fabs(x) <= 256 ? std::cos(2 * std::numbers::pi * x) : std::nan(""); }

void fract(const Inst &i, Warp &w) {
  mapLanes<float, float>(i, w, [](float x) {
    return std::isinf(x) ? std::nanf("") : std::isnan(x) ? x : std::min(x - std::floor(x), 0x1.fffffep-1f);
  });
}

void quotient(const Inst &i, Warp &w) {
  mapLanes2<float, float>(i, w,
                          [](float a, float b) { return neighbour(static_cast<double>(flush(a)) / flush(b), a); });
}

/// The second largest of three numbers; where one is NaN the least of the others.
void median(const Inst &i, Warp &w) {
  mapLanes3<float, float>(i, w, [](float a, float b, float c) {
    if (std::isnan(a) || std::isnan(b) || std::isnan(c))
      return std::fmin(std::fmin(a, b), c);
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
  });
}

//===----------------------------------------------------------------------===//
// fp8
//===----------------------------------------------------------------------===//

/// What f32 that is too large becomes hangs on a mode.
template <class T> std::uint32_t encode(float x) {
  constexpr bool hasInfinity = interp::FormatOf<T>::value.specials == interp::Specials::Ieee;
  const T plain = fromDouble<T>(x), saturated = fromDouble<T>(x, interp::Rounding::Nearest, true);
  const auto bits = std::bit_cast<std::uint8_t>(plain);
  const bool isTooLarge = bits != std::bit_cast<std::uint8_t>(saturated);
  return isTooLarge && !(hasInfinity && std::isinf(x)) ? 0x55 : bits;
}
template <class T> float decode(std::uint32_t byte) {
  return interp::widen(std::bit_cast<T>(static_cast<std::uint8_t>(byte)));
}

/// Two f32 into one half of a word, whose other half stays.
template <class T> void packPair(const Inst &i, Warp &w) {
  auto *o = w.reg<std::uint32_t>(i.out(0));
  const float *low = w.reg<float>(i.in(0)), *high = w.reg<float>(i.in(1));
  const auto *old = w.reg<std::uint32_t>(i.in(2));
  const auto *isUpper = w.reg<std::uint8_t>(i.in(3));
  forLanesOf(w.mask, [&](unsigned l) {
    const std::uint32_t pair = encode<T>(low[l]) | encode<T>(high[l]) << 8;
    o[l] = isUpper[l] ? (old[l] & 0xffff) | pair << 16 : (old[l] & 0xffff0000) | pair;
  });
}
template <class T> void unpackPair(const Inst &i, Warp &w) {
  auto *low = w.reg<float>(i.out(0)), *high = w.reg<float>(i.out(1));
  const auto *word = w.reg<std::uint32_t>(i.in(0));
  const auto *isUpper = w.reg<std::uint8_t>(i.in(1));
  forLanesOf(w.mask, [&](unsigned l) {
    const std::uint32_t pair = word[l] >> (isUpper[l] ? 16 : 0);
    low[l] = decode<T>(pair);
    high[l] = decode<T>(pair >> 8);
  });
}
template <class T> void unpackByte(const Inst &i, Warp &w) {
  mapLanes2<float, std::uint32_t>(
      i, w, [](std::uint32_t word, std::uint32_t which) { return decode<T>(word >> 8 * (which & 3)); });
}

/// Two f32 to f16 toward zero.
void packHalves(const Inst &i, Warp &w) {
  for (unsigned half : {0, 1}) {
    auto *o = w.reg<interp::F16>(i.out(half));
    const float *x = w.reg<float>(i.in(half));
    forLanesOf(w.mask, [&](unsigned l) { o[l] = fromDouble<interp::F16>(x[l], interp::Rounding::TowardZero); });
  }
}

constexpr Type kF32[] = {Type::F32, Type::F32, Type::F32};
constexpr Type kHalves[] = {Type::F16, Type::F16};
constexpr Type kWord[] = {Type::I32, Type::I32};
constexpr Type kWordAndFlag[] = {Type::I32, Type::I1};
constexpr Type kPairAndWord[] = {Type::F32, Type::F32, Type::I32, Type::I1};

/// The conversions of T, which its instructions call \p type.
template <class T> AmdMath conversion(std::string_view name, std::string_view type) {
  const llvm::ArrayRef<Type> f32(kF32), word(kWord);
  const auto is = [&](std::string_view before, std::string_view after) {
    return name.size() == before.size() + type.size() + after.size() && name.starts_with(before) &&
           name.substr(before.size()).starts_with(type) && name.ends_with(after);
  };
  if (is("cvt.pk.", ".f32"))
    return {packPair<T>, word.take_front(1), kPairAndWord};
  if (is("cvt.pk.f32.", ""))
    return {unpackPair<T>, f32.take_front(2), kWordAndFlag};
  if (is("cvt.f32.", ""))
    return {unpackByte<T>, f32.take_front(1), word};
  return {};
}

} // namespace

AmdMath amdMathFunction(std::string_view name, bool hasFnuz) {
  static constexpr std::pair<std::string_view, ExecFn> unaries[] = {
      {"exp2", approximate<exp2>},      {"log", approximate<log2>},
      {"rcp", approximate<reciprocal>}, {"rsq", approximate<rsqrt>},
      {"sqrt", approximate<sqrt>},      {"sin", approximate<sin>},
      {"cos", approximate<cos>},        {"fract", fract},
  };
  const llvm::ArrayRef<Type> f32(kF32);
  for (const auto &[known, exec] : unaries)
    if (known == name)
      return {exec, f32.take_front(1), f32.take_front(1)};
  if (name == "fdiv.fast")
    return {quotient, f32.take_front(1), f32.take_front(2)};
  if (name == "cvt.pkrtz")
    return {packHalves, kHalves, f32.take_front(2)};
  if (name == "fmed3")
    return {median, f32.take_front(1), f32};
  const AmdMath e4m3 = hasFnuz ? conversion<E4M3Fnuz>(name, "fp8") : conversion<E4M3>(name, "fp8");
  if (e4m3.exec)
    return e4m3;
  return hasFnuz ? conversion<E5M2Fnuz>(name, "bf8") : conversion<E5M2>(name, "bf8");
}

} // namespace tessera::ir::sim
