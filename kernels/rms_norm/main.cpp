//===- main.cpp - runs rms_norm --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/rows.h"
#include "rms_norm/rms_norm.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("rms_norm", "out[r,c] = x[r,c] / sqrt(mean_c x[r,c]^2 + eps) * weight[c]");
  std::int64_t rows = 256, cols = 781, gap = 0;
  lab.option("rows", rows, "rows of the matrix")
      .option("cols", cols, "elements of a row", 1)
      .option("gap", gap, "elements between the rows");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    const RmsNormConfig config = RmsNormConfig::forColumns(cols);
    if (run.emits(rms_norm<T>, config))
      return;
    const float eps = 1e-5f;
    const std::int64_t stride = cols + gap;
    const auto x = run.input(rows, cols, stride);
    const auto weight = run.input(cols);
    auto out = run.output(rows, cols, stride);
    run.work(2.0 * static_cast<double>(rows * cols) * T.bytes());
    run.launch(rms_norm<T>, config, row_space(run.device().target(), config), [&](const RmsNormConfig &) {
      return Grid{rows};
    }, x.buffer, weight.buffer, out.buffer, stride, cols, eps);
    run.check(out, {reference::rms_norm(x.host.values(), weight.host.values(), rows, eps)},
              lab::rmsNormTolerance(T, cols));
  });
}
