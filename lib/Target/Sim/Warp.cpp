//===- Warp.cpp - a warp and its lanes ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Warp.h"

#include "Target/Sim/Block.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>

namespace tessera::ir::sim {

static constexpr std::align_val_t kAlignment{64};

void Warp::Aligned::operator()(std::byte *p) const { ::operator delete[](p, kAlignment); }

/// Puts \p count copies of the low bytes of \p bits at \p to.
static void fill(std::byte *to, const void *bits, std::size_t bytes, unsigned count) {
  for (unsigned l = 0; l != count; ++l)
    std::memcpy(to + l * bytes, bits, bytes);
}

Warp::Warp(Block &block, const Program &program, unsigned id)
    : block(block), program(program), id(id), lanes(program.warpSize),
      full(program.warpSize == 64 ? ~LaneMask(0) : (LaneMask(1) << program.warpSize) - 1), turns(program.memory.size()),
      copies(program.warpSize),
      storage(static_cast<std::byte *>(::operator new[](std::max(program.frameBytes, 1u), kAlignment))),
      frame(storage.get()) {
  std::memset(frame, 0xa5, program.frameBytes);
  for (const Constant &constant : program.constants)
    fill(frame + constant.offset, constant.bits.data(), bytesOf(constant.type), lanes);
  for (std::size_t i = 0; i != program.parameters.size(); ++i) {
    const Parameter &parameter = program.parameters[i];
    const void *const &argument = block.launch.request.arguments[i];
    fill(frame + parameter.offset, parameter.isByAddress ? static_cast<const void *>(&argument) : argument,
         bytesOf(parameter.type), lanes);
  }
}

void Warp::start(std::uint32_t number) {
  mask = live = full;
  pc = 0;
  others.clear();
  waitsAt = nullptr;
  std::fill(turns.begin(), turns.end(), 0);
  for (AsyncCopies &each : copies)
    each.clear();
  wgmma.clear();
  // One more for the copies that the chip makes by itself.
  clock.start(number, id, static_cast<unsigned>(block.warps.size()) + 1);
}

void Warp::split(LaneMask taken, std::uint32_t there, std::uint32_t elsewhere) {
  if (taken == mask)
    return jump(there);
  if (!taken)
    return jump(elsewhere);
  others.push_back({elsewhere, mask & ~taken});
  mask = taken;
  pc = there;
  regroup();
}

void Warp::exit() {
  live &= ~mask;
  mask = 0;
  if (!others.empty())
    regroup();
}

void Warp::regroup() {
  if (mask)
    others.push_back({pc, mask});
  pc = std::min_element(others.begin(), others.end(), [](const Group &a, const Group &b) { return a.pc < b.pc; })->pc;
  mask = 0;
  std::erase_if(others, [&](const Group &group) {
    if (group.pc == pc)
      mask |= group.mask;
    return group.pc == pc;
  });
}

bool Warp::converge(const Inst &inst) {
  if (mask == full)
    return true;
  const auto waits = [&](const Group &group) { return (program.code[group.pc].flags & kConverge) != 0; };
  // Lanes that are still on their way go first.
  Group *next = nullptr;
  for (Group &group : others)
    if (!waits(group) && (!next || group.pc < next->pc))
      next = &group;
  if (next) {
    std::swap(pc, next->pc);
    std::swap(mask, next->mask);
    return false;
  }
  std::string where = live == full ? "" : "others have returned";
  for (const Group &group : others)
    where += fmt::format("{}others wait at {}", where.empty() ? "" : ", ", block.placeOf(program.code[group.pc]));
  block.stop(*this, inst, fmt::format("is reached by {} of {} lanes of a warp; {}", std::popcount(mask), lanes, where),
             "all lanes of a warp must take part");
  return false;
}

} // namespace tessera::ir::sim
