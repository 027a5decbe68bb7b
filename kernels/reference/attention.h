//===- attention.h - plain loops: attention ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_REFERENCE_ATTENTION_H
#define TESSERA_KERNELS_REFERENCE_ATTENTION_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace tessera::kernels::reference {

/// Results; for each, the same sum over absolute values, which its rounding errors are measured against; and the
/// logarithms of the sums of exponentials.
struct Attention {
  std::vector<double> out;
  std::vector<double> magnitude;
  std::vector<double> lse;
};

/// One row of results: \p query against the first \p keys rows of \p k and \p v, all of \p d elements.
inline Attention attentionRow(const double *query, const double *k, const double *v, std::size_t keys, std::size_t d,
                              double scale) {
  Attention row{std::vector<double>(d), std::vector<double>(d), {}};
  std::vector<double> p(keys);
  double largest = -std::numeric_limits<double>::infinity(), total = 0;
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t e = 0; e < d; ++e)
      p[j] += query[e] * k[j * d + e];
    largest = std::fmax(largest, p[j] *= scale);
  }
  for (std::size_t j = 0; j < keys; ++j)
    total += p[j] = std::exp(p[j] - largest);
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t e = 0; e < d; ++e) {
      const double term = p[j] / total * v[j * d + e];
      row.out[e] += term;
      row.magnitude[e] += std::fabs(term);
    }
  }
  row.lse = {largest + std::log(total)};
  return row;
}

/// Attention of \p heads heads over q, k and v of [heads, seq, d] without gaps; \p causal: over keys up to the query.
inline Attention attention(const std::vector<double> &q, const std::vector<double> &k, const std::vector<double> &v,
                           std::size_t heads, std::size_t seq, std::size_t d, double scale, bool causal) {
  Attention all;
  for (std::size_t row = 0; row < heads * seq; ++row) {
    const std::size_t head = row / seq * seq * d, keys = causal ? row % seq + 1 : seq;
    const Attention one = attentionRow(&q[row * d], &k[head], &v[head], keys, d, scale);
    all.out.insert(all.out.end(), one.out.begin(), one.out.end());
    all.magnitude.insert(all.magnitude.end(), one.magnitude.begin(), one.magnitude.end());
    all.lse.push_back(one.lse[0]);
  }
  return all;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_ATTENTION_H
