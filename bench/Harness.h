//===- Harness.h - several systems measured side by side -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A case is one problem that several systems solve: our kernel, plain loops, a library. Each system's result is checked
// before it is timed. Repetitions of all systems are interleaved at random, so that a machine that slows down slows all
// of them, and a row is printed for each as a JSON object on one line:
//
//   {"bench": ..., "shape": ..., "dtype": ..., "system": ..., "ms": median, "value": ..., "unit": ...,
//    "spread": standard deviation over mean, "cpu_ms": median processor time of all threads}
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_HARNESS_H
#define TESSERA_BENCH_HARNESS_H

#include "Report.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera::bench {

/// What is measured.
struct Problem {
  std::string bench, shape;
  DType dtype;
  double work;      ///< of one run: bytes moved or operations done
  const char *unit; ///< "GB/s" or "GFLOP/s"
};

/// Somebody who solves it, with results in memory that `wrong` looks at.
struct System {
  std::string name;
  std::function<void()> run;
};

/// A problem in memory, which the functions keep alive.
struct Setup {
  std::vector<System> systems;
  std::function<void()> clear;        ///< makes results of earlier runs unusable
  std::function<std::string()> wrong; ///< what is wrong with the result of the last run; empty if nothing
};

/// Adds a case. \p make sets up the systems called \p names when the first of them is about to run.
void addCase(const Problem &problem, const std::vector<std::string> &names, std::function<Setup()> make);

/// Runs the cases as Google Benchmark's flags in \p arguments say, and prints rows. Returns an exit status.
int runCases(std::vector<std::string> arguments);

// Each file of kernels adds its cases.
void addElementwiseCases();
void addRowCases();
void addMatmulCases();

} // namespace tessera::bench

#endif // TESSERA_BENCH_HARNESS_H
