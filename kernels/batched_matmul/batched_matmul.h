//===- batched_matmul.h - products of many matrices --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[p,i,j] = sum_l a[p,i,l] * b[p,l,j]   for 0 <= p < batch, 0 <= i < m, 0 <= j < n, 0 <= l < k
//
// Types:  as for matmul.
// Shapes: a[batch,m,k], b[batch,k,n] and out[batch,m,n] hold matrices like those of matmul, which lie sa, sb and sc
// elements apart. With sa or sb = 0 all products share that operand.
// Edges:  as for matmul.
// Grid:   cdiv(m, bm) * cdiv(n, bn) programs for each of the batch, its second axis.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_BATCHED_MATMUL_BATCHED_MATMUL_H
#define TESSERA_KERNELS_BATCHED_MATMUL_BATCHED_MATMUL_H

#include "matmul/matmul.h"

namespace tessera::kernels {

template <DType T, DType Out = productType(T)>
const auto batched_matmul =
    kernel("batched_matmul", {"a", "b", "out", "batch", "m", "n", "k", "lda", "ldb", "ldc", "sa", "sb", "sc"},
           [](const MatmulConfig &c, Ptr<T> a, Ptr<T> b, Ptr<Out> out, Int batch, Int m, Int n, Int k, Int lda, Int ldb,
              Int ldc, Int sa, Int sb, Int sc) {
  Int p = program_id(1);
  auto [pm, pn] = grouped_program_id(cdiv(m, c.bm), cdiv(n, c.bn), c.group);
  View A = c.ta ? view(a, {batch, m, k}, {sa, 1, lda}) : view(a, {batch, m, k}, {sa, lda, 1});
  View B = c.tb ? view(b, {batch, k, n}, {sb, 1, ldb}) : view(b, {batch, k, n}, {sb, ldb, 1});
  View C = view(out, {batch, m, n}, {sc, ldc, 1});
  Tile acc = zeros(sumType(T), {c.bm, c.bn});
  for_range(0, k, c.bk, [&](Int kk) {
    Tile left = A.load({p, pm * c.bm, kk}, {1, c.bm, c.bk}), right = B.load({p, kk, pn * c.bn}, {1, c.bk, c.bn});
    acc = dot(reshape(left, {c.bm, c.bk}), reshape(right, {c.bk, c.bn}), acc, {.precision = c.precision});
  });
  C.store({p, pm * c.bm, pn * c.bn}, reshape(acc.to(Out), {1, c.bm, c.bn}));
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_BATCHED_MATMUL_BATCHED_MATMUL_H
