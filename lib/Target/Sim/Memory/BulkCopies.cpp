//===- BulkCopies.cpp - copies of whole boxes -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/BulkCopies.h"

#include "Target/Sim/Block.h"

#include <algorithm>

namespace tessera::ir::sim {

void BulkCopies::start(std::size_t warps) {
  loads.clear();
  stores.clear();
  fenced.assign(warps, 0);
  clock = 0;
}

void BulkCopies::commit(unsigned thread) {
  Thread &own = stores[thread];
  own.groups.push_back(std::move(own.open));
  own.open.clear();
}

void BulkCopies::wait(Block &block, unsigned thread, std::size_t kept) {
  Thread &own = stores[thread];
  for (; own.groups.size() > kept; own.groups.pop_front())
    for (const BulkCopy &copy : own.groups.front())
      finish(block, copy);
}

bool BulkCopies::deliverOne(Block &block) {
  if (loads.empty())
    return false;
  const std::size_t which = block.launch.random.below(loads.size());
  const BulkCopy copy = std::move(loads[which]);
  loads.erase(loads.begin() + static_cast<std::ptrdiff_t>(which));
  finish(block, copy);
  return true;
}

void BulkCopies::finish(Block &block, const BulkCopy &copy) {
  const auto self = static_cast<unsigned>(block.warps.size());
  WarpClocks now(self + 1);
  now[self] = ++clock;
  const BlockClocks released{now, now};
  Clock nothing;
  nothing.start(block.number, self, self + 1);
  std::uint32_t bytes = 0;
  for (const BulkPiece &piece : copy.pieces) {
    std::byte *at = block.shared.at(piece.shared);
    bytes += piece.bytes;
    if (!copy.isLoad) {
      std::memcpy(piece.global, at, piece.bytes);
      block.shared.mark(piece.shared, piece.bytes, ByteState::Written);
      continue;
    }
    if (piece.global)
      std::memcpy(at, piece.global, piece.bytes);
    for (std::uint32_t k = 0; !piece.global && k < piece.bytes; k += sizeof piece.fill)
      std::memcpy(at + k, &piece.fill, std::min<std::size_t>(sizeof piece.fill, piece.bytes - k));
    block.shared.mark(piece.shared, piece.bytes, ByteState::Written);
    // That nobody used the place was checked when the copy began.
    Toucher by;
    by.access = {.block = block.number,
                 .clock = clock,
                 .site = copy.inst->site,
                 .op = ~copy.inst->site,
                 .warp = static_cast<std::uint16_t>(self)};
    by.clock = &nothing;
    by.inShared = true;
    bool sameOp = false;
    (void)block.shared.shadow.write(piece.shared, piece.bytes, by, sameOp);
  }
  if (!copy.isLoad)
    return;
  if (PhaseBarrier *barrier = block.phaseBarrierAt(copy.barrier))
    barrier->deliver(bytes, released);
  block.wakeSleepers();
}

} // namespace tessera::ir::sim
