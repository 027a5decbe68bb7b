//===- main.cpp - runs vector_add ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/elementwise.h"
#include "spaces.h"
#include "vector_add/vector_add.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("vector_add", "out[i] = x[i] + y[i]");
  std::int64_t n = 100'003;
  AddConfig config;
  lab.option("n", n, "elements").option("block", config.block, "elements per program");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(vector_add<T>, config))
      return;
    const auto x = run.input(n), y = run.input(n);
    auto out = run.output(n);
    run.work(3.0 * static_cast<double>(n) * T.bytes());
    run.launch(vector_add<T>, config, elementwise_space(run.device().target(), config),
               [&](const AddConfig &c) { return Grid{cdiv(n, c.block)}; }, x.buffer, y.buffer, out.buffer, n);
    run.check(out, {reference::vector_add(x.host.values(), y.host.values())}, lab::Tolerance::oneRounding(T));
  });
}
