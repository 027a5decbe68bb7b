//===- main.cpp - runs relu_add --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/elementwise.h"
#include "relu_add/relu_add.h"
#include "spaces.h"
#include "vector_add/vector_add.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("relu_add", "out[i] = max(x[i] + y[i], 0)");
  std::int64_t n = 100'003;
  ReluAddConfig config;
  bool unfused = false;
  lab.option("n", n, "elements")
      .option("block", config.block, "elements per program")
      .flag("unfused", unfused, "measure vector_add and then a rectifier beside it: the sum goes through memory");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(relu_add<T>, config))
      return;
    const auto x = run.input(n), y = run.input(n);
    auto out = run.output(n);
    run.work(3.0 * static_cast<double>(n) * T.bytes());
    const auto chosen =
        run.launch(relu_add<T>, config, elementwise_space(run.device().target(), config),
                   [&](const ReluAddConfig &c) { return Grid{cdiv(n, c.block)}; }, x.buffer, y.buffer, out.buffer, n);
    const lab::Expected expected{reference::relu_add(x.host.values(), y.host.values())};
    run.check(out, expected, lab::Tolerance::oneRounding(T));
    if (!unfused)
      return;
    auto two = run.output(n);
    const auto add = vector_add<T>.with({chosen.config.block}, chosen.options);
    const auto second = rectify<T>.with(chosen.config, chosen.options);
    const Grid grid{cdiv(n, chosen.config.block)};
    const auto both = [&] {
      add.launch(run.device(), grid, x.buffer, y.buffer, two.buffer, n);
      second.launch(run.device(), grid, two.buffer, n);
    };
    both();
    const std::string agrees = run.comparison(two, expected, lab::Tolerance::oneRounding(T)).summary();
    run.beside("vector_add, then a rectifier", both, agrees);
  });
}
