//===- Watchdog.h - notices what does not end ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_WATCHDOG_H
#define TESSERA_RUNTIME_AUTOTUNE_WATCHDOG_H

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace tessera::rt {

/// Calls a function, on a thread of its own, when something takes too long.
class Watchdog {
public:
  Watchdog(double limitMs, std::function<void(std::size_t)> bark);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// From now on \p what is watched.
  void start(std::size_t what);
  void stop();

private:
  void watch();

  const double limitMs;
  const std::function<void(std::size_t)> bark;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<std::size_t> watched;
  std::chrono::steady_clock::time_point since;
  bool ending = false;
  std::thread thread;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_WATCHDOG_H
