//===- Block.h - a block of warps while it executes ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Warps take turns (Cluster.h); they may change at memory operations, barriers, and the ends of loop bodies.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_BLOCK_H
#define TESSERA_TARGET_SIM_BLOCK_H

#include "Target/Sim/Launch.h"
#include "Target/Sim/Memory/BulkCopies.h"
#include "Target/Sim/Memory/GlobalMemory.h"
#include "Target/Sim/Memory/PhaseBarrier.h"
#include "Target/Sim/Memory/SharedMemory.h"
#include "Target/Sim/Warp.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tessera::ir::sim {

/// Numbers that depend on the seed alone (SplitMix64).
class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

private:
  std::uint64_t state;
};

/// What all blocks of a launch share.
struct LaunchState {
  LaunchState(const Program &program, const LaunchRequest &request);

  const Program &program;
  const LaunchRequest &request;
  GlobalMemory memory;
  interp::FaultLog log;
  Random random;
  std::uint64_t faults = 0;
};

/// A barrier that warps are waiting at.
struct Barrier {
  const Inst *at = nullptr; ///< where the first one waits; null when nobody does
  unsigned id = 0;
  unsigned expected = 0; ///< threads
  unsigned arrived = 0;
  bool ofSharedAlone = false; ///< it orders nothing else
};

class Cluster;

class Block {
public:
  Block(LaunchState &launch, Cluster &cluster);

  /// Puts all warps at the start of the program, as block \p number of the grid.
  void start(std::uint64_t number);
  /// Adds the warps that can go on.
  void addReady(std::vector<Warp *> &ready);
  /// Executes \p warp for a while.
  void step(Warp &warp);
  /// Nobody can go on: says why, unless all have finished.
  void settle();
  bool hasReturned() const {
    return std::ranges::none_of(warps, [](const std::unique_ptr<Warp> &warp) { return warp->live != 0; });
  }

  /// A whole warp has come to barrier \p id for \p threads threads, which orders all memory or shared memory alone.
  void arrive(Warp &warp, const Inst &inst, unsigned id, unsigned threads, bool ofSharedAlone = false);
  /// The barrier at an address in shared memory, or null.
  PhaseBarrier *phaseBarrierAt(std::uint64_t address);
  void makePhaseBarrier(std::uint64_t address, std::uint32_t arrivals) {
    phaseBarriers[address] = PhaseBarrier(arrivals);
  }
  void dropPhaseBarrier(std::uint64_t address) { phaseBarriers.erase(address); }
  /// \p warp waits at \p inst until some phase barrier moves on.
  void sleep(Warp &warp, const Inst &inst);
  void wakeSleepers();

  /// Reports what is wrong with the state of the block and stops it.
  void stop(Warp &warp, const Inst &inst, const std::string &seen, std::string_view rule);
  /// "kernel.cpp:3:1 `tessera.gpu.barrier`".
  std::string placeOf(const Inst &inst) const;
  std::string placeOf(std::uint32_t site) const;
  /// ", in program (1, 0, 0), thread 37".
  std::string whoIs(unsigned thread) const;
  std::size_t numberOf(const Inst &inst) const { return static_cast<std::size_t>(&inst - program.code.data()); }

  /// What was released at an address by atomic operations.
  Knowledge &releasedAt(std::uint64_t address) {
    return isShared(address) ? releasedInShared[address] : launch.memory.releasedAt(address);
  }

  /// The barrier numbers of a warp that waits for the cluster, and for something that is no barrier of warps.
  static constexpr unsigned kAtCluster = ~1u, kAsleep = ~0u;

  LaunchState &launch;
  const Program &program;
  Cluster &cluster;
  std::uint32_t number = 0;
  std::array<std::int64_t, 3> id{};
  SharedMemory shared;
  std::vector<std::unique_ptr<Warp>> warps;
  BulkCopies bulk;
  bool stopped = false;

private:
  void release(Barrier &barrier);

  std::vector<Barrier> barriers; ///< by id
  std::unordered_map<std::uint64_t, Knowledge> releasedInShared;
  std::map<std::uint64_t, PhaseBarrier> phaseBarriers; ///< by address
  std::uint64_t steps = 0;
};

template <class Seen> void Warp::fault(const Inst &inst, unsigned lane, Seen &&seen, std::string_view rule) {
  ++block.launch.faults;
  block.launch.log.add(block.number, block.placeOf(inst), rule, [&] {
    return block.placeOf(inst) + " " + seen() + block.whoIs(id * lanes + (lane < lanes ? lane : 0));
  });
}

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_BLOCK_H
