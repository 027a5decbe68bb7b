//===- main.cpp - runs cross_entropy --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cross_entropy/cross_entropy.h"
#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/rows.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

/// Random labels; every seventh row has none.
static std::vector<std::int64_t> chooseLabels(lab::Random &random, std::int64_t rows, std::int64_t cols) {
  std::vector<std::int64_t> labels;
  for (std::int64_t row = 0; row < rows; ++row)
    labels.push_back(row % 7 == 6 ? -100 : static_cast<std::int64_t>(random.between(0, static_cast<double>(cols))));
  return labels;
}

int main(int argc, char **argv) {
  lab::Lab lab("cross_entropy", "dx[r,c] = (softmax(x)[r,c] - (c == label_r)) * scale");
  std::int64_t rows = 64, cols = 5003, gap = 0;
  CrossEntropyConfig config;
  lab.option("rows", rows, "rows of the matrix")
      .option("cols", cols, "elements of a row: the vocabulary", 1)
      .option("gap", gap, "elements between the rows")
      .option("block", config.block, "elements of a row per step");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    if (run.emits(cross_entropy<T>, config))
      return;
    const float scale = 0.5f;
    const std::int64_t stride = cols + gap;
    const auto x = run.input(rows, cols, stride);
    const std::vector<std::int64_t> labels = chooseLabels(run.random, rows, cols);
    const Buffer<i64> ids = run.device().template upload<i64>(labels);
    auto dx = run.output(rows, cols, stride);
    auto loss = run.device().template buffer<promote(T, f32)>(rows);
    run.work(3.0 * static_cast<double>(rows * cols) * T.bytes());
    run.launch(cross_entropy<T>, config, elementwise_space(run.device().target(), config),
               [&](const CrossEntropyConfig &) { return Grid{rows}; }, x.buffer, ids, loss, dx.buffer, stride, cols,
               scale);
    const auto exact = reference::cross_entropy(x.host.values(), labels, static_cast<std::size_t>(cols), scale);
    run.check(dx, {exact.dx.out, exact.dx.magnitude}, lab::crossEntropyTolerance(T, cols));
  });
}
