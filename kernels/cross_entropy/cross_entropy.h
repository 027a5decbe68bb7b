//===- cross_entropy.h - loss and gradient over a vocabulary --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   loss[r]      = log(sum_c exp(x[r,c])) - x[r, label_r]
//   dx[r,c]      = (exp(x[r,c]) / sum_c exp(x[r,c]) - (c == label_r)) * scale
//
// Types:  any float T; computed in f32 (f64 for f64). loss is of that type, dx is rounded once to T. Labels are i64.
// Shapes: x and dx hold rows of cols elements, stride elements from row to row; labels and loss hold a number a row.
// Edges:  a label outside 0 ... cols-1 (-100, say) marks a row that does not count: loss 0, gradient 0. Logits of -inf
// have probability 0. Any cols. Grid:   one program a row, which it reads twice: once for its maximum and sum, rescaled
// as the maximum grows, once for the gradient.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_CROSS_ENTROPY_CROSS_ENTROPY_H
#define TESSERA_KERNELS_CROSS_ENTROPY_CROSS_ENTROPY_H

#include "tessera/tessera.h"

namespace tessera::kernels {

struct CrossEntropyConfig {
  int block = 4096; ///< elements of a row per step
};

template <DType T>
const auto cross_entropy = kernel("cross_entropy", {"x", "labels", "loss", "dx", "stride", "cols", "scale"},
                                  [](const CrossEntropyConfig &c, Ptr<T> x, Ptr<i64> labels, Ptr<promote(T, f32)> loss,
                                     Ptr<T> dx, Int stride, Int cols, F32 scale) {
  const DType work = promote(T, f32);
  Int row = program_id(0);
  Tile label = load(labels + row);
  Tile counts = (label >= 0) & (label < cols);

  // Of each lane: the maximum so far, and the sum of exp(x - maximum).
  Tile top = full(work, {c.block}, -inf), total = zeros(work, {c.block});
  for_range(0, cols, c.block, [&](Int first) {
    Tile col = first + arange(0, c.block);
    Tile v = load(x + row * stride + col, {.mask = col < cols, .other = -inf}).to(work);
    Tile higher = maximum(top, v, {.nan = Nan::propagate});
    Tile shift = where(higher == -inf, 0, higher); // no -inf less -inf
    total = total * exp(top - shift) + exp(v - shift);
    top = higher;
  });
  Tile largest = max(top, {.nan = Nan::propagate});
  Tile shift = where(largest == -inf, 0, largest);
  Tile sumOfAll = sum(total * exp(top - shift));
  Tile own = load(x + row * stride + label, {.mask = counts}).to(work);
  store(loss + row, where(counts, log(sumOfAll) + shift - own, 0));

  Tile factor = where(counts, scale, 0);
  for_range(0, cols, c.block, [&](Int first) {
    Tile col = first + arange(0, c.block);
    Tile mask = col < cols;
    Tile v = load(x + row * stride + col, {.mask = mask}).to(work);
    Tile gradient = exp(v - shift) / sumOfAll - (col == label).to(work);
    store(dx + row * stride + col, where(counts, gradient * factor, 0).to(T), {.mask = mask});
  });
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_CROSS_ENTROPY_CROSS_ENTROPY_H
