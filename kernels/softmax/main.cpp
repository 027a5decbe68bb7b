//===- main.cpp - runs softmax ---------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/rows.h"
#include "softmax/softmax.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

int main(int argc, char **argv) {
  lab::Lab lab("softmax", "out[r,c] = exp(x[r,c] - max_r) / sum_c exp(x[r,c] - max_r)");
  std::int64_t rows = 256, cols = 781, gap = 0;
  lab.option("rows", rows, "rows of the matrix")
      .option("cols", cols, "elements of a row", 1)
      .option("gap", gap, "elements between the rows");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    const SoftmaxConfig config = SoftmaxConfig::forColumns(cols, T);
    if (run.emits(softmax<T>, config))
      return;
    const std::int64_t stride = cols + gap;
    const auto x = run.input(rows, cols, stride);
    auto out = run.output(rows, cols, stride);
    run.work(2.0 * static_cast<double>(rows * cols) * T.bytes());
    run.launch(softmax<T>, config, row_space(run.device().target(), config),
               [&](const SoftmaxConfig &) { return Grid{rows}; }, x.buffer, out.buffer, stride, cols);
    run.check(out, {reference::softmax(x.host.values(), rows, cols)}, lab::softmaxTolerance(T, cols));
  });
}
