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

#include "spaces.h"

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

/// What to try for elements of \p type; the head's size and the mask are those of \p base.
inline Space<AttentionConfig> attention_space(const Target &target, DType type, const AttentionConfig &base = {}) {
  const auto with = [&](int bm, int bn, int warps, int stages) {
    Candidate<AttentionConfig> candidate{base, {.num_warps = warps, .num_stages = stages}};
    candidate.config.bm = bm, candidate.config.bn = bn;
    return candidate;
  };
  Space<AttentionConfig> space;
  if (target.family() == "hip" && target.warp_size() == 32)
    space = {with(128, 64, 8, 1), with(64, 64, 4, 1), with(64, 32, 4, 1)};
  else if (target.family() == "hip")
    space = {with(128, 64, 4, 1), with(64, 64, 4, 1), with(128, 128, 8, 1), with(128, 32, 4, 1)};
  else if (!isGpu(target))
    space = {with(64, 64, 4, 1), with(128, 64, 4, 1), with(128, 128, 4, 1), with(32, 64, 4, 1)};
  else
    space = {with(128, 64, 4, 2), with(128, 128, 8, 3), with(128, 64, 8, 3), with(64, 128, 4, 2), with(64, 64, 4, 2)};
  // Queries stay; keys and values of each step in flight lie beside them.
  std::erase_if(space, [&](const Candidate<AttentionConfig> &c) {
    const std::int64_t rows = c.config.bm + std::int64_t{2} * c.config.bn * c.options.num_stages;
    return isGpu(target) && rows * c.config.d * type.bytes() > target.shared_bytes();
  });
  return space;
}

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_ATTENTION_ATTENTION_H
