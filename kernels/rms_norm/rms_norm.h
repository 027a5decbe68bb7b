//===- rms_norm.h - rows brought to mean square 1 --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[r,c] = x[r,c] / sqrt(mean_c x[r,c]^2 + eps) * weight[c]
//
// Types:  any float T; computed in f32 (f64 for f64), rounded once to T. eps is an f32.
// Shapes: x and out hold rows of cols elements, stride elements from row to row; weight holds cols elements;
// 1 <= cols <= block.
// Edges:  a row of zeros gives zeros; a row with a NaN gives NaNs; one with an infinity gives NaN there and zeros
// beside. Grid:   one program a row.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_RMS_NORM_RMS_NORM_H
#define TESSERA_KERNELS_RMS_NORM_RMS_NORM_H

#include "tessera/tessera.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tessera::kernels {

struct RmsNormConfig {
  int block = 1024; ///< lanes per row: a power of two, at least cols
  int most = 0;     ///< columns of the longest row, where they are known to be fewer: lanes past them cost little

  /// The smallest block that holds a row; rows of about the same length share a kernel.
  static RmsNormConfig forColumns(std::int64_t cols) {
    const auto block = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(cols)));
    const std::int64_t step = std::max<std::int64_t>(block / 32, 1);
    return {static_cast<int>(block), static_cast<int>((cols + step - 1) / step * step)};
  }
};

template <DType T>
const auto rms_norm =
    kernel("rms_norm", {"x", "weight", "out", "stride", "cols", "eps"},
           [](const RmsNormConfig &c, Ptr<T> x, Ptr<T> weight, Ptr<T> out, Int stride, Int cols, F32 eps) {
  device_assert(cols <= c.block, "a row must fit the block");
  if (c.most)
    assume(cols <= c.most);
  const DType work = promote(T, f32);
  Int row = program_id(0);
  Tile col = arange(0, c.block);
  Tile mask = col < cols;
  Tile v = load(x + row * stride + col, {.mask = mask}).to(work);
  Tile w = load(weight + col, {.mask = mask}).to(work);
  Tile scale = 1 / sqrt(sum(v * v) / cols + eps);
  store(out + row * stride + col, (v * scale * w).to(T), {.mask = mask});
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_RMS_NORM_RMS_NORM_H
