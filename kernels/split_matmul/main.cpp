//===- main.cpp - runs split_matmul ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/matmul.h"
#include "split_matmul/split_matmul.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("split_matmul", "out[i,j] = sum_l a[i,l] * b[l,j]");
  std::int64_t m = 30, n = 150, k = 1000;
  SplitMatmulConfig config;
  lab.option("m", m, "rows of a and out")
      .option("n", n, "columns of b and out")
      .option("k", k, "columns of a, rows of b")
      .option("bm", config.bm, "rows of the block of a program")
      .option("bn", config.bn, "columns of the block of a program")
      .option("bk", config.bk, "step along k")
      .option("splits", config.splits, "programs that share a block")
      .option("group", config.group, "block rows in a stripe of the walk");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(split_matmul<T>, config))
      return;
    const auto a = run.input(m, k, k), b = run.input(k, n, n);
    auto out = run.output(m, n, n);
    const auto grid = [&](const SplitMatmulConfig &c) { return Grid(cdiv(m, c.bm) * cdiv(n, c.bn), c.splits); };
    run.work(0, 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
    run.launch(split_matmul<T>, config, split_matmul_space(run.device().target(), T, config), grid, a.buffer, b.buffer,
               out.buffer, m, n, k, k, n, n);
    const auto product = reference::matmul(a.host.values(), b.host.values(), m, n, k);
    run.check(out, {product.out, product.magnitude}, lab::matmulTolerance(T, k));
  });
}
