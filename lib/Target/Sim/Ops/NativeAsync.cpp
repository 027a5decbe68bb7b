//===- NativeAsync.cpp - NVIDIA's asynchronous copies ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeAsync.h"

#include "Target/Sim/Ops/Touch.h"

#include <fmt/format.h>

namespace tessera::ir::sim {

namespace {

void start(const Inst &i, Warp &w) {
  const MemoryOp &write = w.program.memory[i.extra], &read = w.program.memory[i.extra + 1];
  const std::uint64_t *to = w.reg<std::uint64_t>(i.in(0)), *from = w.reg<std::uint64_t>(i.in(1));
  const std::uint32_t *bytes = w.reg<std::uint32_t>(i.in(2));
  const std::uint32_t *filled = w.reg<std::uint32_t>(i.in(i.imm == 4 ? 3 : 2));
  beginTouches(w, write);
  beginTouches(w, read);
  forLanesOf(w.mask, [&](unsigned l) {
    if (filled[l] > bytes[l]) {
      w.fault(
          i, l, [&] { return fmt::format("reads {} bytes to write {}", filled[l], bytes[l]); },
          "a copy reads no more than it writes");
      return;
    }
    const Touched target = touch(w, i, write, l, to[l], bytes[l], Use::Write);
    const Touched source = filled[l] ? touch(w, i, read, l, from[l], filled[l], Use::Read) : Touched{};
    if (!target || (filled[l] && !source))
      return;
    const std::uint64_t offset = static_cast<std::uint64_t>(target.bytes - w.block.shared.at(0));
    w.block.shared.mark(offset, bytes[l], ByteState::Filling);
    w.copies[l].open.push_back({&i, offset, source.bytes, bytes[l], filled[l]});
  });
}

void wait(const Inst &i, Warp &w) {
  if (w.block.launch.request.sabotage.dropWait == static_cast<int>(i.imm))
    return;
  const std::uint32_t *kept = w.reg<std::uint32_t>(i.in(0));
  forLanesOf(w.mask, [&](unsigned l) { completeCopies(w, l, w.copies[l].take(kept[l])); });
}

void waitAll(const Inst &i, Warp &w) {
  if (w.block.launch.request.sabotage.dropWait == static_cast<int>(i.imm))
    return;
  forLanesOf(w.mask, [&](unsigned l) {
    w.copies[l].commit();
    completeCopies(w, l, w.copies[l].take(0));
  });
}

} // namespace

void completeCopies(Warp &w, unsigned lane, std::vector<AsyncCopy> copies) {
  Random &random = w.block.launch.random;
  SharedMemory &shared = w.block.shared;
  while (!copies.empty()) {
    const std::size_t next = random.below(copies.size());
    const AsyncCopy copy = copies[next];
    copies[next] = copies.back();
    copies.pop_back();
    if (copy.filled)
      std::memcpy(shared.at(copy.to), copy.from, copy.filled);
    std::memset(shared.at(copy.to) + copy.filled, 0, copy.bytes - copy.filled);
    // From here on it is as if the lane had stored the bytes itself.
    shared.mark(copy.to, copy.bytes, ByteState::Written);
    touch(w, *copy.inst, w.program.memory[copy.inst->extra], lane, kSharedTag | (kSharedBase + copy.to), copy.bytes,
          Use::Write);
  }
}

ExecFn asyncCopyFunction() { return start; }
ExecFn asyncCommitFunction() {
  return [](const Inst &, Warp &w) { forLanesOf(w.mask, [&](unsigned l) { w.copies[l].commit(); }); };
}
ExecFn asyncWaitFunction() { return wait; }
ExecFn asyncWaitAllFunction() { return waitAll; }

} // namespace tessera::ir::sim
