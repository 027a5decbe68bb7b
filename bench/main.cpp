//===- main.cpp - runs the benchmarks ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   tessera-bench [--device=<name>] [--threads=<n>] [--no-first-calls] [Google Benchmark's flags]
//
// `--benchmark_filter=softmax` picks cases by name. With `--first-call=<kernel>` it is one of its own children.
//
//===---------------------------------------------------------------------===//

#include "FirstCall.h"
#include "Harness.h"
#include "Parallel.h"

#include <cblas.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

using namespace tessera;

static int run(int argc, char **argv) {
  std::vector<std::string> others = {argv[0]};
  std::string firstCall, name, count;
  bool firstCalls = true;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--no-first-calls")
      firstCalls = false;
    else if (bench::option(argument, "--device=", name))
      bench::setDevice(name);
    else if (!bench::option(argument, "--first-call=", firstCall) && !bench::option(argument, "--threads=", count))
      others.emplace_back(argument);
  }
  if (!firstCall.empty())
    return bench::runFirstCall(firstCall);
  if (!count.empty()) {
    setenv("TESSERA_CPU_THREADS", count.c_str(), 1);
    bench::setThreads(static_cast<unsigned>(std::max(1, std::atoi(count.c_str()))));
  }
  openblas_set_num_threads(static_cast<int>(bench::threads()));
  bench::addElementwiseCases();
  bench::addRowCases();
  bench::addMatmulCases();
  const int status = bench::runCases(others);
  if (firstCalls && status == 0)
    bench::measureFirstCalls(argv[0], 9);
  return status;
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
