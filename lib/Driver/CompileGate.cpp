//===- CompileGate.cpp - one thread compiles, the others wait -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/CompileGate.h"

#include <cstdint>
#include <pthread.h>

namespace tessera::ir {

/// Nanoseconds the thread behind \p clock has run.
static std::int64_t timeUsed(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool CompileGate::enter(std::chrono::milliseconds patience) {
  // Looks are counted, not time: while a debugger holds the process, no thread looks.
  constexpr std::chrono::milliseconds between{10};
  std::unique_lock lock(mutex);
  std::int64_t used = -1;
  for (std::chrono::milliseconds still{0}; busy;) {
    changed.wait_for(lock, between);
    if (!recorder) {
      still = {};
      continue;
    }
    const std::int64_t now = timeUsed(*recorder);
    still = now == used ? still + between : std::chrono::milliseconds{0};
    used = now;
    if (still >= patience)
      return false;
  }
  busy = true;
  return true;
}

void CompileGate::leave() {
  {
    const std::lock_guard lock(mutex);
    busy = false;
  }
  changed.notify_one();
}

void CompileGate::setRecorder(bool recording) {
  const std::lock_guard lock(mutex);
  recorder.reset();
  clockid_t clock;
  if (recording && pthread_getcpuclockid(pthread_self(), &clock) == 0)
    recorder = clock;
}

} // namespace tessera::ir
