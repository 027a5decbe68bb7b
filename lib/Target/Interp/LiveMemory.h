//===- LiveMemory.h - the allocations of the interpreter's device ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_LIVEMEMORY_H
#define TESSERA_TARGET_INTERP_LIVEMEMORY_H

#include "Runtime/DeviceDriver.h"
#include "Target/Interp/Program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace tessera::ir::interp {

/// A part of the launcher's own memory that one launch may use: a workspace.
struct Lent {
  const void *memory = nullptr;
  std::uint64_t bytes = 0;
  bool zeroed = false;
};

/// Which memory is live and which bytes of it were ever written. All members may be called from any thread.
class LiveMemory {
public:
  /// Bytes kept free on both sides of every allocation, so that neighbours never touch.
  static constexpr std::size_t guardBytes = 256;

  /// Notes [\p memory, + \p bytes) as live and never written.
  void add(void *memory, std::size_t bytes);
  void remove(void *memory);
  /// The bytes are written now. Memory that is not ours is left alone.
  void noteWritten(const void *memory, std::size_t bytes);
  /// [\p to, + \p bytes) is written as far as [\p from, + \p bytes) is.
  void noteCopied(const void *to, const void *from, std::size_t bytes);

  /// What a launch may touch: all of ours, but only the \p lent parts of what the launcher keeps for itself, and what
  /// \p extents tells about other memory. A raw pointer of unknown size is taken to reach far, but not into a buffer
  /// that is known. Lent memory counts as written from now on where it is zeroed, and nowhere else.
  std::vector<LiveBuffer> forLaunch(std::span<const rt::PointerExtent> extents, std::span<const Lent> lent);
  /// Whether \p memory lies in an allocation of ours, or is an empty one.
  bool owns(const void *memory) const;

private:
  struct FreeCalloc {
    void operator()(std::uint8_t *p) const;
  };
  struct Allocation {
    std::size_t bytes;
    std::unique_ptr<std::uint8_t[], FreeCalloc> written;
  };
  /// The allocation that holds \p address, or null. Callers hold the lock.
  const std::pair<const std::uint64_t, Allocation> *find(std::uint64_t address) const;

  mutable std::mutex lock;
  std::map<std::uint64_t, Allocation> live; ///< by address
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_LIVEMEMORY_H
