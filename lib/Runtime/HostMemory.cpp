//===- HostMemory.cpp - drivers whose device is the host ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/HostMemory.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace tessera::rt {

using Clock = std::chrono::steady_clock;

namespace {
/// A stream needs an identity, nothing else.
struct HostStream {
  char unused = 0;
};
struct HostEvent {
  Clock::time_point time;
};
} // namespace

static constexpr std::size_t kAlignment = 256;

void *HostMemoryDriver::allocate(int, std::size_t bytes) {
  // aligned_alloc takes multiples of the alignment. Sizes that no host has are not even tried.
  constexpr std::size_t limit = std::size_t{1} << 46;
  const std::size_t size = (std::max<std::size_t>(bytes, 1) + kAlignment - 1) & ~(kAlignment - 1);
  void *memory = bytes > limit ? nullptr : std::aligned_alloc(kAlignment, size);
  if (!memory)
    throw DeviceError(fmt::format("device {} could not allocate {} bytes: out of memory", family(), bytes));
  return memory;
}

void HostMemoryDriver::free(int, void *memory) noexcept { std::free(memory); }

void *HostMemoryDriver::allocateHost(int device, std::size_t bytes) {
  return HostMemoryDriver::allocate(device, bytes);
}
void HostMemoryDriver::freeHost(int, void *memory) noexcept { std::free(memory); }

static void copy(void *to, const void *from, std::size_t bytes) {
  if (bytes)
    std::memmove(to, from, bytes);
}

void HostMemoryDriver::copyToDevice(int, void *, void *to, const void *from, std::size_t bytes) {
  copy(to, from, bytes);
}
void HostMemoryDriver::copyToHost(int, void *, void *to, const void *from, std::size_t bytes) { copy(to, from, bytes); }
void HostMemoryDriver::copyOnDevice(int, void *, void *to, const void *from, std::size_t bytes) {
  copy(to, from, bytes);
}

void HostMemoryDriver::fill(int, void *, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) {
  auto *out = static_cast<std::byte *>(to);
  const auto width = static_cast<std::size_t>(patternBytes);
  const std::size_t size = width * count;
  if (!size)
    return;
  if (width == 1 || !pattern) {
    std::memset(out, static_cast<int>(pattern & 0xff), size);
    return;
  }
  // What is filled already is copied on, in pieces that stay in the cache.
  std::memcpy(out, &pattern, width);
  for (std::size_t done = width; done != size;) {
    const std::size_t piece = std::min({done, size - done, std::size_t{4096}});
    std::memcpy(out + done, out, piece);
    done += piece;
  }
}

void *HostMemoryDriver::createStream(int) { return new HostStream; }
void HostMemoryDriver::destroyStream(int, void *stream) noexcept { delete static_cast<HostStream *>(stream); }

void *HostMemoryDriver::createEvent(int, bool) { return new HostEvent; }
void HostMemoryDriver::destroyEvent(int, void *event) noexcept { delete static_cast<HostEvent *>(event); }
void HostMemoryDriver::recordEvent(int, void *, void *event) { static_cast<HostEvent *>(event)->time = Clock::now(); }
double HostMemoryDriver::elapsedMs(int, void *from, void *to) {
  return std::chrono::duration<double, std::milli>(static_cast<HostEvent *>(to)->time -
                                                   static_cast<HostEvent *>(from)->time)
      .count();
}

} // namespace tessera::rt
