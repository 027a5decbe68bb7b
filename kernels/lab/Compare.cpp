//===- Compare.cpp - how far a result is from the exact one ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Compare.h"

#include "tessera/core/HostTypes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tessera::kernels::lab {

namespace {

/// Digits of the significand, and the exponent of the smallest normal number.
struct FloatFormat {
  int digits;
  int smallestExponent;
};

FloatFormat formatOf(DType type) {
  switch (type.kind) {
  case Kind::F16:
    return {11, -14};
  case Kind::BF16:
    return {8, -126};
  case Kind::F32:
    return {24, -126};
  case Kind::E4M3:
    return {4, -6};
  case Kind::E5M2:
    return {3, -14};
  case Kind::E4M3Fnuz:
    return {4, -7};
  case Kind::E5M2Fnuz:
    return {3, -15};
  default:
    return {53, -1022};
  }
}

template <DType T> double roundHost(double value) { return static_cast<double>(static_cast<host_type<T>>(value)); }

double roundTo(DType type, double value) {
  switch (type.kind) {
  case Kind::F16:
    return roundHost<f16>(value);
  case Kind::BF16:
    return roundHost<bf16>(value);
  case Kind::F32:
    return roundHost<f32>(value);
  case Kind::E4M3:
    return roundHost<e4m3>(value);
  case Kind::E5M2:
    return roundHost<e5m2>(value);
  case Kind::E4M3Fnuz:
    return roundHost<e4m3fnuz>(value);
  case Kind::E5M2Fnuz:
    return roundHost<e5m2fnuz>(value);
  default:
    return value;
  }
}

template <class... Values> std::string text(const char *format, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

/// The error in units of the limit: at most 1 if the element passes.
double severity(double error, double limit) {
  if (error == 0)
    return 0;
  return limit > 0 ? error / limit : std::numeric_limits<double>::infinity();
}

} // namespace

double roundoff(DType type) { return std::ldexp(1, -formatOf(type).digits); }

double smallest(DType type) {
  const FloatFormat format = formatOf(type);
  return std::ldexp(1, format.smallestExponent - format.digits + 1);
}

Tolerance Tolerance::oneRounding(DType type) {
  return {.rounded = type, .reason = "none: rounded once to " + type.name() + ", so every bit must agree"};
}

Tolerance Tolerance::roundings(DType type, DType work, double steps, std::string reason) {
  const double both = work == f64 ? 2 : 1; // the exact value is computed in f64 as well
  return {.relative = roundoff(type) + both * steps * roundoff(work),
          .absolute = smallest(type),
          .reason = text("2^-%d (rounding to %s) + %.3g x 2^-%d (", formatOf(type).digits, type.name().c_str(),
                         both * steps, formatOf(work).digits) +
                    (both > 1 ? "2 x (" + reason + ")" : reason) + " roundings in " + work.name() + ")"};
}

Tolerance Tolerance::dotProduct(DType type, DType work, std::int64_t terms) {
  const double both = work == f64 ? 2 : 1;
  const double steps = 2 + 2 * std::sqrt(static_cast<double>(terms));
  return {.relative = roundoff(type),
          .absolute = smallest(type),
          .scaled = both * steps * roundoff(work),
          .reason =
              text("2^-%d (rounding to %s) + %.3g x 2^-%d of the sum of absolute values (%s2 + 2 sqrt(%lld)%s "
                   "roundings in %s)",
                   formatOf(type).digits, type.name().c_str(), both * steps, formatOf(work).digits,
                   both > 1 ? "2 x (" : "", static_cast<long long>(terms), both > 1 ? ")" : "", work.name().c_str())};
}

std::string Comparison::summary() const {
  if (count == 0 && wrong == 0)
    return "nothing to compare";
  if (!passed())
    return text("%zu of %zu elements are wrong", wrong, count);
  if (largest == 0)
    return text("all %zu elements agree to the last bit", count);
  return text("all %zu elements, largest error %.2g; at worst %.2g of what is tolerated", count, largest,
              severity(std::fabs(result - exact), limit));
}

std::string Comparison::worstElement() const {
  if (passed() && largest == 0)
    return {};
  const std::string place = cols ? text("[%zu, %zu]", worst / cols, worst % cols) : text("[%zu]", worst);
  return place + text(" is %.9g instead of %.9g", result, exact);
}

Comparison compare(const std::vector<double> &result, const Expected &expected, const Tolerance &tolerance,
                   double scale, std::size_t cols) {
  Comparison found;
  found.count = expected.values.size();
  found.cols = cols;
  found.reason = tolerance.reason;
  if (result.size() != found.count)
    found.wrong = result.size() < found.count ? found.count - result.size() : result.size() - found.count;
  double worst = -1;
  for (std::size_t i = 0; i < std::min(result.size(), found.count); ++i) {
    double exact = expected.values[i];
    if (tolerance.rounded != DType{})
      exact = roundTo(tolerance.rounded, exact);
    const double magnitude = expected.magnitude.empty() ? 0 : expected.magnitude[i];
    const double limit =
        scale * (tolerance.relative * std::fabs(exact) + tolerance.absolute + tolerance.scaled * magnitude);
    double error = std::fabs(result[i] - exact);
    if (result[i] == exact || (std::isnan(result[i]) && std::isnan(exact)))
      error = 0;
    else if (std::isnan(error) || std::isinf(exact))
      error = std::numeric_limits<double>::infinity();
    const double severe = severity(error, std::isfinite(limit) ? limit : 0);
    found.wrong += severe > 1;
    found.largest = std::max(found.largest, error);
    if (severe > worst) {
      worst = severe;
      found.worst = i;
      found.result = result[i];
      found.exact = exact;
      found.limit = limit;
    }
  }
  return found;
}

} // namespace tessera::kernels::lab
