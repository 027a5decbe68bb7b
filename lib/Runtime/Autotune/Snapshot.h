//===- Snapshot.h - memory as it was before tuning -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_SNAPSHOT_H
#define TESSERA_RUNTIME_AUTOTUNE_SNAPSHOT_H

#include "Runtime/DeviceState.h"

#include <cstdint>
#include <vector>

namespace tessera::rt {

/// Addresses from `begin` up to `end`.
struct MemoryRange {
  std::uint64_t begin = 0, end = 0;

  std::uint64_t bytes() const { return end - begin; }
  bool empty() const { return begin >= end; }
  bool overlaps(const MemoryRange &other) const {
    return !empty() && !other.empty() && begin < other.end && other.begin < end;
  }
  bool operator==(const MemoryRange &) const = default;
};

/// The same addresses in ranges that are sorted, apart from each other and not empty.
std::vector<MemoryRange> united(std::vector<MemoryRange> ranges);

/// A copy of memory of a device, in its own memory or, where that is short, the host's.
class Snapshot {
public:
  /// Copies through \p stream, and waits for it. \p ranges are united().
  Snapshot(StreamState &stream, std::vector<MemoryRange> ranges);
  ~Snapshot();
  Snapshot(const Snapshot &) = delete;
  Snapshot &operator=(const Snapshot &) = delete;

  bool empty() const { return copies.empty(); }
  /// Enqueues putting everything back.
  void restore() const;

private:
  struct Copy {
    MemoryRange range;
    void *onDevice = nullptr;
    std::vector<std::byte> onHost;
  };
  StreamState &stream;
  std::vector<Copy> copies;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_SNAPSHOT_H
