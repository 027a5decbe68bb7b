//===- TuneProgress.cpp - how far tuning is ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/TuneProgress.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace tessera::ir {

TuneProgress::TuneProgress(std::string kernel, const char *doing)
    : title(fmt::format("tuning {}: {}", kernel, doing)), terminal(::isatty(STDERR_FILENO) == 1) {}

void TuneProgress::show(double share) {
  const int percent = static_cast<int>(std::clamp(share, 0.0, 1.0) * 100);
  if (!terminal || percent == shown)
    return;
  shown = percent;
  const std::string bar(static_cast<std::size_t>(percent / 5), '#');
  fmt::print(stderr, "\r{} [{:<20}] {:3} %", title, bar, percent);
  std::fflush(stderr);
}

TuneProgress::~TuneProgress() {
  if (shown < 0)
    return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

} // namespace tessera::ir
