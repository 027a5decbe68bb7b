//===- ThreadPool.h - the threads that run kernels' programs ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A launch is a grid of independent programs. The pool cuts it into chunks, which its workers and the launching thread
// claim one after another, lower program numbers first. Launches that are not worth a second thread run on the caller's
// alone: single programs, short ones, kernels that want grid order, launches while the pool is busy.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CPU_THREADPOOL_H
#define TESSERA_RUNTIME_CPU_THREADPOOL_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tessera::rt::cpu {

/// What compiled kernels export: runs the programs x0 <= x < x1 of one row of the grid. \p packed is the argument
/// block,
/// \p grid its three extents, \p arena scratch memory of this thread, aligned to a page.
using Entry = void(const void *packed, const std::int64_t *grid, void *arena, std::int64_t x0, std::int64_t x1,
                   std::int64_t y, std::int64_t z);

/// How long a program of one kernel took lately, in nanoseconds; 0: not known.
using ProgramCost = std::atomic<std::uint64_t>;

/// One launch.
struct Job {
  Entry *entry = nullptr;
  const void *packed = nullptr;
  std::array<std::int64_t, 3> grid{1, 1, 1}; ///< their product fits 63 bits
  std::size_t arenaBytes = 0;
  bool inOrder = false;        ///< all programs on one thread, in the order of their numbers
  ProgramCost *cost = nullptr; ///< of the kernel: kept between its launches; null: every launch is the first
};

class ThreadPool {
public:
  /// A pool of \p threads, the caller's included. Workers start with the first launch that wants them.
  explicit ThreadPool(unsigned threads);
  /// Waits for the workers to end. No launch may be in flight.
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// The pool of this process: TESSERA_CPU_THREADS threads, or one for each usable core. Never destroyed. After a fork
  /// the child gets one of its own.
  static ThreadPool &get();

  unsigned threads() const { return count; }
  /// Makes scratch memory for later launches, so that none of them fails for want of it in a worker. DeviceError if
  /// there is none.
  void reserve(std::size_t arenaBytes);
  /// Runs all programs of \p job and returns when the last one is done. From any thread.
  void run(const Job &job);

private:
  class Workers;
  const unsigned count;
  const std::unique_ptr<Workers> workers;
};

} // namespace tessera::rt::cpu

#endif // TESSERA_RUNTIME_CPU_THREADPOOL_H
