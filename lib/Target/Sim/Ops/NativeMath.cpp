//===- NativeMath.cpp - NVIDIA's instructions on numbers ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// An opcode is words between dots: the operation, modifiers, types. Registers are taken for what the types say.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeMath.h"

#include "Target/Sim/Ops/Cell.h"
#include "Target/Sim/Ops/Words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tessera::ir::sim {

using interp::BF16;
using interp::E4M3;
using interp::E5M2;
using interp::F16;
using interp::fromDouble;
using interp::Rounding;
using interp::toDouble;

namespace {

/// A denormal becomes a zero of its sign.
template <class T> double flush(double x) {
  constexpr interp::Format format = interp::FormatOf<T>::value;
  return std::fabs(x) < std::ldexp(1.0, 1 - format.bias) ? std::copysign(0.0, x) : x;
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);

Unary unaryOf(std::string_view name) {
  static constexpr std::pair<std::string_view, Unary> all[] = {
      {"ex2", [](double a) { return std::exp2(a); }},  {"lg2", [](double a) { return std::log2(a); }},
      {"rcp", [](double a) { return 1.0 / a; }},       {"rsqrt", [](double a) { return 1.0 / std::sqrt(a); }},
      {"sqrt", [](double a) { return std::sqrt(a); }}, {"sin", [](double a) { return std::sin(a); }},
      {"cos", [](double a) { return std::cos(a); }},   {"tanh", [](double a) { return std::tanh(a); }},
      {"abs", [](double a) { return std::fabs(a); }},  {"neg", [](double a) { return -a; }},
  };
  const auto *found =
      std::find_if(std::begin(all), std::end(all), [&](const auto &each) { return each.first == name; });
  return found == std::end(all) ? nullptr : found->second;
}

Binary binaryOf(const Words &words) {
  const std::string_view name = words.front();
  if (name == "div")
    return [](double a, double b) { return a / b; };
  if (name == "add")
    return [](double a, double b) { return a + b; };
  if (name == "sub")
    return [](double a, double b) { return a - b; };
  if (name == "mul")
    return [](double a, double b) { return a * b; };
  const bool propagates = has(words, "NaN");
  if (name == "min")
    return propagates ? Binary(interp::minimumPropagate<double>) : Binary(interp::minimumNumber<double>);
  if (name == "max")
    return propagates ? Binary(interp::maximumPropagate<double>) : Binary(interp::maximumNumber<double>);
  return nullptr;
}

// The function itself is a number in the instruction's `imm`: one body serves all of them.

template <class T, unsigned kPacked, bool kFlushes> void unary(const Inst &i, Warp &w) {
  const auto fn = reinterpret_cast<Unary>(i.imm);
  T *o = w.reg<T>(i.out(0));
  const T *a = w.reg<T>(i.in(0));
  forLanesOf(w.mask, [&](unsigned l) {
    for (unsigned k = kPacked * l; k != kPacked * (l + 1); ++k) {
      const double x = toDouble(a[k]), y = fn(kFlushes ? flush<T>(x) : x);
      o[k] = fromDouble<T>(kFlushes ? flush<T>(y) : y);
    }
  });
}
template <class T, unsigned kPacked, bool kFlushes> void binary(const Inst &i, Warp &w) {
  const auto fn = reinterpret_cast<Binary>(i.imm);
  T *o = w.reg<T>(i.out(0));
  const T *a = w.reg<T>(i.in(0)), *b = w.reg<T>(i.in(1));
  forLanesOf(w.mask, [&](unsigned l) {
    for (unsigned k = kPacked * l; k != kPacked * (l + 1); ++k) {
      const double x = toDouble(a[k]), y = toDouble(b[k]);
      const double z = kFlushes ? fn(flush<T>(x), flush<T>(y)) : fn(x, y);
      o[k] = fromDouble<T>(kFlushes ? flush<T>(z) : z);
    }
  });
}
template <class T, unsigned kPacked> void fma(const Inst &i, Warp &w) {
  T *o = w.reg<T>(i.out(0));
  const T *a = w.reg<T>(i.in(0)), *b = w.reg<T>(i.in(1)), *c = w.reg<T>(i.in(2));
  forLanesOf(w.mask, [&](unsigned l) {
    for (unsigned k = kPacked * l; k != kPacked * (l + 1); ++k)
      o[k] = interp::fusedMultiplyAdd(a[k], b[k], c[k]);
  });
}

/// The largest f32 not above a * b + c.
float fmaDown(float a, float b, float c) {
  const double product = double(a) * b, sum = product + c; // the product is exact
  const double back = sum - product, lost = (product - (sum - back)) + (c - back);
  const float nearest = static_cast<float>(sum);
  const bool above = nearest > sum || (nearest == sum && lost < 0);
  return above ? std::nextafter(nearest, -INFINITY) : nearest;
}

/// fma on f32 with the modifiers that only it has: rounded down, and cut to [0, 1] with NaN as 0.
template <bool kDown, bool kCuts> void fmaF32(const Inst &i, Warp &w) {
  mapLanes3<float, float>(i, w, [](float a, float b, float c) {
    const float r = kDown ? fmaDown(a, b, c) : std::fma(a, b, c);
    return !kCuts ? r : r > 0 ? std::min(r, 1.0f) : 0.0f;
  });
}

/// Calls `fn.operator()<T, packed>()` for a type of PTX.
template <class Fn> ExecFn withPtxFloat(std::string_view type, Fn &&fn) {
  if (type == "f32")
    return fn.template operator()<float, 1u>();
  if (type == "f64")
    return fn.template operator()<double, 1u>();
  if (type == "f16")
    return fn.template operator()<F16, 1u>();
  if (type == "f16x2")
    return fn.template operator()<F16, 2u>();
  if (type == "bf16")
    return fn.template operator()<BF16, 1u>();
  if (type == "bf16x2")
    return fn.template operator()<BF16, 2u>();
  return nullptr;
}

/// Null for what no instruction has.
ExecFn multiplyAdd(const Words &words) {
  const bool down = has(words, "rm"), cuts = has(words, "sat");
  if (has(words, "ftz") || has(words, "relu") || down == has(words, "rn"))
    return nullptr;
  if (!down && !cuts)
    return withPtxFloat(words.back(), []<class T, unsigned kPacked>() -> ExecFn { return fma<T, kPacked>; });
  if (words.back() != "f32")
    return nullptr;
  if (down)
    return cuts ? fmaF32<true, true> : fmaF32<true, false>;
  return fmaF32<false, true>;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Two f32 as a packed pair: PTX puts the first operand into the upper half.
template <class T, bool kSaturates, bool kTowardZero> void packPair(const Inst &i, Warp &w) {
  T *o = w.reg<T>(i.out(0));
  const float *high = w.reg<float>(i.in(0)), *low = w.reg<float>(i.in(1));
  constexpr Rounding rounding = kTowardZero ? Rounding::TowardZero : Rounding::Nearest;
  forLanesOf(w.mask, [&](unsigned l) {
    o[2 * l] = fromDouble<T>(low[l], rounding, kSaturates);
    o[2 * l + 1] = fromDouble<T>(high[l], rounding, kSaturates);
  });
}
/// A packed pair as another; both halves stay where they are.
template <class From, class To, bool kSaturates> void convertPair(const Inst &i, Warp &w) {
  To *o = w.reg<To>(i.out(0));
  const From *a = w.reg<From>(i.in(0));
  forLanesOf(w.mask, [&](unsigned l) {
    for (unsigned k = 2 * l; k != 2 * l + 2; ++k)
      o[k] = fromDouble<To>(toDouble(a[k]), Rounding::Nearest, kSaturates);
  });
}
template <class From, class To, bool kTowardZero> void convertOne(const Inst &i, Warp &w) {
  mapLanes<To, From>(
      i, w, [](From a) { return fromDouble<To>(toDouble(a), kTowardZero ? Rounding::TowardZero : Rounding::Nearest); });
}

/// f32 with 10 bits of mantissa, ties away from zero.
void roundToTf32(const Inst &i, Warp &w) {
  mapLanes<std::uint32_t, std::uint32_t>(i, w, [](std::uint32_t a) {
    const bool special = (a & 0x7f800000u) == 0x7f800000u;
    return special ? a : (a + 0x1000u) & 0xffffe000u;
  });
}

template <class From> ExecFn convertPairTo(std::string_view to, bool saturates) {
  if (to == "e4m3x2")
    return saturates ? convertPair<From, E4M3, true> : convertPair<From, E4M3, false>;
  if (to == "e5m2x2")
    return saturates ? convertPair<From, E5M2, true> : convertPair<From, E5M2, false>;
  if (to == "f16x2")
    return convertPair<From, F16, false>;
  if (to == "bf16x2")
    return convertPair<From, BF16, false>;
  return nullptr;
}

template <class T> ExecFn packTo(bool saturates, bool towardZero) {
  if (towardZero)
    return saturates ? packPair<T, true, true> : packPair<T, false, true>;
  return saturates ? packPair<T, true, false> : packPair<T, false, false>;
}

template <class From> ExecFn convertOneTo(std::string_view to, bool towardZero) {
  return withPtxFloat(to, [=]<class To, unsigned kPacked>() -> ExecFn {
    if (kPacked != 1)
      return nullptr;
    return towardZero ? convertOne<From, To, true> : convertOne<From, To, false>;
  });
}

ExecFn conversion(const Words &words, unsigned operands) {
  if (words.size() < 3 || has(words, "relu"))
    return nullptr;
  const std::string_view from = words[words.size() - 1], to = words[words.size() - 2];
  const bool saturates = has(words, "satfinite"), towardZero = has(words, "rz");
  if (operands == 1 && to == "tf32")
    return has(words, "rna") ? roundToTf32 : nullptr;
  if (!has(words, "rn") && !towardZero && !has(words, "f16") && !has(words, "bf16"))
    return nullptr;
  if (operands == 2) {
    if (from != "f32")
      return nullptr;
    if (to == "f16x2")
      return packTo<F16>(saturates, towardZero);
    if (to == "bf16x2")
      return packTo<BF16>(saturates, towardZero);
    if (to == "e4m3x2")
      return packTo<E4M3>(saturates, towardZero);
    return to == "e5m2x2" ? packTo<E5M2>(saturates, towardZero) : nullptr;
  }
  if (from == "f16x2")
    return convertPairTo<F16>(to, saturates);
  if (from == "bf16x2")
    return convertPairTo<BF16>(to, saturates);
  if (from == "e4m3x2")
    return convertPairTo<E4M3>(to, saturates);
  if (from == "e5m2x2")
    return convertPairTo<E5M2>(to, saturates);
  if (saturates)
    return nullptr;
  return withPtxFloat(from, [&]<class From, unsigned kPacked>() -> ExecFn {
    return kPacked == 1 ? convertOneTo<From>(to, towardZero) : nullptr;
  });
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Picks bytes of two words by the nibbles of a third; bit 3 of a nibble repeats the byte's sign.
void permute(const Inst &i, Warp &w) {
  mapLanes3<std::uint32_t, std::uint32_t>(i, w, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t both = std::uint64_t(b) << 32 | a;
    std::uint32_t result = 0;
    for (unsigned k = 0; k != 4; ++k) {
      const unsigned pick = c >> (4 * k) & 0xf;
      std::uint32_t byte = both >> (8 * (pick & 7)) & 0xff;
      if (pick & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * k);
    }
    return result;
  });
}

/// The table is the fourth operand.
void lop3(const Inst &i, Warp &w) {
  std::uint32_t *o = w.reg<std::uint32_t>(i.out(0));
  const std::uint32_t *a = w.reg<std::uint32_t>(i.in(0)), *b = w.reg<std::uint32_t>(i.in(1)),
                      *c = w.reg<std::uint32_t>(i.in(2)), *table = w.reg<std::uint32_t>(i.in(3));
  forLanesOf(w.mask, [&](unsigned l) {
    std::uint32_t r = 0;
    for (unsigned k = 0; k != 8; ++k)
      if (table[l] >> k & 1)
        r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? c[l] : ~c[l]);
    o[l] = r;
  });
}

ExecFn onBits(std::string_view opcode, unsigned operands) {
  if (opcode == "prmt.b32" && operands == 3)
    return permute;
  if (opcode == "lop3.b32" && operands == 4)
    return lop3;
  if (opcode == "mul.hi.u32" && operands == 2)
    return [](const Inst &i, Warp &w) {
      mapLanes2<std::uint32_t, std::uint32_t>(i, w, [](std::uint32_t a, std::uint32_t b) {
        return static_cast<std::uint32_t>(std::uint64_t(a) * b >> 32);
      });
    };
  return nullptr;
}

} // namespace

NativeMath nativeMathFunction(std::string_view opcode, unsigned operands) {
  if (const ExecFn exec = onBits(opcode, operands))
    return {exec, 0};
  const Words words = wordsOf(opcode);
  if (words.empty())
    return {};
  if (words.front() == "cvt")
    return {conversion(words, operands), 0};
  const bool flushes = has(words, "ftz");
  const std::string_view type = words.back();
  if (words.front() == "fma" && operands == 3)
    return {multiplyAdd(words), 0};
  if (const Unary fn = operands == 1 ? unaryOf(words.front()) : nullptr)
    return {withPtxFloat(type,
                         [=]<class T, unsigned kPacked>() -> ExecFn {
                           return flushes ? unary<T, kPacked, true> : unary<T, kPacked, false>;
                         }),
            reinterpret_cast<std::uint64_t>(fn)};
  if (const Binary fn = operands == 2 ? binaryOf(words) : nullptr)
    return {withPtxFloat(type,
                         [=]<class T, unsigned kPacked>() -> ExecFn {
                           return flushes ? binary<T, kPacked, true> : binary<T, kPacked, false>;
                         }),
            reinterpret_cast<std::uint64_t>(fn)};
  return {};
}

} // namespace tessera::ir::sim
