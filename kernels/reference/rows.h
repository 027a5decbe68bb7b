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
#include <cstdint>
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

/// x / sqrt(mean of the row's x^2 + eps) * weight.
inline std::vector<double> rms_norm(const std::vector<double> &x, const std::vector<double> &weight, std::size_t rows,
                                    double eps) {
  const std::size_t cols = weight.size();
  std::vector<double> out(rows * cols);
  for (std::size_t row = 0; row < rows; ++row) {
    const double *in = x.data() + row * cols;
    double square = 0;
    for (std::size_t col = 0; col < cols; ++col)
      square += in[col] * in[col] / static_cast<double>(cols);
    for (std::size_t col = 0; col < cols; ++col)
      out[row * cols + col] = in[col] / std::sqrt(square + eps) * weight[col];
  }
  return out;
}

/// Gradients of layer_norm.
struct LayerNormGradients {
  RowResults dx, dweight, dbias;
};

/// The gradients for `dout`, the gradient of the result. Magnitudes take absolute values of all summands, and |x| of
/// the row on average beside differences to the mean.
inline LayerNormGradients layer_norm_backward(const std::vector<double> &x, const std::vector<double> &weight,
                                              const std::vector<double> &dout, std::size_t rows, double eps) {
  const std::size_t cols = weight.size();
  const auto length = static_cast<double>(cols);
  const auto zeros = [](std::size_t count) {
    return RowResults{std::vector<double>(count), std::vector<double>(count)};
  };
  LayerNormGradients results{zeros(rows * cols), zeros(cols), zeros(cols)};
  for (std::size_t row = 0; row < rows; ++row) {
    const double *in = x.data() + row * cols, *dy = dout.data() + row * cols;
    double mean = 0, size = 0, variance = 0;
    for (std::size_t col = 0; col < cols; ++col) {
      mean += in[col] / length;
      size += std::fabs(in[col]) / length;
    }
    for (std::size_t col = 0; col < cols; ++col)
      variance += (in[col] - mean) * (in[col] - mean) / length;
    const double scale = 1 / std::sqrt(variance + eps);
    double gMean = 0, gnMean = 0, gSize = 0, gnSize = 0;
    for (std::size_t col = 0; col < cols; ++col) {
      const double n = (in[col] - mean) * scale, g = dy[col] * weight[col];
      const double nSize = (std::fabs(in[col] - mean) + size) * scale;
      gMean += g / length;
      gSize += std::fabs(g) / length;
      gnMean += g * n / length;
      gnSize += std::fabs(g) * nSize / length;
      results.dweight.out[col] += dy[col] * n;
      results.dweight.magnitude[col] += std::fabs(dy[col]) * nSize;
      results.dbias.out[col] += dy[col];
      results.dbias.magnitude[col] += std::fabs(dy[col]);
    }
    for (std::size_t col = 0; col < cols; ++col) {
      const double n = (in[col] - mean) * scale, g = dy[col] * weight[col];
      const double nSize = (std::fabs(in[col] - mean) + size) * scale;
      results.dx.out[row * cols + col] = (g - gMean - n * gnMean) * scale;
      results.dx.magnitude[row * cols + col] = (std::fabs(g) + gSize + nSize * gnSize) * scale;
    }
  }
  return results;
}

/// Losses of rows, and the gradients of their logits.
struct CrossEntropy {
  std::vector<double> loss;
  RowResults dx;
};

/// log(sum of exp(x)) - x[label] and (softmax(x) - (c == label)) * scale for each row; zeros for a label outside the
/// row. The magnitude of a gradient is the sum of both summands.
inline CrossEntropy cross_entropy(const std::vector<double> &x, const std::vector<std::int64_t> &labels,
                                  std::size_t cols, double scale) {
  const std::size_t rows = labels.size();
  CrossEntropy results{std::vector<double>(rows), {std::vector<double>(rows * cols), std::vector<double>(rows * cols)}};
  const std::vector<double> probability = softmax(x, rows, cols);
  for (std::size_t row = 0; row < rows; ++row) {
    if (labels[row] < 0 || labels[row] >= static_cast<std::int64_t>(cols))
      continue;
    const auto label = static_cast<std::size_t>(labels[row]);
    const double *in = x.data() + row * cols;
    const double largest = *std::max_element(in, in + cols);
    double total = 0;
    for (std::size_t col = 0; col < cols; ++col)
      total += std::exp(in[col] - largest);
    results.loss[row] = std::log(total) + largest - in[label];
    for (std::size_t col = 0; col < cols; ++col) {
      const std::size_t i = row * cols + col;
      const double own = col == label ? 1 : 0;
      results.dx.out[i] = (probability[i] - own) * scale;
      results.dx.magnitude[i] = (probability[i] + own) * scale;
    }
  }
  return results;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_ROWS_H
