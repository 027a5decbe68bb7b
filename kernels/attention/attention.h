//===- attention.h - attention, forward --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[h,i,:] = sum_j p[h,i,j] * v[h,j,:]   where p[h,i,:] is the softmax of scale * q[h,i,:] . k[h,j,:] over all keys
//   j, or if `causal` over j <= i;  lse[h,i] = log sum_j exp(scale * q[h,i,:] . k[h,j,:]), if wanted
//
// Types:  f16, bf16 or f32; products, sums and exponentials in f32, probabilities and results rounded once to T.
// Shapes: q, k, v and out are [heads, seq, d] without gaps, where heads counts those of the whole batch; lse is
// [heads, seq]; scale > 0.
// Edges:  any seq: keys past the end have probability 0, rows past it are not written.
// Grid:   {cdiv(seq, bm), heads} programs, one for bm queries of a head. It walks along the keys and keeps, of each
// query, the greatest score so far, the sum of exponentials and the weighted sum of values. Blocks of keys that all
// queries see come first and need no mask.
// Flops:  4 * heads * seq * seq * d, half of it if causal.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_ATTENTION_ATTENTION_H
#define TESSERA_KERNELS_ATTENTION_ATTENTION_H

#include "tessera/tessera.h"

#include <numbers>

namespace tessera::kernels {

struct AttentionConfig {
  int bm = 128, bn = 64; ///< queries of a program, and its step along the keys
  int d = 128;           ///< elements of a query, key and value: a power of two
  bool causal = false;   ///< whether a query sees only the keys up to its own place
};

template <DType T>
const auto attention = kernel("attention", {"q", "k", "v", "out", "lse", "heads", "seq", "scale"},
                              [](const AttentionConfig &c, Ptr<T> q, Ptr<T> k, Ptr<T> v, Ptr<T> out, Opt<Ptr<f32>> lse,
                                 Int heads, Int seq, F32 scale) {
  View Q = view(q, {heads, seq, c.d}), K = view(k, {heads, seq, c.d}), V = view(v, {heads, seq, c.d});
  View O = view(out, {heads, seq, c.d});
  Int head = program_id(1), block = program_id(0);
  if (c.causal)
    block = num_programs(0) - 1 - block; // those with the most keys start first
  Int start = block * c.bm;
  F32 scale2 = scale * std::numbers::log2e; // powers of 2 instead of e

  Tile queries = reshape(Q.load({head, start, 0}, {1, c.bm, c.d}), {c.bm, c.d});
  Tile best = full(f32, {c.bm}, -inf), total = zeros(f32, {c.bm}), acc = zeros(f32, {c.bm, c.d});
  const auto step = [&](Int key, bool masked) {
    Tile keys = reshape(K.load({head, key, 0}, {1, c.bn, c.d}), {c.bn, c.d});
    Tile values = reshape(V.load({head, key, 0}, {1, c.bn, c.d}), {c.bn, c.d});
    Tile score = dot(queries, trans(keys));
    if (masked) {
      Tile j = arange(0, c.bn).row(), i = arange(0, c.bm).col();
      score = where(c.causal ? j <= i + (start - key).to(i32) : j < (seq - key).to(i32), score, -inf);
    }
    Tile top = maximum(best, max(score, {.axis = 1}) * scale2);
    Tile p = fast_exp2(score * scale2 - top.col()), shrink = fast_exp2(best - top);
    total = total * shrink + sum(p, {.axis = 1});
    acc = dot(p.to(T), values, acc * shrink.col());
    best = top;
  };
  Int whole = (c.causal ? start : seq) / c.bn * c.bn, end = seq;
  if (c.causal)
    end = minimum(start + c.bm, seq);
  for_range(0, whole, c.bn, [&](Int key) { step(key, false); });
  for_range(whole, end, c.bn, [&](Int key) { step(key, true); });

  Tile share = 1 / total; // one division a query
  O.store({head, start, 0}, reshape((acc * share.col()).to(T), {1, c.bm, c.d}));
  if (lse) {
    Tile i = start + arange(0, c.bm);
    store(*lse + head * seq + i, (best + log2(total)) * std::numbers::ln2, {.mask = i < seq});
  }
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_ATTENTION_ATTENTION_H
