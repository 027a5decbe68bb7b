//===- FirstCall.cpp - how long the first call takes ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A first call records the kernel, compiles it, loads it and runs it on little data. Each is measured in a process of
// its own, where nothing is compiled yet, together with that process as a whole.
//
//===---------------------------------------------------------------------===//

#include "Harness.h"

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
#include <fstream>

extern char **environ;

namespace tessera::bench {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr const char *kKernels[] = {"vector_add", "softmax", "layer_norm", "matmul"};
constexpr std::size_t kProcesses = 9;

/// What one process took; `callCpuMs` is the processor's time of all threads.
struct Sample {
  double callMs = 0, callCpuMs = 0, megabytes = 0, processMs = 0;
};

/// Runs \p program with \p argument and reads the numbers that it prints. Returns whether that worked.
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
  std::array<char, 64> text = {};
  const ssize_t length = started ? read(pipe[0], text.data(), text.size() - 1) : 0;
  close(pipe[0]);
  int status = 0;
  if (!started || waitpid(child, &status, 0) != child || status != 0 || length <= 0)
    return false;
  sample.processMs = since(start);
  return std::sscanf(text.data(), "%lf %lf %lf", &sample.callMs, &sample.callCpuMs, &sample.megabytes) == 3;
}

double medianOf(std::array<Sample, kProcesses> samples, double Sample::*field) {
  std::ranges::sort(samples, {}, field);
  return samples[kProcesses / 2].*field;
}

double processorMs() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

template <class Kernel, class... Args>
Sample timed(const Kernel &kernel, const typename Kernel::config_type &config, Grid grid, const Args &...args) {
  const Stream stream = device().stream();
  const double processor = processorMs();
  const Clock::time_point start = Clock::now();
  kernel.with(config).launch(stream, grid, args...);
  stream.synchronize();
  return {.callMs = since(start), .callCpuMs = processorMs() - processor};
}

/// The most memory that this process has held. The kernel's own account: what getrusage() says counts the parent, too.
double peakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      return std::atof(line.c_str() + 6) / 1024;
  return 0;
}

} // namespace

int runFirstCall(const std::string &name) {
  const auto x = device().upload(std::vector<float>(1 << 14, 1.0f)),
             y = device().upload(std::vector<float>(1 << 14, 1.0f));
  const auto out = device().buffer<f32>(1 << 14);
  Sample sample;
  if (name == "vector_add")
    sample = timed(kernels::vector_add<f32>, {}, {16}, x, y, out, 1 << 14);
  else if (name == "softmax")
    sample = timed(kernels::softmax<f32>, {.block = 4096}, {4}, x, out, 4096, 4096);
  else if (name == "layer_norm")
    sample = timed(kernels::layer_norm<f32>, {.block = 4096}, {4}, x, y, y, out, 4096, 4096, 1e-5f);
  else if (name == "matmul")
    sample = timed(kernels::matmul<f32>, {}, {1}, x, y, out, 128, 128, 128, 128, 128, 128);
  else
    return 2;
  std::printf("%.4f %.4f %.1f\n", sample.callMs, sample.callCpuMs, peakMegabytes());
  return 0;
}

void measureFirstCalls(const char *program) {
  setenv("OPENBLAS_NUM_THREADS", "1", 1); // its threads would spin in the children, which do not use it
  for (const char *kernel : kKernels) {
    std::array<Sample, kProcesses> samples;
    for (Sample &sample : samples)
      if (!runChild(program, std::string("--first-call=") + kernel, sample)) {
        std::printf("# the first call of %s failed\n", kernel);
        return;
      }
    const double call = medianOf(samples, &Sample::callMs), process = medianOf(samples, &Sample::processMs);
    print({"first_call",
           kernel,
           "fp32",
           ourName(),
           call,
           call,
           "ms",
           {{"cpu_ms", medianOf(samples, &Sample::callCpuMs)}}});
    print({"whole_process",
           kernel,
           "fp32",
           ourName(),
           process,
           process,
           "ms",
           {{"peak_megabytes", medianOf(samples, &Sample::megabytes)}}});
  }
}

} // namespace tessera::bench
