//===- softmax.h - softmax over the rows of a matrix -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[r,c] = exp(x[r,c] - max_r) / sum_c exp(x[r,c] - max_r)   where max_r = max_c x[r,c]
//
// Types:  any float T; computed in f32 (f64 for f64), rounded once to T.
// Shapes: x and out hold rows of cols elements, stride elements from row to row; 1 <= cols, and cols <= block unless
//         rows are read in parts.
// Edges:  lanes past the row read -inf, whose exponential is 0; a row with a NaN or without a finite element gives
// NaNs. Grid:   one program a row.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_SOFTMAX_SOFTMAX_H
#define TESSERA_KERNELS_SOFTMAX_SOFTMAX_H

#include "tessera/tessera.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tessera::kernels {

struct SoftmaxConfig {
  int block = 1024;   ///< lanes per row: a power of two, at least cols
  int most = 0;       ///< columns of the longest row, where they are known to be fewer: lanes past them cost little
  bool parts = false; ///< a row is read twice, block elements at a time

  /// The smallest block that holds a row of \p type; rows of about the same length share a kernel. What the registers
  /// of \p cluster blocks do not hold is read in parts.
  static SoftmaxConfig forColumns(std::int64_t cols, DType type = f32, int cluster = 1) {
    if (cols * type.bytes() > kMostBytes * cluster)
      return {kPart, 0, true};
    const auto block = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(cols)));
    const std::int64_t step = std::max<std::int64_t>(block / 32, 1);
    return {static_cast<int>(block), static_cast<int>((cols + step - 1) / step * step)};
  }

  static constexpr std::int64_t kMostBytes = 128 * 1024; ///< of a row that one block holds
  static constexpr int kPart = 8192;
};

template <DType T>
const auto softmax = kernel("softmax", {"x", "out", "stride", "cols"},
                            [](const SoftmaxConfig &c, Ptr<T> x, Ptr<T> out, Int stride, Int cols) {
  Int row = program_id(0);
  Tile col = arange(0, c.block);
  if (c.parts) {
    // Each lane sums up from its own maximum on.
    const DType work = promote(T, f32);
    const auto part = [&](Int first) {
      return load(x + row * stride + (first + col), {.mask = first + col < cols, .other = -inf}).to(work);
    };
    Tile top = full(work, {c.block}, -inf), total = zeros(work, {c.block});
    for_range(0, cols, c.block, [&](Int first) {
      Tile v = part(first);
      Tile higher = maximum(top, v);
      Tile shift = where(higher == -inf, 0, higher); // no -inf less -inf
      total = total * exp(top - shift) + exp(v - shift);
      top = higher;
    });
    Tile most = max(top);
    Tile shift = where(most == -inf, 0, most);
    Tile sums = sum(total * exp(top - shift));
    for_range(0, cols, c.block, [&](Int first) {
      store(out + row * stride + (first + col), (exp(part(first) - shift) / sums).to(T), {.mask = first + col < cols});
    });
    return;
  }
  device_assert(cols <= c.block, "a row must fit the block");
  if (c.most)
    assume(cols <= c.most);
  Tile mask = col < cols;
  Tile v = load(x + row * stride + col, {.mask = mask, .other = -inf}).to(promote(T, f32));
  v = exp(v - max(v));
  store(out + row * stride + col, (v / sum(v)).to(T), {.mask = mask});
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_SOFTMAX_SOFTMAX_H
