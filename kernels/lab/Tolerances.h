//===- Tolerances.h - what the labs' results may be off by -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// vector_add and relu_add round once: Tolerance::oneRounding. The others follow from their arithmetic in the type they
// work in, f32, or f64 for f64.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_TOLERANCES_H
#define TESSERA_KERNELS_LAB_TOLERANCES_H

#include "lab/Compare.h"

#include "tessera/lang/Dot.h"

#include <cmath>
#include <string>

namespace tessera::kernels::lab {

/// Of a row of \p cols elements that differ by at most \p spread. The difference is rounded once, which changes its
/// exponential by `spread` roundings; exp is within 2 ULP, 4 roundings; the sum of positive terms repeats these errors
/// and adds those of a random walk; the quotient is rounded once.
inline Tolerance softmaxTolerance(DType type, std::int64_t cols, double spread = 2) {
  const double steps = 2 * (spread + 4) + std::sqrt(static_cast<double>(cols)) + 1;
  return Tolerance::roundings(type, promote(type, f32), steps,
                              "2 (" + std::to_string(static_cast<int>(spread)) + " + 4) + sqrt(cols) + 1");
}

/// A sum of up to \p cols elements; the quotient's rounding is among the constant ones of a dot product.
inline Tolerance maskedMeanTolerance(DType type, std::int64_t cols) {
  return Tolerance::dotProduct(type, promote(type, f32), cols);
}

/// Two sums over a row, whose errors reach every element through the mean and the scale; the other roundings are among
/// the constant ones of a dot product.
inline Tolerance layerNormTolerance(DType type, std::int64_t cols) {
  return Tolerance::dotProduct(type, promote(type, f32), cols);
}

/// A sum of squares, whose error reaches every element through the scale; it has no cancellation, so that errors grow
/// with the square root of its length. Beside it stand the root, the quotient and two products.
inline Tolerance rmsNormTolerance(DType type, std::int64_t cols) {
  return Tolerance::roundings(type, promote(type, f32), std::sqrt(static_cast<double>(cols)) + 8, "sqrt(cols) + 8");
}

/// Softmax's error on the probability; the difference to 1 or 0 and two products round once each, which the magnitude,
/// the sum of both summands, takes in.
inline Tolerance crossEntropyTolerance(DType type, std::int64_t cols) {
  Tolerance tolerance = softmaxTolerance(type, cols);
  tolerance.scaled = tolerance.relative - roundoff(type);
  tolerance.reason += ", of both summands";
  return tolerance;
}

/// The difference to 1, the quotient, and the rounding of p itself.
inline Tolerance dropoutTolerance(DType type) {
  return Tolerance::roundings(type, promote(type, f32), 4, "1 - p, the quotient");
}

/// Of products over \p k elements of \p type, stored as \p out. Integers are exact. fp8 may be summed with 14 bits
/// (SEMANTICS D1a), whose errors of the partial sums stay small beside the sum of all absolute products. tf32 rounds
/// both factors to 11 digits.
inline Tolerance matmulTolerance(DType type, DType out, std::int64_t k, Precision precision = Precision::ieee) {
  if (type.isInt())
    return {.reason = "none: integers are exact"};
  Tolerance tolerance = Tolerance::dotProduct(out, promote(type, f32), k);
  if (type.isFp8()) {
    tolerance.scaled += 0x1p-12;
    tolerance.reason += ", and 2^-12 for sums with 14 bits";
  }
  if (type == f32 && precision != Precision::ieee) {
    tolerance.scaled += 2 * 0x1p-11;
    tolerance.reason += ", and 2 x 2^-11 for factors as tf32";
  }
  return tolerance;
}
inline Tolerance matmulTolerance(DType type, std::int64_t k) { return matmulTolerance(type, type, k); }

/// A product with weights that are rounded once to \p type after scaling.
inline Tolerance dequantMatmulTolerance(DType type, std::int64_t k) {
  Tolerance tolerance = matmulTolerance(type, k);
  tolerance.scaled += roundoff(type);
  tolerance.reason += ", and one rounding of each weight";
  return tolerance;
}

/// Scores are sums over \p d products of numbers below 1 times \p scale, whose errors their exponentials repeat; the
/// power of two is an approximate one of an argument that was rounded, 2^-20 at most; probabilities are rounded to \p
/// type, down to its smallest number, and so is the result.
inline Tolerance attentionTolerance(DType type, std::int64_t keys, std::int64_t d, double scale) {
  const double terms = static_cast<double>(d);
  Tolerance tolerance = Tolerance::dotProduct(type, f32, keys);
  tolerance.scaled += 2 * scale * terms * (2 + 2 * std::sqrt(terms)) * roundoff(f32) + 0x1p-20 + roundoff(type);
  tolerance.absolute += static_cast<double>(keys) * smallest(type) / 2;
  tolerance.reason += ", and the errors of scores, exponentials and probabilities";
  return tolerance;
}

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_TOLERANCES_H
