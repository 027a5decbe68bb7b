//===- main.cpp - runs layer_norm_backward --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "layer_norm_backward/layer_norm_backward.h"
#include "reference/rows.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("layer_norm_backward", "dx[r,c] = (g - mean(g) - n * mean(g * n)) * scale_r, n the normalised row, g = "
                                      "dout * weight");
  std::int64_t rows = 256, cols = 781, gap = 0, programs = 64;
  lab.option("rows", rows, "rows of the matrix")
      .option("cols", cols, "elements of a row", 1)
      .option("gap", gap, "elements between the rows")
      .option("programs", programs, "programs that share the rows", 1);
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    const LayerNormBackwardConfig config = LayerNormBackwardConfig::forColumns(cols);
    if (run.emits(layer_norm_backward<T>, config))
      return;
    const float eps = 1e-5f;
    const std::int64_t stride = cols + gap;
    const auto x = run.input(rows, cols, stride), dout = run.input(rows, cols, stride);
    const auto weight = run.input(cols);
    auto dx = run.output(rows, cols, stride);
    constexpr DType work = promote(T, f32);
    auto dweights = run.device().template buffer<work>(programs * cols),
         dbiases = run.device().template buffer<work>(programs * cols);
    run.work(3.0 * static_cast<double>(rows * cols) * T.bytes());
    run.launch(layer_norm_backward<T>, config, layer_norm_backward_space(run.device().target(), config),
               [&](const LayerNormBackwardConfig &) { return Grid{programs}; }, x.buffer, weight.buffer, dout.buffer,
               dx.buffer, dweights, dbiases, rows, stride, cols, eps);
    const auto exact =
        reference::layer_norm_backward(x.host.values(), weight.host.values(), dout.host.values(), rows, eps);
    run.check(dx, {exact.dx.out, exact.dx.magnitude}, lab::layerNormTolerance(T, cols));
  });
}
