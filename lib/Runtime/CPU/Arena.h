//===- Arena.h - scratch memory of one thread ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CPU_ARENA_H
#define TESSERA_RUNTIME_CPU_ARENA_H

#include <cstddef>

namespace tessera::rt::cpu {

/// Where a kernel keeps the tiles that do not fit registers. Only grows, and takes pages when they are first touched.
class ThreadArena {
public:
  ThreadArena() = default;
  ~ThreadArena();
  ThreadArena(ThreadArena &&other) noexcept;
  ThreadArena &operator=(ThreadArena &&) = delete;

  /// At least \p wanted bytes, aligned to a page; what was there before is lost if the arena grows. DeviceError if
  /// there is no memory.
  void *reserve(std::size_t wanted);
  void *memory() const { return block; }

private:
  void *block = nullptr;
  std::size_t bytes = 0;
};

} // namespace tessera::rt::cpu

#endif // TESSERA_RUNTIME_CPU_ARENA_H
