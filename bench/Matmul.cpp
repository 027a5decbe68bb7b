//===- Matmul.cpp - products of matrices ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// OpenBLAS computes in f32 in every case, also beside our product of bf16 matrices: it has no such product in the
// version that Debian ships.
//
//===---------------------------------------------------------------------===//

#include "Harness.h"
#include "PlainLoops.h"

#include "lab/Compare.h"
#include "lab/Inputs.h"
#include "lab/Tolerances.h"
#include "matmul/matmul.h"

#include <cblas.h>

#include <cmath>
#include <cstring>
#include <memory>

namespace tessera::bench {

namespace {

/// Two matrices of T and their product, and the same in f32 for the other systems.
template <DType T> struct Matrices {
  std::int64_t m, n, k;
  Buffer<T> a, b, out;
  std::vector<float> a32, b32, out32;

  Matrices(std::int64_t m, std::int64_t n, std::int64_t k) : m(m), n(n), k(k) {
    kernels::lab::Random random(1);
    const auto left = random.values<T>(static_cast<std::size_t>(m * k));
    const auto right = random.values<T>(static_cast<std::size_t>(k * n));
    a = device().upload(left), b = device().upload(right), out = device().buffer<T>(m * n);
    a32.assign(left.begin(), left.end()), b32.assign(right.begin(), right.end());
    out32.resize(static_cast<std::size_t>(m * n));
  }

  void clear() {
    std::memset(static_cast<void *>(out.data()), 0xff, sizeof(host_type<T>) * out32.size());
    lastIsOurs = false;
  }

  /// Compares elements all over the product, its last row and column among them.
  std::string wrong() const {
    kernels::lab::Expected expected;
    std::vector<double> results;
    for (std::int64_t row = 0; row < m; row = next(row, m)) {
      for (std::int64_t col = 0; col < n; col = next(col, n)) {
        double sum = 0, magnitude = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          const double term = static_cast<double>(a32[static_cast<std::size_t>(row * k + l)]) *
                              static_cast<double>(b32[static_cast<std::size_t>(l * n + col)]);
          sum += term, magnitude += std::fabs(term);
        }
        expected.values.push_back(sum), expected.magnitude.push_back(magnitude);
        const std::int64_t at = row * n + col;
        results.push_back(lastIsOurs ? static_cast<double>(out.data()[at])
                                     : static_cast<double>(out32[static_cast<std::size_t>(at)]));
      }
    }
    const auto compared =
        kernels::lab::compare(results, expected, kernels::lab::matmulTolerance(lastIsOurs ? T : f32, k));
    return compared.passed() ? std::string() : compared.summary();
  }

  bool lastIsOurs = false; ///< which of the products the last run made

private:
  static std::int64_t next(std::int64_t i, std::int64_t size) {
    return i + 41 < size || i == size - 1 ? i + 41 : size - 1;
  }
};

template <DType T> void add(std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::string shape = std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
  const double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  addCase({"matmul", shape, T, operations, "GFLOP/s"}, {ourName(), "openblas-fp32", "plain-loop-fp32"}, [=] {
    const auto data = std::make_shared<Matrices<T>>(m, n, k);
    constexpr kernels::MatmulConfig config;
    const auto ours = [=, bound = kernels::matmul<T>.with(config)] {
      bound.launch(device().stream(), {cdiv(m, config.bm) * cdiv(n, config.bn)}, data->a, data->b, data->out, m, n, k,
                   k, n, n);
      device().synchronize();
      data->lastIsOurs = true;
    };
    const auto openblas = [=] {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(n),
                  static_cast<int>(k), 1, data->a32.data(), static_cast<int>(k), data->b32.data(), static_cast<int>(n),
                  0, data->out32.data(), static_cast<int>(n));
    };
    const auto plain = [=] {
      plain::matmul(data->a32.data(), data->b32.data(), data->out32.data(), static_cast<std::size_t>(m),
                    static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    };
    return Setup{{{ourName(), ours}, {"openblas-fp32", openblas}, {"plain-loop-fp32", plain}},
                 [=] { data->clear(); },
                 [=] { return data->wrong(); }};
  });
}

} // namespace

void addMatmulCases() {
  add<f32>(1024, 1024, 1024);
  add<f32>(1000, 1001, 1002);
  add<bf16>(1024, 1024, 1024);
}

} // namespace tessera::bench
