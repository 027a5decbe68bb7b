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

#include <bit>
#include <cstdint>

namespace tessera::kernels {

struct LayerNormConfig {
  int block = 1024; ///< lanes per row: a power of two, at least cols

  /// The smallest block that holds a row.
  static LayerNormConfig forColumns(std::int64_t cols) {
    return {static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(cols)))};
  }
};

template <DType T>
const auto layer_norm = kernel(
    "layer_norm", {"x", "weight", "bias", "out", "stride", "cols", "eps"},
    [](const LayerNormConfig &c, Ptr<T> x, Ptr<T> weight, Ptr<T> bias, Ptr<T> out, Int stride, Int cols, F32 eps) {
  device_assert(cols <= c.block, "a row must fit the block");
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
