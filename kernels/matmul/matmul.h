//===- matmul.h - the product of two matrices --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i,j] = sum_l a[i,l] * b[l,j]   for 0 <= i < m, 0 <= j < n, 0 <= l < k
//
// Types:  any float T; products and sums in f32 (f64 for f64), rounded once to T.
// Shapes: a[m,k], b[k,n] and out[m,n], row-major with lda, ldb and ldc elements from row to row.
// Edges:  any sizes: elements outside a and b read 0, elements outside out are not written; k = 0 gives zeros.
// Grid:   cdiv(m, bm) * cdiv(n, bn) programs, walked in stripes of `group` block rows so that neighbours share
// operands.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_MATMUL_MATMUL_H
#define TESSERA_KERNELS_MATMUL_MATMUL_H

#include "tessera/tessera.h"

namespace tessera::kernels {

struct MatmulConfig {
  int bm = 128, bn = 128, bk = 64; ///< the block of out that a program computes, and its step along k
  int group = 8;                   ///< block rows in a stripe of the walk
};

template <DType T>
const auto matmul =
    kernel("matmul", {"a", "b", "out", "m", "n", "k", "lda", "ldb", "ldc"},
           [](const MatmulConfig &c, Ptr<T> a, Ptr<T> b, Ptr<T> out, Int m, Int n, Int k, Int lda, Int ldb, Int ldc) {
  auto [pm, pn] = grouped_program_id(cdiv(m, c.bm), cdiv(n, c.bn), c.group);
  View A = view(a, {m, k}, {lda, 1}), B = view(b, {k, n}, {ldb, 1}), C = view(out, {m, n}, {ldc, 1});
  Tile acc = zeros(promote(T, f32), {c.bm, c.bn});
  for_range(0, k, c.bk, [&](Int kk) {
    acc = dot(A.load({pm * c.bm, kk}, {c.bm, c.bk}), B.load({kk, pn * c.bn}, {c.bk, c.bn}), acc);
  });
  C.store({pm * c.bm, pn * c.bn}, acc.to(T));
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_MATMUL_MATMUL_H
