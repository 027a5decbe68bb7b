//===- Parallel.cpp - loops on all threads -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tessera::bench {

namespace {

using Part = std::function<void(std::size_t, std::size_t)>;

unsigned wanted = std::max(1u, std::thread::hardware_concurrency());

class Team {
public:
  explicit Team(unsigned size) : size(size) {
    for (unsigned i = 1; i < size; ++i)
      workers.emplace_back([this](std::stop_token stop) { work(stop); });
  }
  ~Team() {
    for (std::jthread &worker : workers)
      worker.request_stop();
    started.notify_all();
  }

  void run(std::size_t n, const Part &f) {
    {
      const std::lock_guard lock(mutex);
      count = n;
      part = &f;
      nextPart = 0;
      busy = size - 1;
      ++loop;
    }
    started.notify_all();
    runParts();
    std::unique_lock lock(mutex);
    finished.wait(lock, [&] { return busy == 0; });
  }

private:
  void runParts() {
    const std::size_t parts = std::size_t(size) * 8;
    for (std::size_t i; (i = nextPart.fetch_add(1)) < parts;) {
      const std::size_t begin = count * i / parts, end = count * (i + 1) / parts;
      if (begin < end)
        (*part)(begin, end);
    }
  }
  void work(const std::stop_token &stop) {
    for (std::uint64_t done = 0;;) {
      {
        std::unique_lock lock(mutex);
        if (!started.wait(lock, stop, [&] { return loop != done; }))
          return;
        done = loop;
      }
      runParts();
      const std::lock_guard lock(mutex);
      if (--busy == 0)
        finished.notify_one();
    }
  }

  const unsigned size;
  std::mutex mutex;
  std::condition_variable_any started;
  std::condition_variable finished;
  std::size_t count = 0;
  const Part *part = nullptr;
  std::atomic<std::size_t> nextPart = 0;
  unsigned busy = 0;
  std::uint64_t loop = 0;
  std::vector<std::jthread> workers;
};

} // namespace

void setThreads(unsigned count) { wanted = count; }
unsigned threads() { return wanted; }

void parallelFor(std::size_t count, const Part &part) {
  static Team team(wanted);
  team.run(count, part);
}

} // namespace tessera::bench
