//===- Block.cpp - a block of warps while it executes ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Block.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::ir::sim {

/// Hardware has 16 barriers a block.
static constexpr unsigned kBarriers = 16;
/// The buffers of a launch, and the kernel's own tables.
static std::vector<interp::LiveBuffer> buffersOf(const Program &program, const LaunchRequest &request) {
  std::vector<interp::LiveBuffer> all(request.buffers.begin(), request.buffers.end());
  for (std::size_t i = 0; i != program.data.size(); ++i)
    all.push_back({reinterpret_cast<std::uint64_t>(program.data[i].data()), program.dataBytes[i], nullptr,
                   /*readOnly=*/true, /*sizeKnown=*/true});
  return all;
}

LaunchState::LaunchState(const Program &program, const LaunchRequest &request)
    : program(program), request(request), memory(buffersOf(program, request), request.names), random(request.seed) {}

Block::Block(LaunchState &launch, Cluster &cluster)
    : launch(launch), program(launch.program), cluster(cluster), shared(launch.request.sharedBytes),
      barriers(kBarriers) {
  for (unsigned i = 0; i * program.warpSize < launch.request.threads; ++i)
    warps.push_back(std::make_unique<Warp>(*this, program, i));
}

std::string Block::placeOf(std::uint32_t site) const {
  const Site &place = program.sites[site];
  return fmt::format("{}{}`{}`", place.at, place.at.empty() ? "" : " ", place.op);
}
std::string Block::placeOf(const Inst &inst) const { return placeOf(inst.site); }

std::string Block::whoIs(unsigned thread) const {
  return fmt::format(", in {}, thread {}", interp::programName(id), thread);
}

void Block::stop(Warp &warp, const Inst &inst, const std::string &seen, std::string_view rule) {
  const LaneMask lanes = warp.mask ? warp.mask : 1;
  warp.fault(inst, static_cast<unsigned>(std::countr_zero(lanes)), [&] { return seen; }, rule);
  stopped = true;
}

void Block::arrive(Warp &warp, const Inst &inst, unsigned barrierId, unsigned threads, bool ofSharedAlone) {
  constexpr std::string_view rule = "all warps that meet at a barrier must meet at the same one";
  if (barrierId >= barriers.size())
    return stop(warp, inst, fmt::format("names barrier {}", barrierId), "a block has barriers 0 to 15");
  Barrier &barrier = barriers[barrierId];
  warp.waitsAt = &inst;
  warp.barrier = barrierId;
  if (!barrier.at) {
    barrier = {&inst, barrierId, threads, 0, ofSharedAlone};
  } else if (barrier.at->site != inst.site && barrierId == 0) {
    return stop(warp, inst, fmt::format("is a divergent barrier: other warps wait at {}", placeOf(*barrier.at)), rule);
  } else if (barrier.expected != threads) {
    return stop(warp, inst,
                fmt::format("waits for {} threads at barrier {}, and {} for {}", threads, barrierId,
                            placeOf(*barrier.at), barrier.expected),
                rule);
  }
  barrier.arrived += warp.lanes;
  if (barrier.arrived > threads)
    return stop(warp, inst,
                fmt::format("is reached by {} threads, more than the {} it is for", barrier.arrived, threads), rule);
  if (barrier.arrived == threads)
    release(barrier);
}

void Block::release(Barrier &barrier) {
  BlockClocks all;
  Knowledge foreign; // what one warp has learnt of other blocks, all of them know now
  const auto waits = [&](const std::unique_ptr<Warp> &warp) { return warp->waitsAt && warp->barrier == barrier.id; };
  for (const std::unique_ptr<Warp> &warp : warps)
    if (waits(warp)) {
      join(all, warp->clock.releaseInBlock());
      join(foreign, warp->clock.learnt());
    }
  for (const std::unique_ptr<Warp> &warp : warps)
    if (waits(warp)) {
      if (barrier.ofSharedAlone) {
        warp->clock.acquireShared(all);
      } else {
        warp->clock.acquireInBlock(all);
        warp->clock.acquire(foreign);
      }
      warp->waitsAt = nullptr;
    }
  barrier = {};
}

PhaseBarrier *Block::phaseBarrierAt(std::uint64_t address) {
  const auto found = phaseBarriers.find(address);
  return found == phaseBarriers.end() ? nullptr : &found->second;
}

void Block::sleep(Warp &warp, const Inst &inst) {
  warp.waitsAt = &inst;
  warp.barrier = kAsleep;
}

void Block::wakeSleepers() {
  for (const std::unique_ptr<Warp> &warp : warps)
    if (warp->waitsAt && warp->barrier == kAsleep)
      warp->waitsAt = nullptr;
}

void Block::settle() {
  for (const std::unique_ptr<Warp> &warp : warps)
    if (warp->waitsAt && warp->barrier == kAsleep) {
      std::string missing;
      for (const auto &[address, barrier] : phaseBarriers)
        missing += fmt::format("; the barrier at {} has {} phases behind it and lacks {} arrivals and {} bytes",
                               (address & ~kSharedTagMask) - kSharedBase, barrier.phase(), barrier.missingArrivals(),
                               barrier.missingBytes());
      return stop(*warp, *warp->waitsAt, fmt::format("waits for ever{}", missing),
                  "whoever a warp waits for must be able to go on");
    }
  for (const std::unique_ptr<Warp> &warp : warps)
    if (warp->waitsAt) {
      std::string rest;
      for (const std::unique_ptr<Warp> &other : warps) {
        if (!other->live)
          rest += fmt::format("{}warp {} has returned", rest.empty() ? "" : ", ", other->id);
        else if (other->waitsAt && other->waitsAt->site != warp->waitsAt->site)
          rest += fmt::format("{}warp {} waits at {}", rest.empty() ? "" : ", ", other->id, placeOf(*other->waitsAt));
      }
      warp->mask = warp->full;
      return stop(
          *warp, *warp->waitsAt,
          fmt::format("is a divergent barrier: warp {} waits for ever{}{}", warp->id, rest.empty() ? "" : "; ", rest),
          "all warps that a barrier is for must come to it");
    }
}

/// Executes \p warp for a while.
void Block::step(Warp &warp) {
  // Mostly long turns, for speed; sometimes very short ones, for orders that nobody thinks of.
  Random &random = launch.random;
  std::uint64_t turns = random.below(4) ? 16 + random.below(64) : random.below(3);
  const Inst *code = program.code.data();
  while (warp.mask && !stopped) {
    const Inst &inst = code[warp.pc];
    if (inst.flags) {
      if ((inst.flags & kConverge) && !warp.converge(inst))
        continue;
      if ((inst.flags & kYield) && turns-- == 0)
        return;
    }
    if (++steps > launch.request.maxSteps)
      return stop(warp, inst, fmt::format("is where {} instructions of one block have been executed", steps - 1),
                  "the kernel does not end, or is too large to simulate");
    ++warp.pc;
    inst.exec(inst, warp);
    if (warp.waitsAt)
      return;
  }
}

void Block::start(std::uint64_t linear) {
  number = static_cast<std::uint32_t>(linear);
  id = interp::programId(linear, launch.request.grid);
  shared.reset();
  releasedInShared.clear();
  phaseBarriers.clear();
  bulk.start(warps.size());
  std::fill(barriers.begin(), barriers.end(), Barrier{});
  steps = 0;
  stopped = false;
  for (const std::unique_ptr<Warp> &warp : warps)
    warp->start(number);
}

void Block::addReady(std::vector<Warp *> &ready) {
  for (const std::unique_ptr<Warp> &warp : warps)
    if (warp->mask && !warp->waitsAt)
      ready.push_back(warp.get());
}

} // namespace tessera::ir::sim
