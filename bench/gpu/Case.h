//===- Case.h - one row about one kernel -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// As for the other systems, each case has a few candidates (blocks, warps) of which the fastest is measured. Its result
// is checked first; one that is wrong is reported and the next one taken.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_GPU_CASE_H
#define TESSERA_BENCH_GPU_CASE_H

#include "../Report.h"
#include "Timer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

/// How large problems are and what is printed.
struct Settings {
  bool brief = false; ///< small problems, one candidate, one burst
  std::string system = "tessera";
  int failures = 0;    ///< rows that could not be
  std::string row;     ///< only rows that hold this text
  std::string configs; ///< the candidates of products and attention instead of their own lists

  /// Whether the row is asked for.
  bool wants(const std::string &bench, const std::string &shape, const std::string &dtype) const;
};

/// One way to solve a problem.
struct Candidate {
  std::string config;
  Work work;
  std::function<std::vector<CompileRecord>()> compilations = {}; ///< that the work caused, to be printed
};

/// A problem and the ways to solve it.
struct Case {
  std::string bench, shape;
  DType dtype;
  double bytes = 0; ///< that must be moved
  std::vector<Candidate> candidates;
  std::function<std::string()> wrong; ///< what is wrong with the result; empty if nothing
  double operations = 0;              ///< if given, they are counted instead of bytes
  std::function<void()> clear = {};   ///< makes earlier results unusable, if given
  std::string dtypeName = {};         ///< if it is not the dtype's own

  std::string rowDType() const;
};

/// Measures the fastest candidate and prints its row.
void measure(const Case &problem, const Timer &timer, Settings &settings);

/// \p bound with its arguments packed. They must outlive the work.
template <class Bound, class... Args> Work prepared(const Bound &bound, const Grid &grid, const Args &...args) {
  const auto launch = std::make_shared<decltype(bound.prepare(grid, args...))>(bound.prepare(grid, args...));
  return [launch](const Stream &stream) { (*launch)(stream); };
}

/// A candidate whose kernel is compiled for it alone, so that what was compiled can be told. \p kernel has no other
/// launches.
template <class Kernel, class... Args>
Candidate candidateOf(std::string config, const Kernel &kernel, const typename Kernel::config_type &with,
                      const CompileOptions &options, const Grid &grid, const Args &...args) {
  return {std::move(config), prepared(kernel.with(with, options), grid, args...),
          [kernel] { return kernel.compilations(); }};
}

/// The numbers of configs like "128x256x64/8/3, 64x64x64/4/4"; an error if one has not from \p least to \p most
/// numbers.
std::vector<std::vector<int>> configNumbers(std::string_view text, std::size_t least, std::size_t most);

/// Elements in [-1, 1), the same again after kPeriod. Random numbers for all would take longer than the measurement.
template <DType T> class Pattern {
public:
  static constexpr std::size_t kPeriod = 65521;

  explicit Pattern(std::uint64_t seed);
  /// \p count elements in the device's memory.
  Buffer<T> upload(std::int64_t count) const;
  double operator[](std::int64_t i) const { return static_cast<double>(values[static_cast<std::size_t>(i) % kPeriod]); }

private:
  std::vector<host_type<T>> values;
};

// Each file of kernels measures its cases.
void measureElementwise(const Timer &timer, Settings &settings);
void measureRows(const Timer &timer, Settings &settings);
/// Rows wider than those of other systems: throughput must not fall.
void measureWideRows(const Timer &timer, Settings &settings);
/// Products of matrices, and with weights of 8 and 4 bits.
void measureMatmul(const Timer &timer, Settings &settings);
void measureDequant(const Timer &timer, Settings &settings);
void measureAttention(const Timer &timer, Settings &settings);
/// What a launch of a ready kernel costs the host, beside the driver's own call in turn.
void measureLaunches(Settings &settings);

} // namespace tessera::bench

#endif // TESSERA_BENCH_GPU_CASE_H
