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

#include <cmath>

namespace tessera::kernels::lab {

/// Of a row of \p cols elements that differ by at most \p spread. The difference is rounded once, which changes its
/// exponential by `spread` roundings; exp is within 2 ULP, 4 roundings; the sum of positive terms repeats these errors
/// and adds those of a random walk; the quotient is rounded once.
inline Tolerance softmaxTolerance(DType type, std::int64_t cols, double spread = 2) {
  const double steps = 2 * (spread + 4) + std::sqrt(static_cast<double>(cols)) + 1;
  return Tolerance::roundings(type, promote(type, f32), steps, "2 (2 + 4) + sqrt(cols) + 1");
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

inline Tolerance matmulTolerance(DType type, std::int64_t k) {
  return Tolerance::dotProduct(type, promote(type, f32), k);
}

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_TOLERANCES_H
