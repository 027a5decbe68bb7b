//===- main.cpp - runs softmax ---------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "reference/rows.h"
#include "softmax/mistakes.h"
#include "softmax/softmax.h"
#include "spaces.h"

using namespace tessera;
using namespace tessera::kernels;

/// Runs softmax with a mistake on the lab's input, and says what becomes of the result.
template <DType T>
static void showMistake(lab::Run<T> &run, const char *name, Mistake mistake, const lab::Array<T> &x,
                        const lab::Expected &expected, const lab::Tolerance &tolerance) {
  const SoftmaxConfig held = SoftmaxConfig::forColumns(x.host.cols, T);
  if (held.parts)
    return run.say(name, "not shown for rows that are read in parts");
  auto out = run.output(x.host.rows, x.host.cols, x.host.stride);
  mistaken_softmax<T>.with({held.block, mistake})
      .launch(run.device(), {x.host.rows}, x.buffer, out.buffer, x.host.stride, x.host.rows, x.host.cols);
  const lab::Comparison found = run.comparison(out, expected, tolerance);
  run.say(name, found.summary() + (found.passed() ? "" : "; the worst, " + found.worstElement()));
}

int main(int argc, char **argv) {
  lab::Lab lab("softmax", "out[r,c] = exp(x[r,c] - max_r) / sum_c exp(x[r,c] - max_r)");
  std::int64_t rows = 256, cols = 781, gap = 0;
  bool poisoned = false, negative = false;
  lab.option("rows", rows, "rows of the matrix")
      .option("cols", cols, "elements of a row", 1)
      .option("gap", gap, "elements between the rows")
      .flag("poison", poisoned,
            "set x[0,7] to 100, and show what programs without a maximum or of the wrong row make of it")
      .flag("negative", negative,
            "take 60 from all elements, and show what a program makes of them whose masked lanes read 0");
  return lab.main<f32, f16, bf16, f64>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    const SoftmaxConfig config = SoftmaxConfig::forColumns(cols, T);
    if (run.emits(softmax<T>, config))
      return;
    const std::int64_t stride = cols + gap;
    auto values = lab::Matrix<T>::random(run.random, rows, cols, stride);
    for (std::int64_t row = 0; negative && row != rows; ++row)
      for (std::int64_t col = 0; col != cols; ++col)
        values.at(row, col) = static_cast<host_type<T>>(static_cast<double>(values.at(row, col)) - 60);
    if (poisoned && rows)
      values.at(0, std::min<std::int64_t>(7, cols - 1)) = static_cast<host_type<T>>(100.0);
    const auto x = run.upload(std::move(values));
    auto out = run.output(rows, cols, stride);
    run.work(2.0 * static_cast<double>(rows * cols) * T.bytes());
    run.launch(softmax<T>, config, row_space(run.device().target(), config),
               [&](const SoftmaxConfig &) { return Grid{rows}; }, x.buffer, out.buffer, stride, cols);
    const lab::Expected expected{reference::softmax(x.host.values(), rows, cols)};
    const auto tolerance = lab::softmaxTolerance(T, cols, poisoned ? 161 : 2);
    run.check(out, expected, tolerance);
    if (poisoned) {
      showMistake(run, "without the maximum", Mistake::noMaximum, x, expected, tolerance);
      showMistake(run, "of the row below", Mistake::nextRow, x, expected, tolerance);
    }
    if (negative)
      showMistake(run, "masked lanes read 0", Mistake::otherZero, x, expected, tolerance);
  });
}
