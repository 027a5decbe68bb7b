//===- layer_norm_backward.h - gradients of layer_norm --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// With n = (x - mean_r) / sqrt(variance_r + eps), the normalised row, and g = dout * weight:
//
//   dx[r,c]    = (g[r,c] - mean_c(g) - n[r,c] * mean_c(g * n)) / sqrt(variance_r + eps)
//   dweight[c] = sum_r dout[r,c] * n[r,c]
//   dbias[c]   = sum_r dout[r,c]
//
// Types:  any float T; computed in f32 (f64 for f64), rounded once to T. eps is an f32.
// Shapes: x, dout and dx hold rows of cols elements, stride elements from row to row; weight, dweight and dbias hold
// cols elements; 1 <= cols <= block. Edges:  no rows give zeros for dweight and dbias; what lies between the rows is
// not touched. Grid:   any number of programs share the rows, each adding up its own rows' parts of dweight and dbias;
// a second kernel adds up the parts, so that no result depends on the order in which programs run.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAYER_NORM_BACKWARD_LAYER_NORM_BACKWARD_H
#define TESSERA_KERNELS_LAYER_NORM_BACKWARD_LAYER_NORM_BACKWARD_H

#include "spaces.h"
#include "tessera/tessera.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tessera::kernels {

struct LayerNormBackwardConfig {
  int block = 1024; ///< lanes per row: a power of two, at least cols

  /// The smallest block that holds a row.
  static LayerNormBackwardConfig forColumns(std::int64_t cols) {
    return {static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(cols)))};
  }
};

/// dx, and for each program a row of cols elements of its part of dweight and of dbias, without gaps.
template <DType T>
const auto layer_norm_backward = kernel(
    "layer_norm_backward",
    {"x", "weight", "dout", "dx", "dweight_parts", "dbias_parts", "rows", "stride", "cols", "eps"},
    [](const LayerNormBackwardConfig &c, Ptr<T> x, Ptr<T> weight, Ptr<T> dout, Ptr<T> dx,
       Ptr<promote(T, f32)> dweight_parts, Ptr<promote(T, f32)> dbias_parts, Int rows, Int stride, Int cols, F32 eps) {
  device_assert(cols <= c.block, "a row must fit the block");
  const DType work = promote(T, f32);
  Tile col = arange(0, c.block);
  Tile mask = col < cols;
  Tile w = load(weight + col, {.mask = mask}).to(work);
  Tile dweight = zeros(work, {c.block}), dbias = zeros(work, {c.block});
  for_range(program_id(0), rows, num_programs(0), [&](Int row) {
    Tile v = load(x + row * stride + col, {.mask = mask}).to(work);
    Tile dy = load(dout + row * stride + col, {.mask = mask}).to(work);
    Tile d = where(mask, v - sum(v) / cols, 0); // lanes past the row must not count
    Tile scale = 1 / sqrt(sum(d * d) / cols + eps);
    Tile n = d * scale, g = dy * w;
    Tile gMean = sum(g) / cols, gnMean = sum(g * n) / cols;
    store(dx + row * stride + col, ((g - gMean - n * gnMean) * scale).to(T), {.mask = mask});
    dweight += dy * n;
    dbias += dy;
  });
  Tile part = program_id(0) * cols + col;
  store(dweight_parts + part, dweight, {.mask = mask});
  store(dbias_parts + part, dbias, {.mask = mask});
});

struct SumPartsConfig {
  int block = 128; ///< columns of a program
};

/// out[c] = sum_p parts[p,c], rounded to T; parts without gaps. One program for each block of columns.
template <DType T>
const auto sum_parts = kernel("sum_parts", {"parts", "out", "count", "cols"},
                              [](const SumPartsConfig &c, Ptr<promote(T, f32)> parts, Ptr<T> out, Int count, Int cols) {
  Tile col = program_id(0) * c.block + arange(0, c.block);
  Tile mask = col < cols;
  Tile total = zeros(promote(T, f32), {c.block});
  for_range(0, count, [&](Int part) { total += load(parts + part * cols + col, {.mask = mask}); });
  store(out + col, total.to(T), {.mask = mask});
});

/// row_space() without what leaves a thread more of a row than it has registers for: four arrays of it live at once.
inline Space<LayerNormBackwardConfig> layer_norm_backward_space(const Target &target,
                                                                const LayerNormBackwardConfig &base) {
  Space<LayerNormBackwardConfig> space = row_space(target, base);
  constexpr int mostOfThread = 32; // elements, in registers
  const auto isTooMuch = [&](const Candidate<LayerNormBackwardConfig> &c) {
    return base.block > mostOfThread * c.options.num_warps * target.warp_size();
  };
  if (target.family() == "hip" && target.warp_size() == 32 && !std::ranges::all_of(space, isTooMuch))
    std::erase_if(space, isTooMuch);
  return space;
}

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_LAYER_NORM_BACKWARD_LAYER_NORM_BACKWARD_H
