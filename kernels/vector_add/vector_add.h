//===- vector_add.h - the sum of two vectors ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i] = x[i] + y[i]   for 0 <= i < n
//
// Types:  any float T; each sum is rounded once, to T.
// Shapes: x, y and out hold n elements in a row.
// Edges:  n need not be a multiple of the block, the last program is masked; n = 0 launches nothing.
// Grid:   cdiv(n, block) programs.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_VECTOR_ADD_VECTOR_ADD_H
#define TESSERA_KERNELS_VECTOR_ADD_VECTOR_ADD_H

#include "tessera/tessera.h"

namespace tessera::kernels {

struct AddConfig {
  int block = 1024; ///< elements per program
};

template <DType T>
const auto vector_add =
    kernel("vector_add", {"x", "y", "out", "n"}, [](const AddConfig &c, Ptr<T> x, Ptr<T> y, Ptr<T> out, Int n) {
  Tile offs = program_id(0) * c.block + arange(0, c.block);
  Tile mask = offs < n;
  Tile sum = load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask});
  store(out + offs, sum, {.mask = mask});
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_VECTOR_ADD_VECTOR_ADD_H
