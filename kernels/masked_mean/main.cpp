//===- main.cpp - runs masked_mean -----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "masked_mean/masked_mean.h"
#include "reference/rows.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

/// Which elements count: about half of them, and none in every fifth row.
static std::vector<bool> chooseKept(lab::Random &random, std::int64_t rows, std::int64_t cols) {
  std::vector<bool> keep;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col)
      keep.push_back(row % 5 != 4 && random.chance(0.5));
  return keep;
}

int main(int argc, char **argv) {
  lab::Lab lab("masked_mean", "out[r] = the mean of x[r,c] where keep[r,c], 0 where a row keeps nothing");
  std::int64_t rows = 256, cols = 781;
  MaskedMeanConfig config;
  lab.option("rows", rows, "rows of the matrix")
      .option("cols", cols, "elements of a row")
      .option("block", config.block, "elements of a row per step");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(masked_mean<T>, config))
      return;
    const std::vector<bool> keep = chooseKept(run.random, rows, cols);
    auto values = lab::Matrix<T>::random(run.random, rows, cols, cols);
    for (std::size_t i = 0; i < keep.size(); ++i)
      if (!keep[i])
        values.elements[i] = lab::poison<T>(); // must not count
    const auto x = run.upload(std::move(values));
    const Buffer<i1> mask = run.device().template upload<i1>(keep);
    auto out = run.output(rows);
    run.work(static_cast<double>(rows * cols) * (T.bytes() + 1));
    run.launch(masked_mean<T>, config, elementwise_space(run.device().target(), config),
               [&](const MaskedMeanConfig &) { return Grid{rows}; }, x.buffer, mask, out.buffer, cols, cols);
    const auto means = reference::masked_mean(x.host.values(), keep, rows, cols);
    run.check(out, {means.out, means.magnitude}, lab::maskedMeanTolerance(T, cols));
  });
}
