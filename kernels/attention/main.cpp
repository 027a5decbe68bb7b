//===- main.cpp - runs attention -------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "attention/attention.h"
#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/attention.h"

#include <cmath>

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("attention", "out[h,i,:] = sum_j softmax_j(q[h,i,:] . k[h,j,:] / sqrt(d)) * v[h,j,:]");
  std::int64_t heads = 2, seq = 150, causal = 0;
  AttentionConfig config{.bm = 64, .bn = 64, .d = 64};
  lab.option("heads", heads, "heads of the whole batch")
      .option("seq", seq, "queries, and keys, of a head")
      .option("d", config.d, "elements of a query, key and value")
      .option("causal", causal, "1 if a query sees only the keys up to its own place")
      .option("bm", config.bm, "queries of a program")
      .option("bn", config.bn, "step along the keys");
  return lab.main<f32, f16, bf16>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    config.causal = causal != 0;
    if (run.emits(attention<T>, config))
      return;
    const std::int64_t d = config.d;
    const double scale = 1 / std::sqrt(static_cast<double>(d));
    const auto q = run.input(heads * seq, d, d), k = run.input(heads * seq, d, d), v = run.input(heads * seq, d, d);
    auto out = run.output(heads * seq, d, d);
    run.work(0, (causal ? 2.0 : 4.0) * static_cast<double>(heads * seq) * static_cast<double>(seq * d));
    run.launch(attention<T>, config, attention_space(run.device().target(), T, config), [&](const AttentionConfig &c) {
      return Grid(cdiv(seq, c.bm), heads);
    }, q.buffer, k.buffer, v.buffer, out.buffer, none, heads, seq, static_cast<float>(scale));
    const auto exact =
        reference::attention(q.host.values(), k.host.values(), v.host.values(), heads, seq, d, scale, config.causal);
    run.check(out, {exact.out, exact.magnitude}, lab::attentionTolerance(T, seq, d, scale));
  });
}
