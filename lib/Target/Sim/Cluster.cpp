//===- Cluster.cpp - the blocks of a cluster while they execute -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Cluster.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace tessera::ir::sim {

Cluster::Cluster(LaunchState &launch) : launch(launch) {
  for (unsigned k = 0; k != launch.request.cluster; ++k)
    blocks.push_back(std::make_unique<Block>(launch, *this));
}

bool Cluster::isStopped() const {
  return std::ranges::any_of(blocks, [](const std::unique_ptr<Block> &block) { return block->stopped; });
}

void Cluster::arrive(Warp &warp, const Inst &inst) {
  warp.waitsAt = &inst;
  warp.barrier = Block::kAtCluster;
  if (!barrierAt)
    barrierAt = &inst;
  else if (barrierAt->site != inst.site)
    return warp.block.stop(
        warp, inst, fmt::format("is a divergent barrier: other warps wait at {}", warp.block.placeOf(*barrierAt)),
        "all warps that meet at a barrier must meet at the same one");
  if (++arrived == blocks.size() * blocks.front()->warps.size())
    release();
}

void Cluster::release() {
  Knowledge all;
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps)
      join(all, warp->clock.release());
  for (const std::unique_ptr<Block> &block : blocks)
    for (const std::unique_ptr<Warp> &warp : block->warps) {
      warp->clock.acquire(all);
      warp->waitsAt = nullptr;
    }
  barrierAt = nullptr;
  arrived = 0;
}

void Cluster::settle() {
  for (const std::unique_ptr<Block> &block : blocks) {
    block->settle();
    if (block->stopped)
      return;
  }
}

void Cluster::run(std::uint64_t first) {
  for (const std::unique_ptr<Block> &block : blocks)
    block->start(first++);
  barrierAt = nullptr;
  arrived = 0;
  std::vector<Warp *> ready;
  while (!isStopped()) {
    ready.clear();
    for (const std::unique_ptr<Block> &block : blocks)
      block->addReady(ready);
    if (ready.empty()) {
      // Copies come as late as possible: when everybody waits.
      if (std::ranges::any_of(blocks, [](const std::unique_ptr<Block> &b) { return b->bulk.deliverOne(*b); }))
        continue;
      return settle();
    }
    Warp &warp = *ready[launch.random.below(ready.size())];
    warp.block.step(warp);
  }
}

interp::Faults run(const Program &program, const LaunchRequest &request) {
  LaunchState state(program, request);
  Cluster cluster(state);
  std::uint64_t blocks = 1;
  for (std::int64_t extent : request.grid)
    blocks *= static_cast<std::uint64_t>(extent);
  const std::uint64_t clusters = blocks / request.cluster;
  // A permutation that needs no memory: steps through the numbers by a stride that has no divisor in common.
  const std::uint64_t start = state.random.below(clusters);
  std::uint64_t stride = 1 + state.random.below(clusters);
  while (std::gcd(stride, clusters) != 1)
    ++stride;
  for (std::uint64_t k = 0, at = start; k != clusters; ++k, at = (at + stride) % clusters) {
    cluster.run(at * request.cluster);
    if (state.faults > 10000)
      break; // enough to read
  }
  return state.log.result(request.maxFaults);
}

} // namespace tessera::ir::sim
