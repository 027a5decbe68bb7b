//===- FirstCall.cpp - how long the first call takes ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A first call records the kernel, compiles it, loads it and runs it on little data. Each is measured in a process of
// its own, where nothing is compiled yet, together with that process as a whole. A child prints names and numbers: what
// the call took and what each stage did.
//
//===---------------------------------------------------------------------===//

#include "FirstCall.h"

#include "Report.h"

#include "attention/attention.h"
#include "layer_norm/layer_norm.h"
#include "matmul/matmul.h"
#include "softmax/softmax.h"
#include "vector_add/vector_add.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

extern char **environ;

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr std::string_view kKernels[] = {"vector_add", "softmax", "layer_norm", "matmul", "attention"};

/// What one process said, by name, and how long it lived: "process".
using Sample = std::map<std::string, double>;

/// Runs \p program with \p argument and reads what it prints. Returns whether that worked.
bool runChild(const char *program, const std::string &argument, Sample &sample) {
  std::array<int, 2> pipe;
  if (::pipe(pipe.data()) != 0)
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipe[0]);
  std::string name = program, option = argument, where = "--device=" + device().name();
  char *arguments[] = {name.data(), option.data(), where.data(), nullptr};
  const Clock::time_point start = Clock::now();
  pid_t child = 0;
  const bool started = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  std::string text;
  std::array<char, 1024> part = {};
  for (ssize_t length; started && (length = read(pipe[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(length));
  close(pipe[0]);
  int status = 0;
  if (!started || waitpid(child, &status, 0) != child || status != 0)
    return false;
  sample["process"] = since(start);
  std::istringstream words(text);
  double value = 0;
  for (std::string word; words >> word >> value;)
    sample[word] = value;
  return sample.contains("call");
}

double processorMs() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

template <class Kernel, class... Args>
void time(const Kernel &kernel, const typename Kernel::config_type &config, const CompileOptions &options, Grid grid,
          const Args &...args) {
  const Stream stream = device().stream();
  const double processor = processorMs();
  const Clock::time_point start = Clock::now();
  kernel.with(config, options).launch(stream, grid, args...);
  stream.synchronize();
  std::printf("call %.4f\ncpu %.4f\n", since(start), processorMs() - processor);
  for (const CompileRecord &record : kernel.compilations())
    for (const auto &[stage, ms] : record.stages)
      std::printf("stage_%s %.4f\n", stage.c_str(), ms);
}

/// The most memory that this process has held. The kernel's own account: what getrusage() says counts the parent, too.
double peakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      return std::atof(line.c_str() + 6) / 1024;
  return 0;
}

/// The median of every number that all samples have.
Sample medians(const std::vector<Sample> &samples) {
  Sample result;
  for (const auto &[name, first] : samples.front()) {
    std::vector<double> values;
    for (const Sample &sample : samples)
      if (const auto found = sample.find(name); found != sample.end())
        values.push_back(found->second);
    std::ranges::sort(values);
    if (values.size() == samples.size())
      result[name] = values[values.size() / 2];
  }
  return result;
}

/// What rows of other systems call \p kernel.
std::string shapeOf(std::string_view kernel) {
  return std::string(kernel) + (kernel == "matmul" || kernel == "attention" ? "_one_config" : "");
}

} // namespace

int runFirstCall(const std::string &name) {
  constexpr std::int64_t side = 1024; // of the square matrices of products
  const auto x = device().upload(std::vector<float>(1 << 14, 1.0f)),
             y = device().upload(std::vector<float>(1 << 14, 1.0f));
  const auto out = device().buffer<f32>(1 << 14);
  const auto square = device().buffer<f16>(side * side), result = device().buffer<f16>(side * side);
  const bool all = name == "all";
  if (!all && std::ranges::find(kKernels, name) == std::end(kKernels))
    return 2;
  if (all || name == "vector_add")
    time(kernels::vector_add<f32>, {}, {}, {16}, x, y, out, 1 << 14);
  if (all || name == "softmax")
    time(kernels::softmax<f32>, {.block = 4096}, {}, {4}, x, out, 4096, 4096);
  if (all || name == "layer_norm")
    time(kernels::layer_norm<f32>, {.block = 4096}, {}, {4}, x, y, y, out, 4096, 4096, 1e-5f);
  // The GPU's are those of scripts that measure other systems.
  const bool gpu = device().target().family() == "cuda";
  const CompileOptions wide{.num_warps = 8, .num_stages = 3};
  if ((all || name == "matmul") && gpu)
    time(kernels::matmul<f16>, {}, wide, {64}, square, square, result, side, side, side, side, side, side);
  else if (all || name == "matmul")
    time(kernels::matmul<f32>, {}, {}, {1}, x, y, out, 128, 128, 128, 128, 128, 128);
  if (all || name == "attention")
    time(kernels::attention<f16>, {.bm = 128, .bn = 64, .d = 128}, wide, {gpu ? 8 : 1, 1}, square, square, square,
         result, none, 1, side, 0.1f);
  std::printf("megabytes %.1f\n", peakMegabytes());
  return 0;
}

namespace {

/// Measures every kernel, in the rows of \p system.
void measureAll(const char *program, std::size_t processes, const std::string &system) {
  const auto measure = [&](std::string_view kernel) {
    std::vector<Sample> samples(processes);
    for (Sample &sample : samples)
      if (!runChild(program, "--first-call=" + std::string(kernel), sample)) {
        std::printf("# the first call of %.*s failed\n", static_cast<int>(kernel.size()), kernel.data());
        return Sample();
      }
    return medians(samples);
  };
  for (std::string_view kernel : kKernels) {
    const Sample sample = measure(kernel);
    if (sample.empty())
      continue;
    Row row{"first_call", shapeOf(kernel), "-", system, sample.at("call"), sample.at("call"), "ms"};
    for (const auto &[name, value] : sample)
      if (name != "call")
        row.extra.emplace_back(name, value);
    print(row);
  }
  if (const Sample sample = measure("all"); !sample.empty())
    print({"first_call",
           "whole_process",
           "-",
           system,
           sample.at("process"),
           sample.at("process"),
           "ms",
           {{"megabytes", sample.at("megabytes")}}});
}

} // namespace

void measureFirstCalls(const char *program, std::size_t processes) {
  setenv("OPENBLAS_NUM_THREADS", "1", 1); // its threads would spin in the children, which do not use it
  setenv("TESSERA_CACHE", "off", 1);
  measureAll(program, processes, ourName() + "-cold");

  std::string folder = (std::filesystem::temp_directory_path() / "tessera-bench-XXXXXX").string();
  Sample filling;
  if (!mkdtemp(folder.data()))
    return;
  setenv("TESSERA_CACHE", "rw", 1);
  setenv("TESSERA_CACHE_DIR", folder.c_str(), 1);
  if (runChild(program, "--first-call=all", filling))
    measureAll(program, processes, ourName() + "-warm");
  std::error_code error;
  std::filesystem::remove_all(folder, error);
}

} // namespace tessera::bench
