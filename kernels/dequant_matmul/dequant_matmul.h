//===- dequant_matmul.h - a product with compressed weights -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i,j] = sum_l x[i,l] * w[j,l] * scale[j, l / span]   for 0 <= i < m, 0 <= j < n, 0 <= l < k
//
// Types:  x, scale and out of f16, bf16 or f32. w has 8 bits a weight, from -128 to 127, or 4, from -8 to 7, of which a
// byte holds two, the first one in its low half, each plus 8. A scaled weight is rounded once to T, sums are in f32.
// Shapes: row-major without gaps: x[m,k]; w, n rows of k weights, each row of whole bytes; scale[n, cdiv(k, span)];
// out[m,n].
// Edges:  any sizes: elements outside x and w read 0, elements outside out are not written.
// Grid:   cdiv(m, bm) * cdiv(n, bn) programs, as for matmul.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_DEQUANT_MATMUL_DEQUANT_MATMUL_H
#define TESSERA_KERNELS_DEQUANT_MATMUL_DEQUANT_MATMUL_H

#include "spaces.h"

#include "tessera/tessera.h"

#include <algorithm>

namespace tessera::kernels {

struct DequantConfig {
  int bm = 64, bn = 128, bk = 64; ///< the block of out that a program computes, and its step along k
  int group = 8;                  ///< block rows in a stripe of the walk
  int bits = 8;                   ///< of a weight: 8 or 4
  int span = 128;                 ///< weights along k that share a scale; it divides bk or bk divides it
};

template <DType T>
const auto dequant_matmul =
    kernel("dequant_matmul", {"x", "w", "scale", "out", "m", "n", "k"},
           [](const DequantConfig &c, Ptr<T> x, Ptr<u8> w, Ptr<T> scale, Ptr<T> out, Int m, Int n, Int k) {
  const int perByte = 8 / c.bits, scales = std::max(1, c.bk / c.span);
  auto [pm, pn] = grouped_program_id(cdiv(m, c.bm), cdiv(n, c.bn), c.group);
  Int i = pm * c.bm, j = pn * c.bn;
  View X = view(x, {m, k}), S = view(scale, {n, cdiv(k, c.span)}), C = view(out, {m, n});
  View W = view(w, {n, cdiv(k, perByte)});
  Tile acc = zeros(f32, {c.bm, c.bn});
  for_range(0, k, c.bk, [&](Int l) {
    Tile weight = W.load({j, l / perByte}, {c.bn, c.bk / perByte});
    if (c.bits == 4)
      weight = interleave(weight & 15, weight >> 4) - 8; // below 0 it wraps, as bytes with a sign do
    Tile factor = expand_dims(S.load({j, l / c.span}, {c.bn, scales}), 2);
    factor = reshape(broadcast_to(factor, {c.bn, scales, c.bk / scales}), {c.bn, c.bk});
    acc = dot(X.load({i, l}, {c.bm, c.bk}), trans(weight.bitcast(i8).to(T) * factor), acc);
  });
  C.store({i, j}, acc.to(T));
});

/// What to try for activations of \p type: a step along k is a whole number of spans, or a part of one.
inline Space<DequantConfig> dequant_matmul_space(const Target &target, DType type, const DequantConfig &base = {}) {
  auto space = product_space(target, type, base);
  std::erase_if(space, [](const Candidate<DequantConfig> &c) {
    return c.config.span % c.config.bk != 0 && c.config.bk % c.config.span != 0;
  });
  return space;
}

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_DEQUANT_MATMUL_DEQUANT_MATMUL_H
