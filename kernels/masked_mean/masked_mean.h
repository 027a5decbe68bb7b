//===- masked_mean.h - the mean of chosen elements of each row -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[r] = sum_{c: keep[r,c]} x[r,c] / count_{c: keep[r,c]}   and 0 where a row keeps nothing
//
// Types:  any float T; summed and divided in f32 (f64 for f64), rounded once to T. keep is i1, a byte an element.
// Shapes: x and keep hold rows of cols elements, stride elements from row to row; out holds a number a row.
// Edges:  what is not kept does not count, not even a NaN or an infinity; a row that keeps nothing gives 0; any cols.
// Grid:   one program a row.
//
// Two masks, two meanings: `inside` is a bound, lanes beyond it must not touch memory; `kept` is data.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_MASKED_MEAN_MASKED_MEAN_H
#define TESSERA_KERNELS_MASKED_MEAN_MASKED_MEAN_H

#include "tessera/tessera.h"

namespace tessera::kernels {

struct MaskedMeanConfig {
  int block = 1024; ///< elements of a row per step
};

template <DType T>
const auto masked_mean =
    kernel("masked_mean", {"x", "keep", "out", "stride", "cols"},
           [](const MaskedMeanConfig &c, Ptr<T> x, Ptr<i1> keep, Ptr<T> out, Int stride, Int cols) {
  Int row = program_id(0);
  Tile total = zeros(promote(T, f32), {c.block}), count = zeros(i32, {c.block});
  for_range(0, cols, c.block, [&](Int first) {
    Tile col = first + arange(0, c.block);
    Tile inside = col < cols;
    Tile kept = load(keep + row * stride + col, {.mask = inside}); // false outside
    Tile v = load(x + row * stride + col, {.mask = inside});
    total += where(kept, v, 0);
    count += kept;
  });
  Tile n = sum(count);
  store(out + row, (sum(total) / maximum(n, 1)).to(T));
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_MASKED_MEAN_MASKED_MEAN_H
