//===- SharedMemory.cpp - the shared memory of one block ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/SharedMemory.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace tessera::ir::sim {

static constexpr std::align_val_t kAlignment{1024};

void SharedMemory::Aligned::operator()(std::byte *p) const { ::operator delete[](p, kAlignment); }

SharedMemory::SharedMemory(std::uint32_t size)
    : bytes(static_cast<std::byte *>(::operator new[](std::max(size, 1u), kAlignment))), states(size) {
  reset();
}

void SharedMemory::reset() {
  std::memset(bytes.get(), 0xa5, states.size());
  std::fill(states.begin(), states.end(), ByteState::NeverWritten);
  shadow.reset(states.size());
}

std::int64_t SharedMemory::find(std::uint64_t offset, std::uint64_t count, ByteState state) const {
  for (std::uint64_t k = offset; k != offset + count; ++k)
    if (states[k] == state)
      return static_cast<std::int64_t>(k);
  return -1;
}

void SharedMemory::mark(std::uint64_t offset, std::uint64_t count, ByteState state) {
  std::fill_n(states.begin() + static_cast<std::ptrdiff_t>(offset), count, state);
}

} // namespace tessera::ir::sim
