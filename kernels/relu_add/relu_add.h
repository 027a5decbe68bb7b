//===- relu_add.h - a fused sum and rectifier --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i] = max(x[i] + y[i], 0)   for 0 <= i < n
//
// Types:  any float T; the sum is rounded once, to T, and the maximum is exact.
// Shapes: x, y and out hold n elements in a row.
// Edges:  NaN stays NaN; a sum of -0 gives +0; n need not be a multiple of the block; n = 0 launches nothing.
// Grid:   cdiv(n, block) programs.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_RELU_ADD_RELU_ADD_H
#define TESSERA_KERNELS_RELU_ADD_RELU_ADD_H

#include "tessera/tessera.h"

namespace tessera::kernels {

struct ReluAddConfig {
  int block = 1024; ///< elements per program
};

/// A C++ function of tiles is all it takes to share a piece of a kernel.
inline Tile relu(Tile x) { return maximum(x, 0, {.nan = Nan::propagate}); }

template <DType T>
const auto relu_add =
    kernel("relu_add", {"x", "y", "out", "n"}, [](const ReluAddConfig &c, Ptr<T> x, Ptr<T> y, Ptr<T> out, Int n) {
  Tile offs = program_id(0) * c.block + arange(0, c.block);
  Tile mask = offs < n;
  Tile v = load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask});
  store(out + offs, relu(v), {.mask = mask});
});

/// The second half by itself, `x[i] = max(x[i], 0)`, for what the sum costs when it goes through memory.
template <DType T>
const auto rectify = kernel("rectify", {"x", "n"}, [](const ReluAddConfig &c, Ptr<T> x, Int n) {
  Tile offs = program_id(0) * c.block + arange(0, c.block);
  Tile mask = offs < n;
  store(x + offs, relu(load(x + offs, {.mask = mask})), {.mask = mask});
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_RELU_ADD_RELU_ADD_H
