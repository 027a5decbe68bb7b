//===- Harness.cpp - several systems measured side by side ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Harness.h"

#include "Parallel.h"

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <cstdio>
#include <map>
#include <memory>
#include <optional>

namespace tessera::bench {

namespace {

struct Case {
  Problem problem;
  std::vector<std::string> names;
  std::function<Setup()> make;
  std::optional<Setup> setup;
  std::map<std::string, double> milliseconds; ///< by system, once measured

  std::string nameOf(const std::string &system) const {
    return problem.bench + "/" + problem.shape + "/" + rowName(problem.dtype) + "/" + system;
  }
};

std::vector<std::unique_ptr<Case>> cases;
constexpr double kMillion = 1e6;

void measure(benchmark::State &state, Case &problem, std::size_t index) {
  if (!problem.setup)
    problem.setup = problem.make();
  const Setup &setup = *problem.setup;
  const System &system = setup.systems[index];
  setup.clear();
  system.run();
  if (const std::string wrong = setup.wrong(); !wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return;
  }
  for ([[maybe_unused]] auto iteration : state)
    system.run();
}

/// Prints rows as results come, and our speed relative to others at the end.
class RowReporter : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context &context) override {
    std::printf("{\"cpu\": \"%s\", \"threads\": %u, \"openblas\": \"%s\", \"compiler\": \"%s\"}\n",
                device().description().c_str(), threads(), openblas_get_corename(), __VERSION__);
    PrintBasicContext(&GetErrorStream(), context);
    return true;
  }
  void ReportRuns(const std::vector<Run> &runs) override {
    double median = 0, cpu = 0, spread = 0;
    for (const Run &run : runs) {
      if (run.error_occurred) {
        std::printf("# %s is wrong: %s\n", run.benchmark_name().c_str(), run.error_message.c_str());
        failed = true;
        return;
      }
      if (run.aggregate_name == "median" || run.repetitions == 1) {
        median = run.GetAdjustedRealTime();
        cpu = run.GetAdjustedCPUTime();
      }
      if (run.aggregate_name == "cv")
        spread = run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
    }
    if (median == 0)
      return; // the repetitions; what summarises them comes separately
    const std::string &name = runs.front().run_name.function_name;
    for (const std::unique_ptr<Case> &problem : cases)
      for (const std::string &system : problem->names)
        if (problem->nameOf(system) == name)
          report(*problem, system, median, {{"spread", spread}, {"cpu_ms", cpu}});
  }
  void Finalize() override {
    for (const std::unique_ptr<Case> &problem : cases) {
      const auto ours = problem->milliseconds.find(ourName());
      for (const auto &[system, ms] : problem->milliseconds)
        if (ours != problem->milliseconds.end() && system != ourName())
          std::printf("# %s %s %s: %.1f %s, %.2f x %s\n", problem->problem.bench.c_str(),
                      problem->problem.shape.c_str(), rowName(problem->problem.dtype).c_str(),
                      problem->problem.work / ours->second / kMillion, problem->problem.unit, ms / ours->second,
                      system.c_str());
    }
    std::fflush(stdout);
  }

  bool failed = false;

private:
  static void report(Case &measured, const std::string &system, double ms,
                     std::vector<std::pair<std::string, double>> extra) {
    const Problem &problem = measured.problem;
    measured.milliseconds[system] = ms;
    print({problem.bench, problem.shape, rowName(problem.dtype), system, ms, problem.work / ms / kMillion, problem.unit,
           std::move(extra)});
  }
};

} // namespace

void addCase(const Problem &problem, const std::vector<std::string> &names, std::function<Setup()> make) {
  cases.push_back(std::make_unique<Case>(Case{problem, names, std::move(make), {}, {}}));
  Case &added = *cases.back();
  for (std::size_t i = 0; i < names.size(); ++i)
    benchmark::RegisterBenchmark(added.nameOf(names[i]).c_str(),
                                 [&added, i](benchmark::State &state) { measure(state, added, i); })
        ->UseRealTime()
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMillisecond);
}

int runCases(std::vector<std::string> arguments) {
  // What the command line says comes later and wins.
  const char *defaults[] = {"--benchmark_repetitions=9", "--benchmark_min_time=0.05",
                            "--benchmark_enable_random_interleaving=true"};
  arguments.insert(arguments.begin() + 1, std::begin(defaults), std::end(defaults));
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data()))
    return 2;
  RowReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.failed ? 1 : 0;
}

} // namespace tessera::bench
