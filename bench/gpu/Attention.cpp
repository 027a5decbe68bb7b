//===- Attention.cpp - attention, forward --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Case.h"
#include "Samples.h"

#include "attention/attention.h"
#include "lab/Tolerances.h"
#include "reference/attention.h"

#include <cmath>

namespace tessera::bench {

namespace {

struct Sizes {
  std::int64_t batch, heads, seq, d;
};

/// Queries, keys, values, the result, and some of its rows.
struct AttentionData {
  std::int64_t heads, seq, d;
  double scale;
  Pattern<f16> pq{1}, pk{2}, pv{3};
  Buffer<f16> q, k, v, out;
  Samples some;

  AttentionData(std::int64_t heads, std::int64_t seq, std::int64_t d, bool causal)
      : heads(heads), seq(seq), d(d), scale(1 / std::sqrt(static_cast<double>(d))) {
    const std::int64_t size = heads * seq * d;
    q = pq.upload(size), k = pk.upload(size), v = pv.upload(size), out = device().buffer<f16>(size);
    const auto part = [](const Pattern<f16> &pattern, std::int64_t first, std::int64_t count) {
      std::vector<double> values;
      for (std::int64_t i = first; i != first + count; ++i)
        values.push_back(pattern[i]);
      return values;
    };
    for (std::int64_t head : samples(heads, 2, 4)) {
      const auto keys = part(pk, head * seq * d, seq * d), values = part(pv, head * seq * d, seq * d);
      for (std::int64_t row : samples(seq, 10, 5)) {
        const std::int64_t first = (head * seq + row) * d;
        const auto exact = kernels::reference::attentionRow(part(pq, first, d).data(), keys.data(), values.data(),
                                                            static_cast<std::size_t>(causal ? row + 1 : seq),
                                                            static_cast<std::size_t>(d), scale);
        for (std::int64_t e = 0; e != d; ++e)
          some.places.push_back(first + e);
        some.exact.values.insert(some.exact.values.end(), exact.out.begin(), exact.out.end());
        some.exact.magnitude.insert(some.exact.magnitude.end(), exact.magnitude.begin(), exact.magnitude.end());
      }
    }
  }
};

void measureOne(const Sizes &sizes, bool causal, const Timer &timer, Settings &settings) {
  const std::string shape = std::to_string(sizes.batch) + "x" + std::to_string(sizes.heads) + "x" +
                            std::to_string(sizes.seq) + "x" + std::to_string(sizes.d) + (causal ? "-causal" : "");
  if (!settings.wants("attention_fwd", shape, rowName(f16)))
    return;
  const std::int64_t heads = settings.brief ? 2 : sizes.batch * sizes.heads, seq = settings.brief ? 300 : sizes.seq;
  AttentionData data(heads, seq, sizes.d, causal);
  Case problem{"attention_fwd", shape, f16, 0, {}, {}};
  problem.operations = (causal ? 2.0 : 4.0) * static_cast<double>(heads * seq) * static_cast<double>(seq * sizes.d);
  const kernels::AttentionConfig base{.d = static_cast<int>(sizes.d), .causal = causal};
  Space<kernels::AttentionConfig> space = kernels::attention_space(device().target(), f16, base);
  if (!settings.configs.empty())
    space.clear();
  for (const std::vector<int> &c : configNumbers(settings.configs, 4, 4)) {
    space.push_back({base, {.num_warps = c[2], .num_stages = c[3]}});
    space.back().config.bm = c[0], space.back().config.bn = c[1];
  }
  for (const auto &[config, options] : space) {
    // A kernel of its own, so that it knows what was compiled for this candidate.
    const auto kernel = kernels::attention<f16>.params({"q", "k", "v", "out", "lse", "heads", "seq", "scale"});
    problem.candidates.push_back(candidateOf(std::to_string(config.bm) + "x" + std::to_string(config.bn) +
                                                 ",warps=" + std::to_string(options.num_warps) +
                                                 ",stages=" + std::to_string(options.num_stages),
                                             kernel, config, options, Grid(cdiv(seq, config.bm), heads), data.q, data.k,
                                             data.v, data.out, none, heads, seq, static_cast<float>(data.scale)));
  }
  problem.clear = [&] { data.out.fill(kernels::lab::poison<f16>()); };
  problem.wrong = [&] {
    return wrongSample(data.out, data.some, kernels::lab::attentionTolerance(f16, seq, sizes.d, data.scale));
  };
  measure(problem, timer, settings);
}

} // namespace

void measureAttention(const Timer &timer, Settings &settings) {
  for (const Sizes &sizes : {Sizes{4, 32, 4096, 128}, {1, 32, 16384, 128}, {4, 32, 4096, 64}})
    for (bool causal : {false, true})
      measureOne(sizes, causal, timer, settings);
}

} // namespace tessera::bench
