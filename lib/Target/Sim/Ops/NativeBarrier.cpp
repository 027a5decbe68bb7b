//===- NativeBarrier.cpp - NVIDIA's barriers in shared memory -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A wait that fails puts the warp to sleep and is tried again when some barrier has moved on.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeBarrier.h"

#include "Target/Sim/Ops/Touch.h"
#include "Target/Sim/Ops/Words.h"

#include <fmt/format.h>

namespace tessera::ir::sim {

namespace {

constexpr std::string_view kUseRule = "a barrier is made by mbarrier.init before anyone uses it";

/// Calls `fn(lane, barrier)` for the active lanes, whose barriers exist and may be used now.
template <class Fn> void forBarriers(const Inst &i, Warp &w, Fn fn) {
  const MemoryOp &op = w.program.memory[i.extra];
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  beginTouches(w, op);
  forLanesOf(w.mask, [&](unsigned l) {
    if (w.block.stopped || !touch(w, i, op, l, address[l], 8, op.atomic ? Use::ReadWrite : Use::Write))
      return;
    PhaseBarrier *barrier = w.block.phaseBarrierAt(address[l]);
    if (barrier)
      return fn(l, *barrier);
    w.fault(i, l, "uses a barrier that was not made", kUseRule);
    w.block.stopped = true; // a loop around a test of it would not end
  });
}

void init(const Inst &i, Warp &w) {
  const MemoryOp &op = w.program.memory[i.extra];
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  const std::uint32_t *count = w.reg<std::uint32_t>(i.in(1));
  beginTouches(w, op);
  forLanesOf(w.mask, [&](unsigned l) {
    if (touch(w, i, op, l, address[l], 8, Use::Write))
      w.block.makePhaseBarrier(address[l], count[l]);
  });
}

void invalidate(const Inst &i, Warp &w) {
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  forBarriers(i, w, [&](unsigned l, PhaseBarrier &) { w.block.dropPhaseBarrier(address[l]); });
}

/// One lane arrives \p count times.
void arriveOnce(const Inst &i, Warp &w, unsigned lane, PhaseBarrier &barrier, std::uint32_t count) {
  if (!barrier.arrive(count, w.clock.releaseInBlock()))
    w.fault(i, lane, "arrives more often than the barrier's phase waits for",
            "the count of mbarrier.init says how often");
  w.block.wakeSleepers();
}

template <bool kExpects> void arrive(const Inst &i, Warp &w) {
  forBarriers(i, w, [&](unsigned l, PhaseBarrier &barrier) {
    if (i.outs)
      w.reg<std::uint64_t>(i.out(0))[l] = barrier.phase();
    if (kExpects)
      barrier.expect(w.reg<std::uint32_t>(i.in(1))[l]);
    arriveOnce(i, w, l, barrier, !kExpects && i.imm > 1 ? w.reg<std::uint32_t>(i.in(1))[l] : 1);
  });
}

void expect(const Inst &i, Warp &w) {
  forBarriers(i, w, [&](unsigned l, PhaseBarrier &barrier) { barrier.expect(w.reg<std::uint32_t>(i.in(1))[l]); });
}

template <bool kByParity, bool kSleeps> void test(const Inst &i, Warp &w) {
  LaneMask waiting = 0;
  forBarriers(i, w, [&](unsigned l, PhaseBarrier &barrier) {
    const bool done = kByParity ? (barrier.phase() & 1) != (w.reg<std::uint32_t>(i.in(1))[l] & 1)
                                : barrier.phase() > w.reg<std::uint64_t>(i.in(1))[l];
    w.reg<std::uint8_t>(i.out(0))[l] = done;
    if (done)
      w.clock.acquireInBlock(barrier.released());
    else
      waiting |= LaneMask(1) << l;
  });
  if (kSleeps && waiting && !w.block.stopped)
    w.block.sleep(w, i);
}

} // namespace

ExecFn phaseBarrierFunction(std::string_view opcode, unsigned operands, unsigned results) {
  Words words = wordsOf(opcode);
  std::erase_if(words, [](std::string_view word) {
    return word.starts_with("shared") || word == "b64" || word == "release" || word == "acquire" || word == "relaxed" ||
           word == "cta" || word == "cluster";
  });
  if (words == Words{"mbarrier", "init"} && operands == 2)
    return init;
  if (words == Words{"mbarrier", "inval"} && operands == 1)
    return invalidate;
  if (words == Words{"mbarrier", "arrive"} && operands <= 2)
    return arrive<false>;
  if (words == Words{"mbarrier", "arrive", "expect_tx"} && operands == 2)
    return arrive<true>;
  if (words == Words{"mbarrier", "expect_tx"} && operands == 2)
    return expect;
  if (operands < 2 || results != 1)
    return nullptr;
  if (words == Words{"mbarrier", "test_wait"})
    return test<false, false>;
  if (words == Words{"mbarrier", "test_wait", "parity"})
    return test<true, false>;
  if (words == Words{"mbarrier", "try_wait"})
    return test<false, true>;
  if (words == Words{"mbarrier", "try_wait", "parity"})
    return test<true, true>;
  return nullptr;
}

} // namespace tessera::ir::sim
