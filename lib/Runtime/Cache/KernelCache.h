//===- KernelCache.h - compiled kernels on disk ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One file a kernel, named by its key. Files appear and are replaced at once, and nobody waits for a lock: two
// processes that miss the same kernel both compile it, and one file stays. What cannot be read, or is not what its name
// says, is noted once and treated as missing, so that the kernel is compiled again and its file replaced. Nothing here
// is worth a failed launch: only settings that make no sense throw.
//
// Files carry the time of their last use, of a clock that never goes back: where the machine's does, the latest time of
// all goes on by microseconds. The kernels whose use is longest past go first when there are too many.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CACHE_KERNELCACHE_H
#define TESSERA_RUNTIME_CACHE_KERNELCACHE_H

#include "Runtime/Cache/CacheEntry.h"
#include "Runtime/Cache/CacheSettings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::rt {

/// The kernel kept under \p key, made for \p target, in the cache's folder or an overlay; nothing if there is none.
/// Counts as a use.
std::optional<CacheEntry> findKernel(const CacheSettings &settings, const support::Hash128 &key,
                                     const std::string &target);

/// Keeps \p entry in the cache's folder, if that may be written to, and makes room for it.
void keepKernel(const CacheSettings &settings, const CacheEntry &entry);

/// The name of the file that holds the kernel \p key.
std::string cacheFileName(const support::Hash128 &key);

/// One file of a cache's folder.
struct CacheFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::int64_t usedNs = 0; ///< when it was used last, since 1970, by the cache's clock
};

/// The kernels' files in \p folder, the one used longest ago first. Empty with a \p problem if it cannot be read.
std::vector<CacheFile> listKernels(const std::string &folder, std::string &problem);

/// A kernel's file, read and checked, but not used.
struct CacheFileContents {
  std::optional<CacheEntry> entry;
  std::uint64_t uses = 0;
  std::string problem; ///< why there is no entry
};
CacheFileContents readKernel(const std::string &folder, const std::string &name);

/// What pruning did.
struct Pruned {
  std::uint64_t kernels = 0, bytes = 0; ///< removed
  std::uint64_t left = 0;               ///< bytes that stay
  std::string problem;
};

/// Removes the kernels whose use is longest past until at most \p limit bytes stay, and what interrupted processes left
/// behind.
Pruned pruneKernels(const std::string &folder, std::uint64_t limit);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_CACHE_KERNELCACHE_H
