//===- Rows.cpp - softmax and layer_norm ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Harness.h"
#include "PlainLoops.h"

#include "lab/Compare.h"
#include "lab/Inputs.h"
#include "lab/Tolerances.h"
#include "layer_norm/layer_norm.h"
#include "reference/rows.h"
#include "softmax/softmax.h"

#include <cstring>
#include <memory>

namespace tessera::bench {

namespace {

constexpr float kEps = 1e-5f;

/// A matrix, its scale and shift, and the result; every system works on the same memory.
struct Rows {
  std::int64_t rows, cols;
  Buffer<f32> x, weight, bias, out;

  Rows(std::int64_t rows, std::int64_t cols) : rows(rows), cols(cols) {
    kernels::lab::Random random(1);
    x = device().upload(random.values<f32>(static_cast<std::size_t>(rows * cols)));
    weight = device().upload(random.values<f32>(static_cast<std::size_t>(cols)));
    bias = device().upload(random.values<f32>(static_cast<std::size_t>(cols)));
    out = device().buffer<f32>(rows * cols);
  }

  void clear() const { std::memset(out.data(), 0xff, sizeof(float) * static_cast<std::size_t>(rows * cols)); }

  /// Compares some rows, the first and the last among them. \p exact makes the expected values of one row.
  template <class Exact> std::string wrong(Exact exact, const kernels::lab::Tolerance &tolerance) const {
    for (std::int64_t row = 0; row < rows; row = row + 97 < rows || row == rows - 1 ? row + 97 : rows - 1) {
      const auto compared = kernels::lab::compare(part(out, row * cols), exact(part(x, row * cols)), tolerance);
      if (!compared.passed())
        return "row " + std::to_string(row) + ": " + compared.summary();
    }
    return {};
  }
  /// A row's worth of elements.
  std::vector<double> part(const Buffer<f32> &buffer, std::int64_t first) const {
    return std::vector<double>(buffer.data() + first, buffer.data() + first + cols);
  }
};

Problem problemOf(const std::string &name, std::int64_t rows, std::int64_t cols) {
  const double bytes = 2.0 * sizeof(float) * static_cast<double>(rows * cols);
  return {name, std::to_string(rows) + "x" + std::to_string(cols), f32, bytes, "GB/s"};
}

void addSoftmax(std::int64_t rows, std::int64_t cols) {
  addCase(problemOf("softmax", rows, cols), {ourName(), "plain-loop"}, [=] {
    const auto data = std::make_shared<Rows>(rows, cols);
    const auto bound = kernels::softmax<f32>.with(kernels::SoftmaxConfig::forColumns(cols));
    const auto ours = [=] {
      bound.launch(device().stream(), {rows}, data->x, data->out, cols, cols);
      device().synchronize();
    };
    const auto plain = [=] {
      plain::softmax(data->x.data(), data->out.data(), static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    };
    const auto exact = [](const std::vector<double> &row) {
      return kernels::lab::Expected{kernels::reference::softmax(row, 1, row.size())};
    };
    return Setup{{{ourName(), ours}, {"plain-loop", plain}},
                 [=] { data->clear(); },
                 [=] { return data->wrong(exact, kernels::lab::softmaxTolerance(f32, cols)); }};
  });
}

void addLayerNorm(std::int64_t rows, std::int64_t cols) {
  addCase(problemOf("layernorm", rows, cols), {ourName(), "plain-loop"}, [=] {
    const auto data = std::make_shared<Rows>(rows, cols);
    const auto bound = kernels::layer_norm<f32>.with(kernels::LayerNormConfig::forColumns(cols));
    const auto ours = [=] {
      bound.launch(device().stream(), {rows}, data->x, data->weight, data->bias, data->out, cols, cols, kEps);
      device().synchronize();
    };
    const auto plain = [=] {
      plain::layerNorm(data->x.data(), data->weight.data(), data->bias.data(), data->out.data(),
                       static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), kEps);
    };
    const auto exact = [=](const std::vector<double> &row) {
      const auto results =
          kernels::reference::layer_norm(row, data->part(data->weight, 0), data->part(data->bias, 0), 1, kEps);
      return kernels::lab::Expected{results.out, results.magnitude};
    };
    return Setup{{{ourName(), ours}, {"plain-loop", plain}},
                 [=] { data->clear(); },
                 [=] { return data->wrong(exact, kernels::lab::layerNormTolerance(f32, cols)); }};
  });
}

} // namespace

void addRowCases() {
  addSoftmax(4096, 4096);
  addSoftmax(4095, 781);
  addLayerNorm(4096, 4096);
  addLayerNorm(4095, 781);
}

} // namespace tessera::bench
