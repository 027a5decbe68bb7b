//===- Matmul.cpp - products of matrices ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Both operands row-major, and for 16 bits also b stored as its transpose, as a system of its own: "-tn". fp8 has the
// latter only, the matrix units' own order.
//
//===---------------------------------------------------------------------===//

#include "Case.h"
#include "Samples.h"

#include "lab/Tolerances.h"
#include "matmul/matmul.h"
#include "split_matmul/split_matmul.h"

#include <cmath>

namespace tessera::bench {

namespace {

using kernels::MatmulConfig;
using kernels::productType;

struct Sizes {
  std::int64_t m, n, k;
  std::string text() const { return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k); }
  double operations() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

/// Candidates: blocks, warps, stages.
constexpr const char *kLarge = "128x256x64/8/3,128x256x64/8/4,128x128x64/8/4,128x128x64/4/4,256x128x64/8/3,"
                               "64x256x64/4/4,64x128x64/4/4,64x64x64/4/4";
constexpr const char *kOdd = "128x128x32/4/4,128x128x64/4/3,128x128x64/8/3,64x128x64/4/3,128x64x32/4/4,64x64x64/4/3";
// A sixth number is how many programs share a block.
constexpr const char *kFlat =
    "16x64x64/4/5,16x64x128/4/4,16x128x64/4/5,32x64x64/4/5,64x64x64/4/5,64x64x128/4/4,16x64x128/4/4/2,16x128x128/4/4/4";
constexpr const char *kLow = "128x64x64/4/5,64x64x64/4/5,128x32x128/4/4,64x32x64/4/5,128x64x128/4/4,64x64x128/4/"
                             "4,128x128x64/4/4/4,128x128x64/8/4/4,"
                             "128x64x64/4/4/2,128x256x64/8/3/8";
constexpr const char *kF32 = "128x64x32/4/3,64x64x32/4/4,128x128x16/8/3,128x128x32/8/3,64x128x16/4/3,128x64x16/4/4";
constexpr const char *kTf32 = "256x128x32/8/3,256x128x32/8/4,128x256x32/8/3,128x256x32/8/4,128x128x32/8/4,"
                              "128x128x32/4/3,256x64x32/4/3,128x64x32/4/4";
constexpr const char *kFp8 = "128x256x128/8/3,128x256x128/8/4,128x128x128/8/4,128x128x128/4/4,64x256x128/4/4";

/// The default candidates for a problem of 16 bits.
const char *candidatesFor(const Sizes &sizes) {
  if (sizes.m % 8 != 0 || sizes.n % 8 != 0 || sizes.k % 8 != 0)
    return kOdd;
  return sizes.m <= 16 ? kFlat : sizes.m <= 128 ? kLow : kLarge;
}

/// Two matrices of T, their product, and some of its elements.
template <DType T> struct Matrices {
  static constexpr DType Out = productType(T);
  Sizes sizes;
  MatmulConfig order;
  Pattern<T> pa{1}, pb{2};
  Buffer<T> a, b;
  Buffer<Out> out;
  Samples some;

  Matrices(const Sizes &sizes, const MatmulConfig &order) : sizes(sizes), order(order) {
    const auto [m, n, k] = sizes;
    a = pa.upload(m * k);
    b = pb.upload(k * n);
    out = device().buffer<Out>(m * n);
    const auto rows = samples(m, 60, 3), cols = samples(n, 60, 4);
    std::vector<std::vector<double>> columns;
    for (std::int64_t j : cols) {
      columns.emplace_back();
      for (std::int64_t l = 0; l != k; ++l)
        columns.back().push_back(order.tb ? pb[j * k + l] : pb[l * n + j]);
    }
    std::vector<double> row(static_cast<std::size_t>(k));
    for (std::int64_t i : rows) {
      for (std::int64_t l = 0; l != k; ++l)
        row[static_cast<std::size_t>(l)] = pa[i * k + l];
      for (std::size_t j = 0; j != cols.size(); ++j) {
        double sum = 0, magnitude = 0;
        for (std::size_t l = 0; l != row.size(); ++l) {
          const double term = row[l] * columns[j][l];
          sum += term, magnitude += std::fabs(term);
        }
        some.places.push_back(i * n + cols[j]);
        some.exact.values.push_back(sum);
        some.exact.magnitude.push_back(magnitude);
      }
    }
  }
};

/// One with blocks, warps, stages and perhaps splits. Its kernel is its own and knows what was compiled for it.
template <DType T> Candidate candidate(const Matrices<T> &matrices, const std::vector<int> &c) {
  const auto [m, n, k] = matrices.sizes;
  const CompileOptions options{.num_warps = c[3], .num_stages = c[4]};
  const std::int64_t blocks = cdiv(m, c[0]) * cdiv(n, c[1]), ldb = matrices.order.tb ? k : n;
  std::string text = std::to_string(c[0]) + "x" + std::to_string(c[1]) + "x" + std::to_string(c[2]) +
                     ",warps=" + std::to_string(c[3]) + ",stages=" + std::to_string(c[4]);
  if (c.size() > 5) {
    const kernels::SplitMatmulConfig config{
        .bm = c[0], .bn = c[1], .bk = c[2], .splits = c[5], .tb = matrices.order.tb};
    const auto kernel = kernels::split_matmul<T>.params({"a", "b", "out", "m", "n", "k", "lda", "ldb", "ldc"});
    text += ",splits=" + std::to_string(c[5]);
    return candidateOf(text, kernel, config, options, Grid(blocks, config.splits), matrices.a, matrices.b, matrices.out,
                       m, n, k, k, ldb, n);
  }
  MatmulConfig config = matrices.order;
  config.bm = c[0], config.bn = c[1], config.bk = c[2];
  const auto kernel = kernels::matmul<T>.params({"a", "b", "out", "m", "n", "k", "lda", "ldb", "ldc"});
  return candidateOf(text, kernel, config, options, Grid(blocks), matrices.a, matrices.b, matrices.out, m, n, k, k, ldb,
                     n);
}

template <DType T>
void measureProduct(const Sizes &wanted, const MatmulConfig &order, const char *candidates, const Timer &timer,
                    Settings &settings, const char *name = nullptr) {
  const std::string dtype = name ? name : rowName(T);
  if (!settings.wants("matmul", wanted.text(), dtype))
    return;
  const Sizes sizes = settings.brief ? Sizes{std::min<std::int64_t>(wanted.m, 192) - wanted.m % 2,
                                             std::min<std::int64_t>(wanted.n, 256) - wanted.n % 2, 128}
                                     : wanted;
  Matrices<T> matrices(sizes, order);
  Case problem{"matmul", wanted.text(), T, 0, {}, {}, sizes.operations(), {}, dtype};
  for (const std::vector<int> &c : configNumbers(settings.configs.empty() ? candidates : settings.configs, 5, 6))
    problem.candidates.push_back(candidate(matrices, c));
  problem.clear = [&] { matrices.out.fill(kernels::lab::poison<productType(T)>()); };
  problem.wrong = [&] {
    return wrongSample(matrices.out, matrices.some,
                       kernels::lab::matmulTolerance(T, productType(T), sizes.k, order.precision));
  };
  measure(problem, timer, settings);
}

/// The same with b stored as its transpose.
template <DType T> void measureTransposed(const Sizes &sizes, const Timer &timer, Settings &settings) {
  Settings other = settings;
  other.system += "-tn";
  measureProduct<T>(sizes, {.tb = true}, candidatesFor(sizes), timer, other);
  settings.failures = other.failures;
}

constexpr Sizes kSizes[] = {{8192, 8192, 8192}, {4096, 4096, 4096}, {2048, 2048, 2048}, {1024, 1024, 1024},
                            {4095, 4097, 1023}, {16, 8192, 8192},   {128, 4096, 14336}};

} // namespace

void measureMatmul(const Timer &timer, Settings &settings) {
  for (const Sizes &sizes : kSizes) {
    measureProduct<f16>(sizes, {}, candidatesFor(sizes), timer, settings);
    if (sizes.m >= 1024 && sizes.m % 8 == 0)
      measureTransposed<f16>(sizes, timer, settings);
  }
  for (const Sizes &sizes : {kSizes[0], kSizes[1]}) {
    measureProduct<bf16>(sizes, {}, candidatesFor(sizes), timer, settings);
    measureTransposed<bf16>(sizes, timer, settings);
  }
  for (const Sizes &sizes : {kSizes[1], kSizes[2]})
    measureProduct<f32>(sizes, {.precision = Precision::tf32}, kTf32, timer, settings, "tf32");
  for (const Sizes &sizes : {kSizes[1], kSizes[2]})
    measureProduct<f32>(sizes, {}, kF32, timer, settings);
  for (const Sizes &sizes : {kSizes[0], kSizes[1]})
    measureProduct<e4m3>(sizes, {.tb = true}, kFp8, timer, settings);
}

} // namespace tessera::bench
