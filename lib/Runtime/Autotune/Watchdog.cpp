//===- Watchdog.cpp - notices what does not end ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/Watchdog.h"

#include <algorithm>
#include <exception>

namespace tessera::rt {

Watchdog::Watchdog(double limitMs, std::function<void(std::size_t)> bark)
    : limitMs(limitMs), bark(std::move(bark)), thread([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex);
    ending = true;
  }
  changed.notify_all();
  thread.join();
}

void Watchdog::start(std::size_t what) {
  const std::lock_guard lock(mutex);
  watched = what;
  since = std::chrono::steady_clock::now();
}

void Watchdog::stop() {
  const std::lock_guard lock(mutex);
  watched.reset();
}

void Watchdog::watch() {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  // It looks now and then: waking for every call would disturb what is timed.
  const Milliseconds interval(std::clamp(limitMs / 4, 5.0, 500.0));
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, interval, [&] { return ending; })) {
    if (!watched || std::chrono::steady_clock::now() - since < Milliseconds(limitMs))
      continue;
    const std::size_t what = *watched;
    watched.reset();
    lock.unlock();
    try {
      bark(what);
    } catch (const std::exception &) { // it could not be told
    }
    lock.lock();
  }
}

} // namespace tessera::rt
