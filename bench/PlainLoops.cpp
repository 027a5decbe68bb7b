//===- PlainLoops.cpp - the kernels as plain loops -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "PlainLoops.h"

#include "Parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tessera::bench::plain {

static float widen(Bf16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

/// Rounds to nearest even; a NaN stays one.
static Bf16 narrow(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, quiet = bits >> 16 | 0x40;
  return static_cast<Bf16>((bits & 0x7fffffff) > 0x7f800000 ? quiet : rounded);
}

/// out[i] = f(x[i], y[i]).
template <class T, class F>
static void elementwise(const T *__restrict x, const T *__restrict y, T *__restrict out, std::size_t n, F f) {
  parallelFor(n, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      out[i] = f(x[i], y[i]);
  });
}

void vectorAdd(const float *x, const float *y, float *out, std::size_t n) {
  elementwise(x, y, out, n, [](float a, float b) { return a + b; });
}
void vectorAdd(const Bf16 *x, const Bf16 *y, Bf16 *out, std::size_t n) {
  elementwise(x, y, out, n, [](Bf16 a, Bf16 b) { return narrow(widen(a) + widen(b)); });
}
void reluAdd(const float *x, const float *y, float *out, std::size_t n) {
  elementwise(x, y, out, n, [](float a, float b) { return std::max(a + b, 0.0f); });
}
void reluAdd(const Bf16 *x, const Bf16 *y, Bf16 *out, std::size_t n) {
  elementwise(x, y, out, n, [](Bf16 a, Bf16 b) { return narrow(std::max(widen(a) + widen(b), 0.0f)); });
}

void softmax(const float *x, float *out, std::size_t rows, std::size_t cols) {
  parallelFor(rows, [=](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const float *__restrict in = x + row * cols;
      float *__restrict result = out + row * cols;
      float largest = -std::numeric_limits<float>::infinity();
      for (std::size_t col = 0; col < cols; ++col)
        largest = std::max(largest, in[col]);
      float total = 0;
      for (std::size_t col = 0; col < cols; ++col)
        total += result[col] = std::exp(in[col] - largest);
      for (std::size_t col = 0; col < cols; ++col)
        result[col] /= total;
    }
  });
}

void layerNorm(const float *x, const float *weight, const float *bias, float *out, std::size_t rows, std::size_t cols,
               float eps) {
  parallelFor(rows, [=](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const float *__restrict in = x + row * cols;
      float *__restrict result = out + row * cols;
      const auto count = static_cast<float>(cols);
      float total = 0, squares = 0;
      for (std::size_t col = 0; col < cols; ++col)
        total += in[col];
      const float mean = total / count;
      for (std::size_t col = 0; col < cols; ++col)
        squares += (in[col] - mean) * (in[col] - mean);
      const float scale = 1 / std::sqrt(squares / count + eps);
      for (std::size_t col = 0; col < cols; ++col)
        result[col] = (in[col] - mean) * scale * weight[col] + bias[col];
    }
  });
}

void matmul(const float *a, const float *b, float *out, std::size_t m, std::size_t n, std::size_t k) {
  parallelFor(m, [=](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      float *__restrict sums = out + row * n;
      std::fill_n(sums, n, 0.0f);
      for (std::size_t l = 0; l < k; ++l) {
        const float factor = a[row * k + l];
        const float *__restrict terms = b + l * n;
        for (std::size_t col = 0; col < n; ++col)
          sums[col] += factor * terms[col];
      }
    }
  });
}

} // namespace tessera::bench::plain
