//===- Cache.h - the disk cache of compiled kernels ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Compiled kernels are kept on disk, and the next process loads them instead of compiling. The environment says where
// and how much (docs/deploying.md); a program needs to do nothing. Any thread may call.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CACHE_H
#define TESSERA_RUNTIME_CACHE_H

#include "tessera/core/Export.h"

#include <cstdint>
#include <string>

namespace tessera {

/// What the disk cache did for this process.
struct CacheStatistics {
  std::int64_t found = 0;   ///< kernels that were loaded instead of compiled
  std::int64_t missed = 0;  ///< kernels that were not there
  std::int64_t refused = 0; ///< files that were damaged or not to be trusted; their kernels are missed, too
  std::int64_t kept = 0;    ///< kernels that were compiled and written
};

TESSERA_API CacheStatistics cache_statistics();

/// The folder of the cache, which is made if it is not there; empty if it is off or there can be none. UsageError if a
/// variable of the environment makes no sense.
TESSERA_API std::string cache_directory();

} // namespace tessera

#endif // TESSERA_RUNTIME_CACHE_H
