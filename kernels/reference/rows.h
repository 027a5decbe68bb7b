//===- rows.h - plain loops: softmax and masked_mean -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Matrices are row-major without gaps.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_REFERENCE_ROWS_H
#define TESSERA_KERNELS_REFERENCE_ROWS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace tessera::kernels::reference {

/// exp(x - largest) / sum of the row's exp(x - largest), where NaNs do not count for `largest`.
inline std::vector<double> softmax(const std::vector<double> &x, std::size_t rows, std::size_t cols) {
  std::vector<double> out(rows * cols);
  for (std::size_t row = 0; row < rows; ++row) {
    const double *in = x.data() + row * cols;
    double *result = out.data() + row * cols;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t col = 0; col < cols; ++col)
      largest = std::fmax(largest, in[col]);
    double total = 0;
    for (std::size_t col = 0; col < cols; ++col)
      total += result[col] = std::exp(in[col] - largest);
    for (std::size_t col = 0; col < cols; ++col)
      result[col] /= total;
  }
  return out;
}

/// The mean of each row's kept elements, and of their absolute values: what its rounding errors are measured against.
struct Means {
  std::vector<double> out;
  std::vector<double> magnitude;
};

/// The mean of the elements of each row that are kept; 0 for a row that keeps none.
inline Means masked_mean(const std::vector<double> &x, const std::vector<bool> &keep, std::size_t rows,
                         std::size_t cols) {
  Means means{std::vector<double>(rows), std::vector<double>(rows)};
  for (std::size_t row = 0; row < rows; ++row) {
    double total = 0, magnitude = 0, count = 0;
    for (std::size_t i = row * cols; i < (row + 1) * cols; ++i) {
      if (!keep[i])
        continue;
      total += x[i];
      magnitude += std::fabs(x[i]);
      ++count;
    }
    if (count > 0) {
      means.out[row] = total / count;
      means.magnitude[row] = magnitude / count;
    }
  }
  return means;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_ROWS_H
