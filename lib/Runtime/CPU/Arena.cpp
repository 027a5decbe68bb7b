//===- Arena.cpp - scratch memory of one thread ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/Arena.h"

#include "tessera/core/Error.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <utility>

namespace tessera::rt::cpu {

static constexpr std::size_t kSmallest = std::size_t{1} << 16, kHugePage = std::size_t{1} << 21;

ThreadArena::ThreadArena(ThreadArena &&other) noexcept
    : block(std::exchange(other.block, nullptr)), bytes(std::exchange(other.bytes, 0)) {}

ThreadArena::~ThreadArena() {
  if (block)
    munmap(block, bytes);
}

void *ThreadArena::reserve(std::size_t wanted) {
  if (wanted <= bytes)
    return block;
  const std::size_t unit = wanted < kHugePage ? kSmallest : kHugePage;
  const std::size_t size = (wanted + unit - 1) / unit * unit;
  void *fresh = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    throw DeviceError(fmt::format("device cpu could not map {} bytes of scratch memory for a thread: {}", size,
                                  std::strerror(errno)));
  if (size >= kHugePage)
    madvise(fresh, size, MADV_HUGEPAGE); // a wish: kernels without huge pages refuse it
  if (block)
    munmap(block, bytes);
  block = fresh;
  bytes = size;
  return block;
}

} // namespace tessera::rt::cpu
