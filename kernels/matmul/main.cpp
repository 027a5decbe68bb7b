//===- main.cpp - runs matmul ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "matmul/matmul.h"
#include "reference/matmul.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("matmul", "out[i,j] = sum_l a[i,l] * b[l,j]");
  std::int64_t m = 200, n = 150, k = 100;
  MatmulConfig config;
  lab.option("m", m, "rows of a and out")
      .option("n", n, "columns of b and out")
      .option("k", k, "columns of a, rows of b")
      .option("bm", config.bm, "rows of the block of a program")
      .option("bn", config.bn, "columns of the block of a program")
      .option("bk", config.bk, "step along k")
      .option("group", config.group, "block rows in a stripe of the walk");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(matmul<T>, config))
      return;
    const auto a = run.input(m, k, k), b = run.input(k, n, n);
    auto out = run.output(m, n, n);
    const Grid grid = cdiv(m, config.bm) * cdiv(n, config.bn);
    run.work(0, 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
    run.launch(matmul<T>, config, grid, a.buffer, b.buffer, out.buffer, m, n, k, k, n, n);
    const auto product = reference::matmul(a.host.values(), b.host.values(), m, n, k);
    run.check(out, {product.out, product.magnitude}, lab::matmulTolerance(T, k));
  });
}
