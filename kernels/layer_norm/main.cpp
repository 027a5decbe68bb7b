//===- main.cpp - runs layer_norm ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "layer_norm/layer_norm.h"
#include "reference/rows.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("layer_norm", "out[r,c] = (x[r,c] - mean_r) / sqrt(variance_r + eps) * weight[c] + bias[c]");
  std::int64_t rows = 256, cols = 781, gap = 0;
  lab.option("rows", rows, "rows of the matrix")
      .option("cols", cols, "elements of a row", 1)
      .option("gap", gap, "elements between the rows");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    const LayerNormConfig config = LayerNormConfig::forColumns(cols);
    if (run.emits(layer_norm<T>, config))
      return;
    const float eps = 1e-5f;
    const std::int64_t stride = cols + gap;
    const auto x = run.input(rows, cols, stride);
    const auto weight = run.input(cols), bias = run.input(cols);
    auto out = run.output(rows, cols, stride);
    run.work(2.0 * static_cast<double>(rows * cols) * T.bytes());
    run.launch(layer_norm<T>, config, row_space(run.device().target(), config), [&](const LayerNormConfig &) {
      return Grid{rows};
    }, x.buffer, weight.buffer, bias.buffer, out.buffer, stride, cols, eps);
    const auto exact = reference::layer_norm(x.host.values(), weight.host.values(), bias.host.values(), rows, eps);
    run.check(out, {exact.out, exact.magnitude}, lab::layerNormTolerance(T, cols));
  });
}
