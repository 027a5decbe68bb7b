//===- FloatOps.cpp - float instructions ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// f16 and bf16 compute in f32 and round once, which for these operations equals rounding the exact result.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/Arithmetic.h"
#include "Target/Sim/Ops/Cell.h"

#include <cmath>

namespace tessera::ir::sim {

using interp::Compute;
using interp::narrow;
using interp::toDouble;
using interp::widen;

namespace {

template <class T, class Fn> void unary(const Inst &i, Warp &w, Fn fn) {
  mapLanes<T, T>(i, w, [=](T a) { return narrow<T>(fn(widen(a))); });
}
template <class T, class Fn> void binary(const Inst &i, Warp &w, Fn fn) {
  mapLanes2<T, T>(i, w, [=](T a, T b) { return narrow<T>(fn(widen(a), widen(b))); });
}
/// Computed in double and rounded: what stands for an approximate instruction.
template <class T, class Fn> void elementary(const Inst &i, Warp &w, Fn fn) {
  mapLanes<T, T>(i, w, [=](T a) { return interp::fromDouble<T>(fn(toDouble(a))); });
}

/// Works on the bits, so that a NaN's sign and payload survive as LLVM demands.
template <class T, class Fn> void signBits(const Inst &i, Warp &w, Fn fn) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  constexpr Bits sign = static_cast<Bits>(Bits(1) << (8 * sizeof(T) - 1));
  mapLanes<Bits, Bits>(i, w, [=](Bits a) { return static_cast<Bits>(fn(a, sign)); });
}
template <class T> void copySign(const Inst &i, Warp &w) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  constexpr Bits sign = static_cast<Bits>(Bits(1) << (8 * sizeof(T) - 1));
  mapLanes2<Bits, Bits>(i, w,
                        [](Bits a, Bits b) { return static_cast<Bits>((a & static_cast<Bits>(~sign)) | (b & sign)); });
}

template <class T> ExecFn basics(FloatOp op) {
  using F = Compute<T>;
  switch (op) {
  case FloatOp::Add:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return a + b; }); };
  case FloatOp::Sub:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return a - b; }); };
  case FloatOp::Mul:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return a * b; }); };
  case FloatOp::Div:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return a / b; }); };
  case FloatOp::Rem:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return std::fmod(a, b); }); };
  case FloatOp::Fma:
    return [](const Inst &i, Warp &w) {
      mapLanes3<T, T>(i, w, [](T a, T b, T c) { return interp::fusedMultiplyAdd(a, b, c); });
    };
  case FloatOp::Sqrt:
    return [](const Inst &i, Warp &w) { unary<T>(i, w, [](F a) { return std::sqrt(a); }); };
  case FloatOp::Neg:
    return [](const Inst &i, Warp &w) { signBits<T>(i, w, [](auto a, auto sign) { return a ^ sign; }); };
  case FloatOp::Abs:
    return [](const Inst &i, Warp &w) { signBits<T>(i, w, [](auto a, auto sign) { return a & ~sign; }); };
  case FloatOp::CopySign:
    return copySign<T>;
  default:
    return nullptr;
  }
}

template <class T> ExecFn roundings(FloatOp op) {
  using F = Compute<T>;
  switch (op) {
  case FloatOp::Floor:
    return [](const Inst &i, Warp &w) { unary<T>(i, w, [](F a) { return std::floor(a); }); };
  case FloatOp::Ceil:
    return [](const Inst &i, Warp &w) { unary<T>(i, w, [](F a) { return std::ceil(a); }); };
  case FloatOp::Trunc:
    return [](const Inst &i, Warp &w) { unary<T>(i, w, [](F a) { return std::trunc(a); }); };
  case FloatOp::Round:
    return [](const Inst &i, Warp &w) { unary<T>(i, w, [](F a) { return std::round(a); }); };
  case FloatOp::RoundEven:
    return [](const Inst &i, Warp &w) { unary<T>(i, w, [](F a) { return std::nearbyint(a); }); };
  case FloatOp::MinNum:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return interp::minimumNumber(a, b); }); };
  case FloatOp::MaxNum:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return interp::maximumNumber(a, b); }); };
  case FloatOp::Minimum:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return interp::minimumPropagate(a, b); }); };
  case FloatOp::Maximum:
    return [](const Inst &i, Warp &w) { binary<T>(i, w, [](F a, F b) { return interp::maximumPropagate(a, b); }); };
  default:
    return nullptr;
  }
}

template <class T> ExecFn elementaries(FloatOp op) {
  switch (op) {
  case FloatOp::Exp2:
    return [](const Inst &i, Warp &w) { elementary<T>(i, w, [](double a) { return std::exp2(a); }); };
  case FloatOp::Log2:
    return [](const Inst &i, Warp &w) { elementary<T>(i, w, [](double a) { return std::log2(a); }); };
  case FloatOp::Sin:
    return [](const Inst &i, Warp &w) { elementary<T>(i, w, [](double a) { return std::sin(a); }); };
  case FloatOp::Cos:
    return [](const Inst &i, Warp &w) { elementary<T>(i, w, [](double a) { return std::cos(a); }); };
  case FloatOp::Tanh:
    return [](const Inst &i, Warp &w) { elementary<T>(i, w, [](double a) { return std::tanh(a); }); };
  case FloatOp::Reciprocal:
    return [](const Inst &i, Warp &w) { elementary<T>(i, w, [](double a) { return 1.0 / a; }); };
  case FloatOp::RSqrt:
    return [](const Inst &i, Warp &w) { elementary<T>(i, w, [](double a) { return 1.0 / std::sqrt(a); }); };
  default:
    return nullptr;
  }
}

/// The bit of the relation between two numbers.
template <class F> unsigned relation(F a, F b) { return a == b ? 1 : a > b ? 2 : a < b ? 4 : 8; }

template <class T, unsigned kRelations> void compare(const Inst &i, Warp &w) {
  using F = Compute<T>;
  mapLanes2<std::uint8_t, T>(i, w, [](T x, T y) {
    const F a = widen(x), b = widen(y);
    return static_cast<std::uint8_t>((relation(a, b) & kRelations) != 0);
  });
}

template <class T> ExecFn compareBy(unsigned relations) {
  static constexpr auto all = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array<ExecFn, 16>{compare<T, k>...};
  }(std::make_index_sequence<16>());
  return relations < 16 ? all[relations] : nullptr;
}

/// The bit llvm.is.fpclass has for a number.
template <class T> unsigned classOf(T x) {
  const double a = toDouble(x);
  const bool negative = std::signbit(a);
  if (a != a)
    return 2; // every NaN counts as quiet
  if (std::isinf(a))
    return negative ? 4 : 512;
  if (a == 0)
    return negative ? 32 : 64;
  constexpr interp::Format format = interp::FormatOf<T>::value;
  const bool denormal = std::fabs(a) < std::ldexp(1.0, 1 - format.bias);
  return denormal ? (negative ? 16 : 128) : (negative ? 8 : 256);
}

} // namespace

ExecFn floatFunction(FloatOp op, Type type) {
  return withFloat(type, [op]<class T>() -> ExecFn {
    for (auto *family : {basics<T>, roundings<T>, elementaries<T>})
      if (ExecFn fn = family(op))
        return fn;
    return nullptr;
  });
}

ExecFn floatCompare(unsigned relations, Type type) {
  return withFloat(type, [relations]<class T>() { return compareBy<T>(relations); });
}

ExecFn scaleFunction(Type type) {
  return withFloat(type, []<class T>() -> ExecFn {
    return [](const Inst &i, Warp &w) {
      T *o = w.reg<T>(i.out(0));
      const T *a = w.reg<T>(i.in(0));
      const auto *exponent = w.reg<std::int32_t>(i.in(1));
      forLanesOf(w.mask, [&](unsigned l) { o[l] = narrow<T>(std::ldexp(widen(a[l]), exponent[l])); });
    };
  });
}

ExecFn floatClass(Type type) {
  return withFloat(type, []<class T>() -> ExecFn {
    return [](const Inst &i, Warp &w) {
      const auto wanted = static_cast<unsigned>(i.imm);
      mapLanes<std::uint8_t, T>(i, w, [=](T a) { return static_cast<std::uint8_t>((classOf(a) & wanted) != 0); });
    };
  });
}

} // namespace tessera::ir::sim
