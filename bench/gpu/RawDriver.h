//===- RawDriver.h - what a program without us would call ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// NVIDIA's driver, opened at run time: graphs to time short kernels with, bare launches and copies to compare with.
// Calls that fail throw std::runtime_error.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_GPU_RAWDRIVER_H
#define TESSERA_BENCH_GPU_RAWDRIVER_H

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace tessera::bench {

class RawDriver {
public:
  /// The driver of this machine; null if it has none.
  static const RawDriver *get();

  /// Work that was captured into a graph.
  class Graph {
  public:
    ~Graph();
    Graph(const Graph &) = delete;
    Graph &operator=(const Graph &) = delete;
    void launch(void *stream) const;

  private:
    friend class RawDriver;
    Graph(const RawDriver &driver) : driver(driver) {}
    const RawDriver &driver;
    void *executable = nullptr;
  };
  /// Captures what \p enqueue enqueues on \p stream, which is not the null stream.
  std::unique_ptr<Graph> capture(void *stream, const std::function<void()> &enqueue) const;

  /// The function \p entry of a module, which stays loaded. The device's context must be current.
  void *load(const std::string &ptx, const std::string &entry) const;
  /// Launches one block of \p threads.
  void launch(void *function, unsigned threads, void *stream, void **parameters) const {
    const LaunchConfig config{.blockX = threads, .stream = stream};
    check("cuLaunchKernelEx", launchKernel(&config, function, parameters, nullptr));
  }
  void copy(void *to, const void *from, std::size_t bytes, void *stream) const;
  /// Makes the primary context of device 0 current for this thread.
  void useDevice() const;

private:
  /// CUlaunchConfig.
  struct LaunchConfig {
    unsigned gridX = 1, gridY = 1, gridZ = 1, blockX = 1, blockY = 1, blockZ = 1, sharedBytes = 0;
    void *stream = nullptr, *attributes = nullptr;
    unsigned numAttributes = 0;
  };

  static void check(const char *what, int code);
  template <class Function> void find(Function *&function, const char *symbol);
  bool open();

  void *library = nullptr;
  int (*retain)(void **, int) = nullptr;
  int (*setCurrent)(void *) = nullptr;
  int (*moduleLoad)(void **, const void *) = nullptr;
  int (*getFunction)(void **, void *, const char *) = nullptr;
  int (*launchKernel)(const LaunchConfig *, void *, void **, void **) = nullptr;
  int (*copyAsync)(unsigned long long, unsigned long long, std::size_t, void *) = nullptr;
  int (*beginCapture)(void *, int) = nullptr;
  int (*endCapture)(void *, void **) = nullptr;
  int (*instantiate)(void **, void *, unsigned long long) = nullptr;
  int (*graphLaunch)(void *, void *) = nullptr;
  int (*graphExecDestroy)(void *) = nullptr;
  int (*graphDestroy)(void *) = nullptr;
};

} // namespace tessera::bench

#endif // TESSERA_BENCH_GPU_RAWDRIVER_H
