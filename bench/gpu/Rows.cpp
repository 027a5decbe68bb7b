//===- Rows.cpp - softmax, rmsnorm and layernorm -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Case.h"

#include "lab/Compare.h"
#include "lab/Tolerances.h"
#include "layer_norm/layer_norm.h"
#include "reference/rows.h"
#include "rms_norm/rms_norm.h"
#include "softmax/softmax.h"
#include "spaces.h"

#include <bit>
#include <utility>

namespace tessera::bench {

namespace {

using kernels::lab::Expected;
using kernels::lab::Tolerance;

constexpr float kEps = 1e-5f;

/// A matrix, its scale and shift, and the result.
template <DType T> struct RowData {
  std::int64_t rows, cols;
  Pattern<T> px{1}, pw{2}, pb{3};
  Buffer<T> x, weight, bias, out;

  RowData(std::int64_t rows, std::int64_t cols) : rows(rows), cols(cols) {
    x = px.upload(rows * cols);
    weight = pw.upload(cols);
    bias = pb.upload(cols);
    out = device().buffer<T>(rows * cols);
    out.fill(static_cast<host_type<T>>(-99.0f));
  }

  std::vector<double> row(const Pattern<T> &pattern, std::int64_t first) const {
    std::vector<double> values(static_cast<std::size_t>(cols));
    for (std::int64_t i = 0; i != cols; ++i)
      values[static_cast<std::size_t>(i)] = pattern[first + i];
    return values;
  }

  /// Compares some rows, the first and the last among them.
  std::string wrong(const std::function<Expected(const std::vector<double> &)> &exact,
                    const Tolerance &tolerance) const {
    const auto found = out.download();
    const std::int64_t step = std::max<std::int64_t>(1, rows / 61);
    for (std::int64_t r = 0; r < rows; r = r + step < rows || r == rows - 1 ? r + step : rows - 1) {
      const auto *start = found.data() + r * cols;
      const auto compared =
          kernels::lab::compare(std::vector<double>(start, start + cols), exact(row(px, r * cols)), tolerance);
      if (!compared.passed())
        return "row " + std::to_string(r) + ": " + compared.summary();
    }
    return {};
  }
};

/// Measures one kernel; \p make makes the work of a candidate from its options.
template <DType T>
void measureRow(const char *name, const RowData<T> &data, const std::function<Work(const CompileOptions &)> &make,
                const std::function<Expected(const std::vector<double> &)> &exact, const Tolerance &tolerance,
                const Timer &timer, Settings &settings) {
  Case problem{name, std::to_string(data.rows) + "x" + std::to_string(data.cols),
               T,    2.0 * sizeof(host_type<T>) * static_cast<double>(data.rows * data.cols),
               {},   [&] { return data.wrong(exact, tolerance); }};
  struct Row {
    int block;
  };
  const Row row{static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(data.cols)))};
  for (const auto &[config, options] : kernels::row_space(device().target(), row))
    problem.candidates.push_back({"num_warps=" + std::to_string(options.num_warps) +
                                      (options.cluster == 1 ? "" : " cluster=" + std::to_string(options.cluster)),
                                  make(options)});
  measure(problem, timer, settings);
}

template <DType T> void measureSoftmax(std::int64_t rows, std::int64_t cols, const Timer &timer, Settings &settings) {
  const RowData<T> data(settings.brief ? 64 : rows, cols);
  const auto make = [&](const CompileOptions &options) {
    return prepared(kernels::softmax<T>.with(kernels::SoftmaxConfig::forColumns(cols, T, options.cluster), options),
                    Grid{data.rows}, data.x, data.out, cols, cols);
  };
  const auto exact = [](const std::vector<double> &row) {
    return Expected{kernels::reference::softmax(row, 1, row.size())};
  };
  measureRow<T>("softmax", data, make, exact, kernels::lab::softmaxTolerance(T, cols), timer, settings);
}

template <DType T> void measureNorms(std::int64_t rows, std::int64_t cols, const Timer &timer, Settings &settings) {
  const RowData<T> data(settings.brief ? 64 : rows, cols);
  const auto makeRms = [&](const CompileOptions &options) {
    return prepared(kernels::rms_norm<T>.with(kernels::RmsNormConfig::forColumns(cols), options), Grid{data.rows},
                    data.x, data.weight, data.out, cols, cols, kEps);
  };
  const auto exactRms = [&](const std::vector<double> &row) {
    return Expected{kernels::reference::rms_norm(row, data.row(data.pw, 0), 1, kEps)};
  };
  measureRow<T>("rmsnorm", data, makeRms, exactRms, kernels::lab::rmsNormTolerance(T, cols), timer, settings);

  const auto makeLayer = [&](const CompileOptions &options) {
    return prepared(kernels::layer_norm<T>.with(kernels::LayerNormConfig::forColumns(cols), options), Grid{data.rows},
                    data.x, data.weight, data.bias, data.out, cols, cols, kEps);
  };
  const auto exactLayer = [&](const std::vector<double> &row) {
    const auto results = kernels::reference::layer_norm(row, data.row(data.pw, 0), data.row(data.pb, 0), 1, kEps);
    return Expected{results.out, results.magnitude};
  };
  measureRow<T>("layernorm", data, makeLayer, exactLayer, kernels::lab::layerNormTolerance(T, cols), timer, settings);
}

} // namespace

void measureWideRows(const Timer &timer, Settings &settings) {
  constexpr std::pair<std::int64_t, std::int64_t> shapes[] = {{2048, 65536}, {1024, 131072}, {512, 262144}};
  for (const auto &[rows, cols] : shapes) {
    measureSoftmax<f32>(rows, cols, timer, settings);
    measureSoftmax<f16>(rows, cols, timer, settings);
  }
}

void measureRows(const Timer &timer, Settings &settings) {
  constexpr std::pair<std::int64_t, std::int64_t> softmaxShapes[] = {
      {262144, 128}, {65536, 781}, {32768, 1024}, {16384, 4096}, {8192, 12672}, {8192, 16384}, {4096, 32768}};
  for (const auto &[rows, cols] : softmaxShapes)
    measureSoftmax<f32>(rows, cols, timer, settings);
  for (const auto &[rows, cols] : softmaxShapes)
    measureSoftmax<f16>(rows, cols, timer, settings);
  constexpr std::pair<std::int64_t, std::int64_t> normShapes[] = {{16384, 4096}, {8192, 8192}, {32768, 1024}};
  for (const auto &[rows, cols] : normShapes)
    measureNorms<f16>(rows, cols, timer, settings);
}

} // namespace tessera::bench
