//===- BulkCopies.h - copies of whole boxes --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Copies between global and shared memory that the chip makes by itself, box by box, through what NVIDIA calls the
// async proxy. It takes part in the order of accesses like one more warp of the block: its writes are known to those
// who wait for the barrier that it reports to.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_BULKCOPIES_H
#define TESSERA_TARGET_SIM_MEMORY_BULKCOPIES_H

#include "Target/Sim/Memory/Clocks.h"
#include "Target/Sim/Program.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace tessera::ir::sim {

class Block;

/// A stretch of bytes on its way. Without global memory it is filled with \p fill.
struct BulkPiece {
  std::byte *global = nullptr;
  std::uint64_t shared = 0; ///< offset
  std::uint32_t bytes = 0;
  std::uint64_t fill = 0; ///< a pattern, repeated
};

/// A box on its way. \p barrier is the address of the one to report to, for loads.
struct BulkCopy {
  const Inst *inst = nullptr;
  std::vector<BulkPiece> pieces;
  std::uint64_t barrier = 0;
  bool isLoad = true;
};

class BulkCopies {
public:
  /// A block of \p warps warps starts.
  void start(std::size_t warps);

  void load(BulkCopy copy) { loads.push_back(std::move(copy)); }
  /// Of the warp's thread \p thread, which commits and waits for its stores.
  void store(unsigned thread, BulkCopy copy) { stores[thread].open.push_back(std::move(copy)); }
  void commit(unsigned thread);
  /// Finishes the stores of \p thread but for its latest \p kept groups.
  void wait(Block &block, unsigned thread, std::size_t kept);
  /// Finishes some load that is on its way; false if there is none.
  bool deliverOne(Block &block);

  /// A warp's fence makes what it wrote to shared memory until now visible to these copies.
  void fence(unsigned warp, std::uint32_t clock) { fenced[warp] = clock; }
  bool sees(unsigned warp, std::uint32_t clock) const { return warp >= fenced.size() || clock <= fenced[warp]; }

private:
  void finish(Block &block, const BulkCopy &copy);

  struct Thread {
    std::vector<BulkCopy> open;
    std::deque<std::vector<BulkCopy>> groups;
  };
  std::vector<BulkCopy> loads;
  std::map<unsigned, Thread> stores;
  std::vector<std::uint32_t> fenced; ///< of each warp, the clock of its last fence
  std::uint32_t clock = 0;           ///< of the copies themselves
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_BULKCOPIES_H
