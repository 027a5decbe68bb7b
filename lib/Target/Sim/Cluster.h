//===- Cluster.h - the blocks of a cluster while they execute --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One cluster executes at a time, in most launches of a single block. The warps of all its blocks take turns in an
// order drawn by the seed.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_CLUSTER_H
#define TESSERA_TARGET_SIM_CLUSTER_H

#include "Target/Sim/Block.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::ir::sim {

class Cluster {
public:
  explicit Cluster(LaunchState &launch);

  /// Executes the blocks from \p first on from start to end.
  void run(std::uint64_t first);

  /// A whole warp has come to the barrier of the cluster.
  void arrive(Warp &warp, const Inst &inst);
  /// Block \p number of the cluster, or null.
  Block *blockAt(std::uint32_t number) { return number < blocks.size() ? blocks[number].get() : nullptr; }

private:
  bool isStopped() const;
  void release();
  /// Nobody can go on: says why, unless all have finished.
  void settle();

  LaunchState &launch;
  std::vector<std::unique_ptr<Block>> blocks;
  const Inst *barrierAt = nullptr; ///< where the first warp waits; null when nobody does
  unsigned arrived = 0;            ///< warps
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_CLUSTER_H
