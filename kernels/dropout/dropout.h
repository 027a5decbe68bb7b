//===- dropout.h - elements zeroed at random --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i] = rand(seed, i) >= p ? x[i] / (1 - p) : 0
//
// Types:  any float T; computed in f32 (f64 for f64), rounded once to T.
// Shapes: x and out hold n elements each.
// Edges:  p = 0 copies; p = 1 gives zeros; what is dropped is 0 even for a NaN or an infinity; any n.
// Grid:   cdiv(n, block) programs.
//
// Which elements stay depends on the seed and their index alone (SEMANTICS N1), so that a backward pass draws the same
// ones from the seed instead of reading a mask.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_DROPOUT_DROPOUT_H
#define TESSERA_KERNELS_DROPOUT_DROPOUT_H

#include "tessera/tessera.h"

namespace tessera::kernels {

struct DropoutConfig {
  int block = 1024; ///< elements per program
};

template <DType T>
const auto dropout = kernel("dropout", {"x", "out", "n", "p", "seed"},
                            [](const DropoutConfig &c, Ptr<T> x, Ptr<T> out, Int n, F32 p, Int seed) {
  Tile offs = program_id(0) * c.block + arange(0, c.block);
  Tile mask = offs < n;
  Tile v = load(x + offs, {.mask = mask}).to(promote(T, f32));
  Tile keep = rand(seed, offs) >= p;
  store(out + offs, where(keep, v / (1 - p), 0).to(T), {.mask = mask});
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_DROPOUT_DROPOUT_H
