//===- Dequant.cpp - products with compressed weights --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Few rows, as when a model writes one word after another: the weights' bytes are what is moved.
//
//===---------------------------------------------------------------------===//

#include "Case.h"
#include "Samples.h"

#include "dequant_matmul/dequant_matmul.h"
#include "lab/Tolerances.h"

#include <cmath>

namespace tessera::bench {

namespace {

/// Candidates: blocks, warps, stages.
constexpr const char *kFew = "16x64x128/4/4,16x128x64/4/4,16x64x64/4/5,16x128x128/8/3";
constexpr const char *kMany = "128x128x64/8/3,128x64x64/4/4,64x128x64/4/4";
constexpr int kSpan = 128;

/// Weights as bytes: the pattern's bits.
Buffer<u8> uploadBytes(std::int64_t count) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i != bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>((i % 65521) * 167 >> 4);
  return device().upload<u8>(bytes);
}

double weightAt(std::int64_t j, std::int64_t l, std::int64_t k, int bits) {
  const std::int64_t at = (j * k + l) * bits / 8;
  const auto byte = static_cast<std::uint8_t>((static_cast<std::size_t>(at) % 65521) * 167 >> 4);
  return bits == 8 ? static_cast<std::int8_t>(byte) : (l % 2 == 0 ? byte % 16 : byte / 16) - 8;
}

void measureOne(std::int64_t rows, std::int64_t n, std::int64_t k, int bits, const Timer &timer, Settings &settings) {
  const std::string shape = std::to_string(rows) + "x" + std::to_string(n) + "x" + std::to_string(k);
  const std::string dtype = rowName(f16) + "-int" + std::to_string(bits);
  if (!settings.wants("dequant_matmul", shape, dtype))
    return;
  const bool isFew = rows <= 64;
  if (settings.brief)
    rows = std::min<std::int64_t>(rows, 64), n = 128, k = 256;
  const std::int64_t m = rows, scales = cdiv(k, kSpan);
  const Pattern<f16> px(1), ps(2);
  const Buffer<f16> x = px.upload(m * k), scale = ps.upload(n * scales);
  const Buffer<u8> w = uploadBytes(n * k * bits / 8);
  Buffer<f16> out = device().buffer<f16>(m * n);
  Samples some;
  for (std::int64_t i : samples(m, 10, 3))
    for (std::int64_t j : samples(n, 60, 4)) {
      double sum = 0, magnitude = 0;
      for (std::int64_t l = 0; l != k; ++l) {
        const double term = px[i * k + l] * weightAt(j, l, k, bits) * ps[j * scales + l / kSpan];
        sum += term, magnitude += std::fabs(term);
      }
      some.places.push_back(i * n + j);
      some.exact.values.push_back(sum);
      some.exact.magnitude.push_back(magnitude);
    }
  Case problem{"dequant_matmul", shape, f16, 0, {}, {}};
  problem.dtypeName = dtype;
  if (!isFew)
    problem.operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  problem.bytes = static_cast<double>(n * k) * bits / 8 + 2.0 * static_cast<double>(m * k + m * n + n * scales);
  const char *candidates = isFew ? kFew : kMany;
  for (const std::vector<int> &c : configNumbers(settings.configs.empty() ? candidates : settings.configs, 5, 5)) {
    const kernels::DequantConfig config{.bm = c[0], .bn = c[1], .bk = c[2], .bits = bits, .span = kSpan};
    // A kernel of its own, so that it knows what was compiled for this candidate.
    const auto kernel = kernels::dequant_matmul<f16>.params({"x", "w", "scale", "out", "m", "n", "k"});
    problem.candidates.push_back(candidateOf(std::to_string(c[0]) + "x" + std::to_string(c[1]) + "x" +
                                                 std::to_string(c[2]) + ",warps=" + std::to_string(c[3]) +
                                                 ",stages=" + std::to_string(c[4]),
                                             kernel, config, {.num_warps = c[3], .num_stages = c[4]},
                                             Grid(cdiv(m, config.bm) * cdiv(n, config.bn)), x, w, scale, out, m, n, k));
  }
  problem.clear = [&] { out.fill(kernels::lab::poison<f16>()); };
  problem.wrong = [&] { return wrongSample(out, some, kernels::lab::dequantMatmulTolerance(f16, k)); };
  measure(problem, timer, settings);
}

} // namespace

void measureDequant(const Timer &timer, Settings &settings) {
  for (int bits : {8, 4}) {
    measureOne(16, 8192, 8192, bits, timer, settings);
    measureOne(4096, 4096, 4096, bits, timer, settings);
  }
}

} // namespace tessera::bench
