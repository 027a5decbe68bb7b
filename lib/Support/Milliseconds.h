//===- Milliseconds.h - how long something took ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_MILLISECONDS_H
#define TESSERA_SUPPORT_MILLISECONDS_H

#include <chrono>

namespace tessera::support {

/// The clock that stages are timed by.
using Clock = std::chrono::steady_clock;

inline double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace tessera::support

#endif // TESSERA_SUPPORT_MILLISECONDS_H
