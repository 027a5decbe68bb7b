//===- matmul.h - the product of two matrices --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i,j] = sum_l a[i,l] * b[l,j]   for 0 <= i < m, 0 <= j < n, 0 <= l < k
//
// Types:  any float T, or i8; products and sums in f32 (f64 for f64, i32 for i8), rounded once to Out, which is T
// unless said otherwise, f16 for fp8 and i32 for i8.
// Shapes: a[m,k], b[k,n] and out[m,n], row-major with lda, ldb and ldc elements from row to row. With `ta` a lies in
// memory as its transpose, k rows of m elements; with `tb` b does, n rows of k elements.
// Edges:  any sizes: elements outside a and b read 0, elements outside out are not written; k = 0 gives zeros.
// Grid:   cdiv(m, bm) * cdiv(n, bn) programs, walked in stripes of `group` block rows so that neighbours share
// operands.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_MATMUL_MATMUL_H
#define TESSERA_KERNELS_MATMUL_MATMUL_H

#include "spaces.h"

#include "tessera/tessera.h"

namespace tessera::kernels {

struct MatmulConfig {
  int bm = 128, bn = 128, bk = 64;       ///< the block of out that a program computes, and its step along k
  int group = 8;                         ///< block rows in a stripe of the walk
  bool ta = false, tb = false;           ///< whether a and b are stored as their transposes
  Precision precision = Precision::ieee; ///< how f32 multiplies
};

/// What products of matrices of \p type are summed in.
constexpr DType sumType(DType type) { return type.isInt() ? i32 : promote(type, f32); }
/// What they are stored as.
constexpr DType productType(DType type) { return type.isInt() ? i32 : type.isFp8() ? f16 : type; }

template <DType T, DType Out = productType(T)>
const auto matmul =
    kernel("matmul", {"a", "b", "out", "m", "n", "k", "lda", "ldb", "ldc"},
           [](const MatmulConfig &c, Ptr<T> a, Ptr<T> b, Ptr<Out> out, Int m, Int n, Int k, Int lda, Int ldb, Int ldc) {
  auto [pm, pn] = grouped_program_id(cdiv(m, c.bm), cdiv(n, c.bn), c.group);
  View A = c.ta ? view(a, {m, k}, {1, lda}) : view(a, {m, k}, {lda, 1});
  View B = c.tb ? view(b, {k, n}, {1, ldb}) : view(b, {k, n}, {ldb, 1});
  View C = view(out, {m, n}, {ldc, 1});
  Tile acc = zeros(sumType(T), {c.bm, c.bn});
  for_range(0, k, c.bk, [&](Int kk) {
    acc = dot(A.load({pm * c.bm, kk}, {c.bm, c.bk}), B.load({kk, pn * c.bn}, {c.bk, c.bn}), acc,
              {.precision = c.precision});
  });
  C.store({pm * c.bm, pn * c.bn}, acc.to(Out));
});

/// What to try for matrices of \p type: blocks and warps; all else is as in \p base.
inline Space<MatmulConfig> matmul_space(const Target &target, DType type, const MatmulConfig &base = {}) {
  return product_space(target, type, base);
}

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_MATMUL_MATMUL_H
