//===- main.cpp - runs relu_add --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/elementwise.h"
#include "relu_add/relu_add.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("relu_add", "out[i] = max(x[i] + y[i], 0)");
  std::int64_t n = 100'003;
  ReluAddConfig config;
  lab.option("n", n, "elements").option("block", config.block, "elements per program");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(relu_add<T>, config))
      return;
    const auto x = run.input(n), y = run.input(n);
    auto out = run.output(n);
    run.work(3.0 * static_cast<double>(n) * T.bytes());
    run.launch(relu_add<T>, config, elementwise_space(run.device().target(), config),
               [&](const ReluAddConfig &c) { return Grid{cdiv(n, c.block)}; }, x.buffer, y.buffer, out.buffer, n);
    run.check(out, {reference::relu_add(x.host.values(), y.host.values())}, lab::Tolerance::oneRounding(T));
  });
}
