//===- Clocks.h - what happened before what --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every warp has a clock that ticks where its lanes order their memory. An access carries the clock of its warp. It
// happened before what another warp does if that warp has learnt of this clock, through a barrier or through a release
// and an acquire; before what another lane of its own warp does if the clock has ticked since.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_CLOCKS_H
#define TESSERA_TARGET_SIM_MEMORY_CLOCKS_H

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tessera::ir::sim {

/// A clock for each warp of a block.
using WarpClocks = std::vector<std::uint32_t>;

/// What is known of the warps of a block, about either memory.
struct BlockClocks {
  WarpClocks shared, global;
};

/// For each block, what is known of its warps.
using Knowledge = std::map<std::uint32_t, WarpClocks>;

/// Takes the later clocks of both.
void join(WarpClocks &into, const WarpClocks &from);
void join(BlockClocks &into, const BlockClocks &from);
void join(Knowledge &into, const Knowledge &from);

/// What one warp knows.
class Clock {
public:
  /// Of warp \p warp of \p warps in \p block, which knows nothing yet.
  void start(std::uint32_t block, unsigned warp, unsigned warps);

  std::uint32_t now() const { return clock; }
  /// The lanes of the warp order their memory.
  void tick() { ++clock; }
  /// Whether what \p warp of \p block did to shared or global memory at \p then happened before now. Not for the warp
  /// itself.
  bool knows(std::uint32_t block, unsigned warp, std::uint32_t then, bool inShared) const {
    if (block == ownBlock)
      return then <= (inShared ? own.shared : own.global)[warp];
    return knowsForeign(block, warp, then);
  }
  /// All that has happened before now, the warp's own past included; what happens from now on is not part of it.
  Knowledge release();
  void acquire(const Knowledge &released);
  /// What is known of other blocks.
  const Knowledge &learnt() const { return foreign; }
  /// The same within the block.
  const BlockClocks &releaseInBlock();
  void acquireInBlock(const BlockClocks &released) { join(own, released); }
  /// Of shared memory alone.
  void acquireShared(const BlockClocks &released) { join(own.shared, released.shared); }

  // A fence makes later relaxed atomics release what came before it, and acquires what earlier ones read.
  void fence();
  void read(const Knowledge &released) { join(seen, released); }
  const Knowledge &fenced() const { return atFence; }

private:
  bool knowsForeign(std::uint32_t block, unsigned warp, std::uint32_t then) const;

  std::uint32_t ownBlock = 0;
  unsigned ownWarp = 0;
  std::uint32_t clock = 1;
  BlockClocks own;
  Knowledge foreign;
  Knowledge atFence, seen;
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_CLOCKS_H
