//===- Compare.h - how far a result is from the exact one --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A result passes when every element lies within its own limit:
//
//   |result - exact| <= relative * |exact| + absolute + scaled * magnitude
//
// where `magnitude`, given with the exact values, is what rounding errors grow with where cancellation makes the exact
// value small (for a dot product, the sum of the absolute products).
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_COMPARE_H
#define TESSERA_KERNELS_LAB_COMPARE_H

#include "tessera/core/DType.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::kernels::lab {

/// The largest relative error of rounding a real number to \p type once: 2^-24 for f32.
double roundoff(DType type);
/// The smallest positive number of \p type.
double smallest(DType type);

/// The limit of an element's error, and why it is what it is.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  double scaled = 0;
  DType rounded = {}; ///< if given, the exact value is rounded to this type first
  std::string reason = {};

  /// The result must be the exact value rounded to \p type, to the last bit: for kernels that round once.
  static Tolerance oneRounding(DType type);
  /// One rounding to \p type of a value computed in \p work, whose error is at most \p steps roundings of \p work.
  static Tolerance roundings(DType type, DType work, double steps, std::string reason);
  /// One rounding to \p type of a sum of \p terms products in \p work. Rounding errors of a sum behave like a random
  /// walk: they grow with the square root of its length (the worst case, all in one direction, with the length).
  static Tolerance dotProduct(DType type, DType work, std::int64_t terms);
};

/// Exact values; an empty \p magnitude counts as zeros.
struct Expected {
  std::vector<double> values;
  std::vector<double> magnitude = {};
};

/// The outcome of a comparison.
struct Comparison {
  std::size_t count = 0;
  std::size_t cols = 0;  ///< elements of a row; 0 for a vector
  std::size_t wrong = 0; ///< elements beyond their limit
  std::size_t worst = 0; ///< the element with the largest error, measured in its limit
  double result = 0;     ///< there
  double exact = 0;      ///< there
  double limit = 0;      ///< there
  double largest = 0;    ///< the largest |result - exact|
  std::string reason;    ///< of the tolerance

  bool passed() const { return wrong == 0; }
  /// How many elements, how wrong; one line.
  std::string summary() const;
  /// The worst element, its place and its values; one line, empty if all agree to the last bit.
  std::string worstElement() const;
};

/// Compares element by element. A NaN equals a NaN and nothing else, infinities equal themselves. A length that differs
/// counts the missing elements as wrong. \p scale multiplies every limit; \p cols is for messages.
Comparison compare(const std::vector<double> &result, const Expected &expected, const Tolerance &tolerance,
                   double scale = 1, std::size_t cols = 0);

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_COMPARE_H
