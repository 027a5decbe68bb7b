//===- SharedMemory.h - the shared memory of one block ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_SHAREDMEMORY_H
#define TESSERA_TARGET_SIM_MEMORY_SHAREDMEMORY_H

#include "Target/Sim/Memory/Shadow.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::ir::sim {

/// What is known of one byte.
enum class ByteState : std::uint8_t {
  NeverWritten,
  Written,
  Filling,  ///< an asynchronous copy is going to write it
  Draining, ///< an asynchronous copy is going to read it
};

class SharedMemory {
public:
  explicit SharedMemory(std::uint32_t bytes);

  /// Makes all of it look like memory that was never written.
  void reset();

  std::uint32_t size() const { return static_cast<std::uint32_t>(states.size()); }
  bool holds(std::uint64_t offset, std::uint64_t count) const { return offset <= size() && count <= size() - offset; }
  std::byte *at(std::uint64_t offset) { return bytes.get() + offset; }
  /// The state all of [\p offset, + \p count) must not be in is found: the first byte that is in \p state, or -1.
  std::int64_t find(std::uint64_t offset, std::uint64_t count, ByteState state) const;
  void mark(std::uint64_t offset, std::uint64_t count, ByteState state);

  Shadow shadow;

private:
  struct Aligned {
    void operator()(std::byte *p) const;
  };
  std::unique_ptr<std::byte[], Aligned> bytes;
  std::vector<ByteState> states;
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_SHAREDMEMORY_H
