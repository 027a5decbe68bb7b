//===- split_matmul.h - a product whose sums are split -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i,j] = sum_l a[i,l] * b[l,j]   for 0 <= i < m, 0 <= j < n, 0 <= l < k
//
// For results too small to give every multiprocessor a block: `splits` programs share a block of out, each sums a part
// of k and writes it to a workspace, and the last one to arrive adds the parts up, always in the same order.
//
// Types, shapes and edges: as for matmul.
// Grid:   {cdiv(m, bm) * cdiv(n, bn), splits} programs.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_SPLIT_MATMUL_SPLIT_MATMUL_H
#define TESSERA_KERNELS_SPLIT_MATMUL_SPLIT_MATMUL_H

#include "matmul/matmul.h"

namespace tessera::kernels {

struct SplitMatmulConfig {
  int bm = 64, bn = 64, bk = 64; ///< the block of out that programs share, and their step along k
  int splits = 4;                ///< programs that share a block
  int group = 8;                 ///< block rows in a stripe of the walk
  bool ta = false, tb = false;   ///< whether a and b are stored as their transposes
};

template <DType T, DType Out = productType(T)>
const auto split_matmul = kernel(
    "split_matmul", {"a", "b", "out", "m", "n", "k", "lda", "ldb", "ldc"},
    [](const SplitMatmulConfig &c, Ptr<T> a, Ptr<T> b, Ptr<Out> out, Int m, Int n, Int k, Int lda, Int ldb, Int ldc) {
  constexpr DType sum = sumType(T);
  const int size = c.bm * c.bn;
  Int block = program_id(0), blocks = cdiv(m, c.bm) * cdiv(n, c.bn), split = program_id(1);
  auto [pm, pn] = grouped_program_id(cdiv(m, c.bm), cdiv(n, c.bn), c.group);
  View A = c.ta ? view(a, {m, k}, {1, lda}) : view(a, {m, k}, {lda, 1});
  View B = c.tb ? view(b, {k, n}, {1, ldb}) : view(b, {k, n}, {ldb, 1});
  View C = view(out, {m, n}, {ldc, 1});
  Int share = cdiv(cdiv(k, c.bk), c.splits) * c.bk, first = split * share;
  Tile acc = zeros(sum, {c.bm, c.bn});
  for_range(first, minimum(first + share, k), c.bk, [&](Int kk) {
    acc = dot(A.load({pm * c.bm, kk}, {c.bm, c.bk}), B.load({kk, pn * c.bn}, {c.bk, c.bn}), acc);
  });

  Ptr<sum> parts = workspace<sum>(cdiv(m, c.bm) * cdiv(n, c.bn) * (c.splits * size));
  Ptr<i32> arrived = workspace<i32>(cdiv(m, c.bm) * cdiv(n, c.bn), {.zeroed = true});
  Tile place = arange(0, c.bm).col() * c.bn + arange(0, c.bn).row();
  store(parts + (split * blocks + block) * size + place, acc);
  if_(last_program(arrived + block, c.splits), [&] {
    Tile total = zeros(sum, {c.bm, c.bn});
    for_range(0, c.splits, [&](Int part) { total += load(parts + (part * blocks + block) * size + place); });
    C.store({pm * c.bm, pn * c.bn}, total.to(Out));
  });
});

/// What to try: blocks that leave most of the chip idle, shared by several programs.
inline Space<SplitMatmulConfig> split_matmul_space(const Target &target, DType type,
                                                   const SplitMatmulConfig &base = {}) {
  Space<SplitMatmulConfig> space;
  for (const Candidate<SplitMatmulConfig> &block : product_space(target, type, base))
    if (block.config.bm <= 128 && block.config.bn <= 128)
      for (Candidate<SplitMatmulConfig> &split : combinations(block, vary(&SplitMatmulConfig::splits, {4, 2, 8})))
        space.push_back(std::move(split));
  return space;
}

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_SPLIT_MATMUL_SPLIT_MATMUL_H
