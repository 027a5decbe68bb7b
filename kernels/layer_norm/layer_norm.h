//===- layer_norm.h - rows brought to mean 0 and variance 1 -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[r,c] = (x[r,c] - mean_r) / sqrt(variance_r + eps) * weight[c] + bias[c]
//
// Types:  any float T; computed in f32 (f64 for f64), rounded once to T. eps is an f32.
// Shapes: x and out hold rows of cols elements, stride elements from row to row; weight and bias hold cols elements;
// 1 <= cols <= block.
// Edges:  the variance is that of the row itself (divided by cols), from the differences to the mean; a row of equal
// elements gives the bias; a row with a NaN or an infinity gives NaNs.
// Grid:   one program a row.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAYER_NORM_LAYER_NORM_H
#define TESSERA_KERNELS_LAYER_NORM_LAYER_NORM_H

#include "tessera/tessera.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tessera::kernels {

struct LayerNormConfig {
  int block = 1024; ///< lanes per row: a power of two, at least cols
  int most = 0;     ///< columns of the longest row, where they are known to be fewer: lanes past them cost little

  /// The smallest block that holds a row; rows of about the same length share a kernel.
  static LayerNormConfig forColumns(std::int64_t cols) {
    const auto block = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(cols)));
    const std::int64_t step = std::max<std::int64_t>(block / 32, 1);
    return {static_cast<int>(block), static_cast<int>((cols + step - 1) / step * step)};
  }
};

template <DType T>
const auto layer_norm = kernel(
    "layer_norm", {"x", "weight", "bias", "out", "stride", "cols", "eps"},
    [](const LayerNormConfig &c, Ptr<T> x, Ptr<T> weight, Ptr<T> bias, Ptr<T> out, Int stride, Int cols, F32 eps) {
  device_assert(cols <= c.block, "a row must fit the block");
  if (c.most)
    assume(cols <= c.most);
  const DType work = promote(T, f32);
  Int row = program_id(0);
  Tile col = arange(0, c.block);
  Tile mask = col < cols;
  Tile v = load(x + row * stride + col, {.mask = mask}).to(work);
  Tile mean = sum(v) / cols;
  Tile d = where(mask, v - mean, 0); // lanes past the row must not count
  Tile scale = 1 / sqrt(sum(d * d) / cols + eps);
  Tile w = load(weight + col, {.mask = mask}).to(work), b = load(bias + col, {.mask = mask}).to(work);
  store(out + row * stride + col, (d * scale * w + b).to(T), {.mask = mask});
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_LAYER_NORM_LAYER_NORM_H
