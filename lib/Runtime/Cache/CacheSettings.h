//===- CacheSettings.h - where the disk cache lies -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Everything that is kept between processes lies in one folder: compiled kernels, the tuner's records.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CACHE_CACHESETTINGS_H
#define TESSERA_RUNTIME_CACHE_CACHESETTINGS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::rt {

enum class CacheMode { Off, ReadOnly, ReadWrite };

/// What the environment says about the disk cache.
struct CacheSettings {
  CacheMode mode = CacheMode::ReadWrite;
  std::string folder;                ///< an absolute path; empty if there is no place for one
  std::vector<std::string> overlays; ///< folders searched after it, never written to
  std::uint64_t limit = 0;           ///< bytes that kernels may take; 0: no limit
};

/// Reads TESSERA_CACHE, _DIR, _PATH and _SIZE, each time anew. UsageError naming the variable that makes no sense. A
/// program that runs with other rights than its caller's has no cache: the caller's environment must not choose its
/// code.
CacheSettings cacheSettings();

/// The bytes that \p text names: `512M`. UsageError that says what \p name is, if it names none.
std::uint64_t parseCacheSize(const std::string &text, std::string_view name);

/// The cache's folder for those who keep files of their own in it: of this user, writable by no one else, and there;
/// made if need be and TESSERA_CACHE lets it. Empty if there is none; if something is wrong with it, that was noted
/// once.
std::string cacheDirectory();

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_CACHE_CACHESETTINGS_H
