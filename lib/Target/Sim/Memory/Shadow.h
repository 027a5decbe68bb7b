//===- Shadow.h - who touched memory last ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// For every byte of a stretch of memory: the last write and the last reads by two different warps. They are kept for
// four bytes together until an access of fewer comes along. Two accesses conflict when one of them writes, they are
// not both atomic, and neither happened before the other.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_SHADOW_H
#define TESSERA_TARGET_SIM_MEMORY_SHADOW_H

#include "Target/Sim/Memory/Clocks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::ir::sim {

/// One access of one thread. A clock of 0: there was none.
struct Access {
  static constexpr std::uint8_t kManyLanes = 0xff;

  std::uint32_t block = 0;
  std::uint32_t clock = 0;
  std::uint32_t site = 0; ///< index into Program::sites
  std::uint32_t op = 0;   ///< instructions of one operation of the source share it
  std::uint32_t turn = 0; ///< how often the warp had executed the instruction
  std::uint16_t warp = 0;
  std::uint8_t lane = 0;
  bool atomic = false;

  bool isSameOp(const Access &other) const { return block == other.block && op == other.op && turn == other.turn; }
};

/// An access that is being made, with what its warp knows.
struct Toucher {
  Access access;
  const Clock *clock = nullptr;
  bool inShared = false; ///< it touches shared memory

  bool isAfter(const Access &earlier) const {
    if (earlier.block == access.block && earlier.warp == access.warp)
      return earlier.clock < access.clock || earlier.lane == access.lane;
    return clock->knows(earlier.block, earlier.warp, earlier.clock, inShared);
  }
};

/// A conflict: the earlier access, and whether that one wrote.
struct Conflict {
  const Access *earlier = nullptr;
  bool wrote = false;
  explicit operator bool() const { return earlier != nullptr; }
};

/// The shadow of one stretch of memory, made page by page as it is touched.
class Shadow {
public:
  /// Forgets everything; the stretch has \p bytes.
  void reset(std::size_t bytes);

  /// Notes a read of [\p offset, + \p bytes), and gives a write that it conflicts with.
  Conflict read(std::size_t offset, std::size_t bytes, const Toucher &by) { return touch<false>(offset, bytes, by); }
  /// Notes a write, and gives an access that it conflicts with. Writes of one operation do not conflict with each other
  /// here; `sameOp` says that there was one by another thread.
  Conflict write(std::size_t offset, std::size_t bytes, const Toucher &by, bool &sameOp) {
    overlap = false;
    const Conflict conflict = touch<true>(offset, bytes, by);
    sameOp = overlap;
    return conflict;
  }

  /// Calls `fn(access)` for the last write of each part of [\p offset, + \p bytes) that anybody wrote.
  template <class Fn> void forWrites(std::size_t offset, std::size_t bytes, Fn &&fn) {
    for (const std::size_t end = offset + bytes; offset < end;) {
      Page &page = pageAt(offset);
      const std::size_t inPage = offset % kPageBytes, word = inPage / 4;
      const Cell &cell = page.isSplit[word] ? (*page.bytes)[inPage] : page.words[word];
      if (cell.write.clock)
        fn(cell.write);
      offset += page.isSplit[word] ? 1 : 4 - inPage % 4;
    }
  }

private:
  struct Cell {
    Access write;
    std::array<Access, 2> reads; ///< the latest first
  };
  static constexpr std::size_t kPageBytes = 1024;
  struct Page {
    std::array<Cell, kPageBytes / 4> words;
    std::array<bool, kPageBytes / 4> isSplit{};
    std::unique_ptr<std::array<Cell, kPageBytes>> bytes; ///< of words that are split
  };

  template <bool kWrites> Conflict touch(std::size_t offset, std::size_t bytes, const Toucher &by);
  Conflict readCell(Cell &cell, const Toucher &by);
  Conflict writeCell(Cell &cell, const Toucher &by);
  Page &pageAt(std::size_t offset);
  static void split(Page &page, std::size_t word);

  using Chunk = std::array<std::unique_ptr<Page>, 1024>;
  std::vector<std::unique_ptr<Chunk>> chunks;
  std::vector<std::unique_ptr<Page>> spare; ///< kept for the next stretch
  bool overlap = false;
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_SHADOW_H
