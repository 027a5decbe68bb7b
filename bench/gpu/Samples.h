//===- Samples.h - some elements of a large result ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Exact products of large matrices take a processor longer than the whole measurement, so rows and columns all over the
// result are compared, and of the other elements that they were written.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_GPU_SAMPLES_H
#define TESSERA_BENCH_GPU_SAMPLES_H

#include "lab/Compare.h"
#include "lab/Inputs.h"

#include "tessera/tessera.h"

#include <cstring>
#include <set>

namespace tessera::bench {

/// About \p count of 0 to \p size - 1, the first and the last among them.
inline std::vector<std::int64_t> samples(std::int64_t size, std::int64_t count, std::uint64_t seed) {
  kernels::lab::Random random(seed);
  std::set<std::int64_t> chosen = {0, size - 1};
  for (std::int64_t i = 0; i < count; ++i)
    chosen.insert(static_cast<std::int64_t>(random.unit() * static_cast<double>(size)));
  return {chosen.begin(), chosen.end()};
}

/// Elements of a result at places in it, and what they should be.
struct Samples {
  std::vector<std::int64_t> places;
  kernels::lab::Expected exact;
};

/// What is wrong with \p out: a sample, or an element that still holds poison; empty if nothing.
template <DType T>
std::string wrongSample(const Buffer<T> &out, const Samples &samples, const kernels::lab::Tolerance &tolerance) {
  const auto found = out.download();
  const host_type<T> poison = kernels::lab::poison<T>();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (std::memcmp(&found[i], &poison, sizeof poison) == 0)
      return "element " + std::to_string(i) + " was not written";
  std::vector<double> values;
  for (std::int64_t place : samples.places)
    values.push_back(static_cast<double>(found[static_cast<std::size_t>(place)]));
  const auto compared = kernels::lab::compare(values, samples.exact, tolerance);
  return compared.passed() ? std::string() : compared.summary() + ", " + compared.worstElement();
}

} // namespace tessera::bench

#endif // TESSERA_BENCH_GPU_SAMPLES_H
