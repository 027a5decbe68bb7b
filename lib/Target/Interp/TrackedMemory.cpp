//===- TrackedMemory.cpp - a host device that knows its memory --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/TrackedMemory.h"

#include <cstring>

namespace tessera::ir::interp {

/// Fresh memory is filled with ones up to this size, so that what is read from it by mistake looks like it: NaN, -1.
static constexpr std::size_t kPoisonLimit = std::size_t(1) << 28;

void *TrackedMemoryDriver::allocate(int device, std::size_t bytes) {
  constexpr std::size_t guard = LiveMemory::guardBytes;
  const std::size_t whole = bytes > std::size_t(-1) - 2 * guard ? bytes : bytes + 2 * guard;
  auto *memory = static_cast<std::byte *>(HostMemoryDriver::allocate(device, whole)) + guard;
  if (bytes <= kPoisonLimit)
    std::memset(memory, 0xff, bytes);
  live.add(memory, bytes);
  return memory;
}

void TrackedMemoryDriver::free(int device, void *memory) noexcept {
  if (!memory)
    return;
  live.remove(memory);
  HostMemoryDriver::free(device, static_cast<std::byte *>(memory) - LiveMemory::guardBytes);
}

void TrackedMemoryDriver::copyToDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) {
  HostMemoryDriver::copyToDevice(device, stream, to, from, bytes);
  live.noteWritten(to, bytes);
}

void TrackedMemoryDriver::copyOnDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) {
  HostMemoryDriver::copyOnDevice(device, stream, to, from, bytes);
  live.noteCopied(to, from, bytes);
}

void TrackedMemoryDriver::fill(int device, void *stream, void *to, std::uint64_t pattern, int patternBytes,
                               std::size_t count) {
  HostMemoryDriver::fill(device, stream, to, pattern, patternBytes, count);
  live.noteWritten(to, count * static_cast<std::size_t>(patternBytes));
}

} // namespace tessera::ir::interp
