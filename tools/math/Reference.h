//===- Reference.h - what elementary functions should give -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The C library's functions in a wider type, and the distance of a result from theirs in units in the last place.
// Shared by the tests of the definitions and the tool that runs compiled kernels through all arguments.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_MATH_REFERENCE_H
#define TESSERA_TOOLS_MATH_REFERENCE_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

namespace tessera::reference {

/// A function of one argument: its name, the greatest error in ULP that is accepted, and its value in the type W.
template <class W> struct Unary {
  const char *name;
  double bound;
  W (*value)(W);
};

template <class W> W sigmoid(W x) {
  const W e = std::exp(-std::fabs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}
template <class W> W softplus(W x) { return x != x ? x : (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x))); }

/// The f32 functions; the bounds are those of lib/Conversion/Common/Elementary/Elementary.h.
inline constexpr Unary<double> kUnary32[] = {
    {"exp", 1.03, [](double x) { return std::exp(x); }},        {"exp2", 0.88, [](double x) { return std::exp2(x); }},
    {"expm1", 1.45, [](double x) { return std::expm1(x); }},    {"log", 0.81, [](double x) { return std::log(x); }},
    {"log2", 0.67, [](double x) { return std::log2(x); }},      {"log10", 0.60, [](double x) { return std::log10(x); }},
    {"log1p", 0.88, [](double x) { return std::log1p(x); }},    {"sin", 0.86, [](double x) { return std::sin(x); }},
    {"cos", 0.86, [](double x) { return std::cos(x); }},        {"tan", 1.18, [](double x) { return std::tan(x); }},
    {"tanh", 1.34, [](double x) { return std::tanh(x); }},      {"sigmoid", 1.48, [](double x) { return sigmoid(x); }},
    {"softplus", 1.58, [](double x) { return softplus(x); }},   {"erf", 1.83, [](double x) { return std::erf(x); }},
    {"rsqrt", 1.50, [](double x) { return 1 / std::sqrt(x); }},
};

/// \p x as C spells it exactly.
template <class F> std::string hexadecimal(F x) {
  std::ostringstream text;
  text << std::hexfloat << x;
  return text.str();
}

/// One unit in the last place of an F at the magnitude of \p value, in W.
template <class F, class W> W ulpAt(W value) {
  using Limits = std::numeric_limits<F>;
  const W magnitude = std::fabs(value);
  if (magnitude < static_cast<W>(Limits::min()))
    return static_cast<W>(Limits::denorm_min());
  int exponent;
  std::frexp(magnitude, &exponent);
  return std::ldexp(W(1), exponent - Limits::digits);
}

/// How far results of a function are from the exact ones.
template <class F, class W> class Errors {
public:
  /// Compares \p result with \p exact, the value of the function at the argument that \p where describes.
  template <class Where> void add(F result, W exact, Where where) {
    const F rounded = static_cast<F>(exact);
    if (std::isnan(result) != std::isnan(rounded))
      return fail(result, exact, where);
    if (std::isnan(result) || std::bit_cast<Bits>(result) == std::bit_cast<Bits>(rounded))
      return;
    const W limit = std::ldexp(W(1), std::numeric_limits<F>::max_exponent);
    if (result == 0 && rounded == 0)
      return fail(result, exact, where); // the wrong zero
    if (std::isinf(result) != std::isinf(rounded) && !nearOverflow(exact, limit))
      return fail(result, exact, where);
    if (std::isinf(result) && std::isinf(rounded))
      return fail(result, exact, where);
    const W value = std::isinf(result) ? std::copysign(limit, static_cast<W>(result)) : static_cast<W>(result);
    const W error = std::fabs(value - exact) / ulpAt<F>(exact);
    if (error > worst) {
      worst = error;
      worstWhere = where();
    }
  }

  /// Takes over what \p other has found.
  void merge(const Errors &other) {
    if (other.worst > worst) {
      worst = other.worst;
      worstWhere = other.worstWhere;
    }
    if (wrongCount == 0)
      firstWrongWhere = other.firstWrongWhere;
    wrongCount += other.wrongCount;
  }

  W greatest() const { return worst; }
  const std::string &greatestWhere() const { return worstWhere; }
  std::uint64_t wrong() const { return wrongCount; } ///< NaN, infinities and zeros that are not as C's
  const std::string &firstWrong() const { return firstWrongWhere; }

private:
  using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;

  static bool nearOverflow(W exact, W limit) { return std::fabs(exact) > limit * W(0.999999) && std::isfinite(exact); }
  template <class Where> void fail(F result, W exact, Where where) {
    if (wrongCount++ == 0)
      firstWrongWhere = where() + ": " + std::to_string(result) + " instead of " + std::to_string(exact);
  }

  W worst = 0;
  std::string worstWhere, firstWrongWhere;
  std::uint64_t wrongCount = 0;
};

} // namespace tessera::reference

#endif // TESSERA_TOOLS_MATH_REFERENCE_H
