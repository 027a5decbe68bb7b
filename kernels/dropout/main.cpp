//===- main.cpp - runs dropout --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "dropout/dropout.h"
#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/dropout.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("dropout", "out[i] = rand(seed, i) >= 0.25 ? x[i] / 0.75 : 0");
  std::int64_t n = 100'003;
  DropoutConfig config;
  lab.option("n", n, "elements").option("block", config.block, "elements per program");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(dropout<T>, config))
      return;
    const float p = 0.25f;
    const std::int64_t seed = 1234;
    const auto x = run.input(n);
    auto out = run.output(n);
    run.work(2.0 * static_cast<double>(n) * T.bytes());
    run.launch(dropout<T>, config, elementwise_space(run.device().target(), config),
               [&](const DropoutConfig &c) { return Grid{cdiv(n, c.block)}; }, x.buffer, out.buffer, n, p, seed);
    run.check(out, {reference::dropout(x.host.values(), p, static_cast<std::uint64_t>(seed))},
              lab::dropoutTolerance(T));
  });
}
