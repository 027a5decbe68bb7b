//===- Buffers.h - the memory a launch may touch -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_BUFFERS_H
#define TESSERA_TARGET_INTERP_CHECKS_BUFFERS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera::ir::interp {

struct LiveBuffer;

/// One live allocation as the checks see it.
struct Buffer {
  std::uint64_t begin = 0, end = 0;
  std::uint8_t *written = nullptr; ///< one byte per byte, nonzero where something was written; null: not tracked
  bool readOnly = false;           ///< given as a pointer to const: nothing may write it
  bool maybeWritten = false;       ///< this launch may write it, so that reads of it can race
  bool sizeKnown = true;           ///< false: not all of it may exist
  std::uint32_t index = 0;         ///< place in Buffers
  std::string argument;            ///< name of the first argument that points into it, or empty
  std::uint64_t bytes() const { return end - begin; }
  /// "`x`", or "a buffer of 64 bytes".
  std::string name() const;
  bool holds(std::uint64_t address, std::uint64_t size) const {
    return address >= begin && address <= end && size <= end - address;
  }
};

/// All live allocations of a launch, in order of address.
class Buffers {
public:
  void add(const LiveBuffer &buffer);
  /// Call after the last add().
  void sort();

  /// The buffer \p address lies in, or null.
  const Buffer *find(std::uint64_t address) const;
  Buffer *find(std::uint64_t address) { return const_cast<Buffer *>(std::as_const(*this).find(address)); }
  /// The buffer that a pointer argument with this \p address means: the one it lies in, or an empty one there, or the
  /// one that ends there; null if there is none.
  Buffer *pointedTo(std::uint64_t address);
  /// The buffer with the edge nearest to \p address, or null when there are none.
  const Buffer *nearest(std::uint64_t address) const;

  std::vector<Buffer> all; ///< sorted by begin
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_BUFFERS_H
