//===- rows.h - plain loops over rows ---------------------*- C++ -*-===//
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

/// Results, and what their rounding errors are measured against.
struct RowResults {
  std::vector<double> out;
  std::vector<double> magnitude;
};

/// The mean of the elements of each row that are kept, 0 for a row that keeps none; the magnitude is the mean of their
/// absolute values.
inline RowResults masked_mean(const std::vector<double> &x, const std::vector<bool> &keep, std::size_t rows,
                              std::size_t cols) {
  RowResults means{std::vector<double>(rows), std::vector<double>(rows)};
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

/// (x - mean) / sqrt(variance + eps) * weight + bias for each row. The magnitude takes absolute values of both
/// summands, and |x| of the row on average beside the difference, since an error of the mean grows with it.
inline RowResults layer_norm(const std::vector<double> &x, const std::vector<double> &weight,
                             const std::vector<double> &bias, std::size_t rows, double eps) {
  const std::size_t cols = weight.size();
  RowResults results{std::vector<double>(rows * cols), std::vector<double>(rows * cols)};
  for (std::size_t row = 0; row < rows; ++row) {
    const double *in = x.data() + row * cols;
    double mean = 0, size = 0, variance = 0;
    for (std::size_t col = 0; col < cols; ++col) {
      mean += in[col] / static_cast<double>(cols);
      size += std::fabs(in[col]) / static_cast<double>(cols);
    }
    for (std::size_t col = 0; col < cols; ++col)
      variance += (in[col] - mean) * (in[col] - mean) / static_cast<double>(cols);
    const double scale = 1 / std::sqrt(variance + eps);
    for (std::size_t col = 0; col < cols; ++col) {
      const double difference = in[col] - mean;
      results.out[row * cols + col] = difference * scale * weight[col] + bias[col];
      results.magnitude[row * cols + col] =
          (std::fabs(difference) + size) * scale * std::fabs(weight[col]) + std::fabs(bias[col]);
    }
  }
  return results;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_ROWS_H
