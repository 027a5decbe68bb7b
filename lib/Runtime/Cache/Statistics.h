//===- Statistics.h - what the disk cache did ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CACHE_STATISTICS_H
#define TESSERA_RUNTIME_CACHE_STATISTICS_H

namespace tessera::rt {

/// What is counted: the fields of CacheStatistics.
enum class CacheEvent { Found, Missed, Refused, Kept, kCount };

void countCache(CacheEvent event);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_CACHE_STATISTICS_H
