//===- main.cpp - runs dequant_matmul --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "dequant_matmul/dequant_matmul.h"
#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/dequant.h"
#include "reference/matmul.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("dequant_matmul", "out[i,j] = sum_l x[i,l] * w[j,l] * scale[j, l / span]");
  std::int64_t m = 20, n = 150, k = 200;
  DequantConfig config{.bm = 32, .bn = 64, .span = 32};
  lab.option("m", m, "rows of x and out")
      .option("n", n, "rows of w, columns of out")
      .option("k", k, "columns of x, weights of a row")
      .option("bits", config.bits, "of a weight: 8 or 4")
      .option("span", config.span, "weights that share a scale")
      .option("bm", config.bm, "rows of the block of a program")
      .option("bn", config.bn, "columns of the block of a program")
      .option("bk", config.bk, "step along k")
      .option("group", config.group, "block rows in a stripe of the walk");
  return lab.main<f32, f16, bf16>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(dequant_matmul<T>, config))
      return;
    const std::int64_t bytes = cdiv(k * config.bits, 8), scales = cdiv(k, config.span);
    const auto x = run.input(m, k, k), scale = run.input(n, scales, scales);
    const auto w = run.upload(lab::Matrix<u8>::random(run.random, n, bytes, bytes));
    auto out = run.output(m, n, n);
    const auto grid = [&](const DequantConfig &c) { return Grid{cdiv(m, c.bm) * cdiv(n, c.bn)}; };
    run.work(0, 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
    run.launch(dequant_matmul<T>, config, dequant_matmul_space(run.device().target(), T, config), grid, x.buffer,
               w.buffer, scale.buffer, out.buffer, m, n, k);
    const auto weights = reference::dequantised(w.host.values(), scale.host.values(), n, k, config.bits, config.span);
    const auto product = reference::matmul(x.host.values(), weights, m, n, k);
    run.check(out, {product.out, product.magnitude}, lab::dequantMatmulTolerance(T, k));
  });
}
