//===- Clocks.cpp - what happened before what -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/Clocks.h"

#include <algorithm>

namespace tessera::ir::sim {

void join(WarpClocks &into, const WarpClocks &from) {
  if (into.size() < from.size())
    into.resize(from.size());
  for (std::size_t i = 0; i != from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

void join(BlockClocks &into, const BlockClocks &from) {
  join(into.shared, from.shared);
  join(into.global, from.global);
}

void join(Knowledge &into, const Knowledge &from) {
  for (const auto &[block, clocks] : from)
    join(into[block], clocks);
}

void Clock::start(std::uint32_t block, unsigned warp, unsigned warps) {
  *this = {};
  ownBlock = block;
  ownWarp = warp;
  own.shared.assign(warps, 0);
  own.global.assign(warps, 0);
}

bool Clock::knowsForeign(std::uint32_t block, unsigned warp, std::uint32_t then) const {
  const auto found = foreign.find(block);
  return found != foreign.end() && warp < found->second.size() && then <= found->second[warp];
}

const BlockClocks &Clock::releaseInBlock() {
  own.shared[ownWarp] = own.global[ownWarp] = clock++;
  return own;
}

Knowledge Clock::release() {
  Knowledge all = foreign;
  all[ownBlock] = releaseInBlock().global;
  return all;
}

void Clock::acquire(const Knowledge &released) {
  for (const auto &[block, clocks] : released) {
    if (block != ownBlock) {
      join(foreign[block], clocks);
      continue;
    }
    join(own.shared, clocks);
    join(own.global, clocks);
  }
}

void Clock::fence() {
  acquire(seen);
  seen.clear();
  atFence = release();
}

} // namespace tessera::ir::sim
