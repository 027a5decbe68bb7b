//===- Statistics.cpp - what the disk cache did ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/Statistics.h"

#include "Runtime/Cache/CacheSettings.h"

#include "tessera/runtime/Cache.h"

#include <atomic>

namespace tessera {

static std::atomic<std::int64_t> counts[static_cast<int>(rt::CacheEvent::kCount)];

void rt::countCache(CacheEvent event) { counts[static_cast<int>(event)].fetch_add(1, std::memory_order_relaxed); }

CacheStatistics cache_statistics() {
  const auto count = [](rt::CacheEvent event) {
    return counts[static_cast<int>(event)].load(std::memory_order_relaxed);
  };
  return {count(rt::CacheEvent::Found), count(rt::CacheEvent::Missed), count(rt::CacheEvent::Refused),
          count(rt::CacheEvent::Kept)};
}

std::string cache_directory() { return rt::cacheDirectory(); }

} // namespace tessera
