//===- main.cpp - runs batched_matmul --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "batched_matmul/batched_matmul.h"
#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/matmul.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("batched_matmul", "out[p,i,j] = sum_l a[p,i,l] * b[p,l,j]");
  std::int64_t batch = 3, m = 70, n = 50, k = 100;
  MatmulConfig config{.bm = 64, .bn = 64};
  lab.option("batch", batch, "matrices")
      .option("m", m, "rows of a and out")
      .option("n", n, "columns of b and out")
      .option("k", k, "columns of a, rows of b")
      .option("bm", config.bm, "rows of the block of a program")
      .option("bn", config.bn, "columns of the block of a program")
      .option("bk", config.bk, "step along k")
      .option("group", config.group, "block rows in a stripe of the walk");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(batched_matmul<T>, config))
      return;
    const auto a = run.input(batch * m, k, k), b = run.input(batch * k, n, n);
    auto out = run.output(batch * m, n, n);
    const auto grid = [&](const MatmulConfig &c) { return Grid(cdiv(m, c.bm) * cdiv(n, c.bn), batch); };
    run.work(0, 2.0 * static_cast<double>(batch * m) * static_cast<double>(n) * static_cast<double>(k));
    run.launch(batched_matmul<T>, config, matmul_space(run.device().target(), T, config), grid, a.buffer, b.buffer,
               out.buffer, batch, m, n, k, k, n, n, m * k, k * n, m * n);
    const auto product = reference::batchedMatmul(a.host.values(), b.host.values(), batch, m, n, k);
    run.check(out, {product.out, product.magnitude}, lab::matmulTolerance(T, k));
  });
}
