//===- StraightCopies.cpp - copies of whole warps to shared memory --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The copies of a warp are counted one by one, and come to their end in this order: each is a group of its own.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/StraightCopies.h"

#include "Target/Sim/Ops/NativeAsync.h"
#include "Target/Sim/Ops/Touch.h"

#include <fmt/format.h>

namespace tessera::ir::sim {

namespace {

/// Whether all lanes give the same place; if not, a fault is reported.
bool hasOnePlace(const Inst &i, Warp &w, const std::uint64_t *to) {
  for (unsigned l = 1; l != w.lanes; ++l)
    if (to[l] != to[0]) {
      w.block.stop(w, i, fmt::format("begins at {:#x} for lane 0 and at {:#x} for lane {}", to[0], to[l], l),
                   "a warp copies to one place, from which its lanes follow one another");
      return false;
    }
  return true;
}

void start(const Inst &i, Warp &w) {
  const MemoryOp &write = w.program.memory[i.extra], &read = w.program.memory[i.extra + 1];
  const std::uint64_t *from = w.reg<std::uint64_t>(i.in(0)), *to = w.reg<std::uint64_t>(i.in(2));
  const LaneMask inside = lanesWhere(w, i.in(1));
  const unsigned bytes = write.bytes();
  if (!hasOnePlace(i, w, to))
    return;
  beginTouches(w, write);
  beginTouches(w, read);
  forLanes(w, [&](unsigned l) {
    const unsigned filled = (inside >> l & 1) != 0 ? bytes : 0;
    const Touched target = touch(w, i, write, l, to[0] + std::uint64_t{l} * bytes, bytes, Use::Write);
    const Touched source = filled != 0 ? touch(w, i, read, l, from[l], filled, Use::Read) : Touched{};
    if (target && (filled == 0 || source)) {
      const auto offset = static_cast<std::uint64_t>(target.bytes - w.block.shared.at(0));
      w.block.shared.mark(offset, bytes, ByteState::Filling);
      w.copies[l].open.push_back({&i, offset, source.bytes, bytes, filled});
    }
    w.copies[l].commit(); // a lane that was refused is counted, too
  });
}

void wait(const Inst &i, Warp &w) {
  const Sabotage &sabotage = w.block.launch.request.sabotage;
  if (sabotage.dropWait == static_cast<int>(i.imm))
    return;
  const std::uint32_t *kept = w.reg<std::uint32_t>(i.in(0));
  const std::uint32_t more = sabotage.weakenWait == static_cast<int>(i.imm) ? 1 : 0;
  forLanes(w, [&](unsigned l) { completeCopies(w, l, w.copies[l].take(kept[l] + more)); });
}

} // namespace

ExecFn straightCopyFunction() { return start; }
ExecFn straightWaitFunction() { return wait; }

} // namespace tessera::ir::sim
