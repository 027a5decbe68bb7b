//===- ControlOps.cpp - branches, and what lanes do together --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/ControlOps.h"

#include "Target/Sim/Cluster.h"
#include "Target/Sim/Ops/Cell.h"

#include <fmt/format.h>

namespace tessera::ir::sim {

//===----------------------------------------------------------------------===//
// Where lanes go on
//===----------------------------------------------------------------------===//

ExecFn jumpFunction() {
  return [](const Inst &i, Warp &w) { w.jump(static_cast<std::uint32_t>(i.imm)); };
}

ExecFn branchFunction() {
  return [](const Inst &i, Warp &w) {
    w.split(lanesWhere(w, i.in(0)), static_cast<std::uint32_t>(i.imm), static_cast<std::uint32_t>(i.imm >> 32));
  };
}

template <class C> static void switchLanes(const Inst &i, Warp &w) {
  using U = typename C::U;
  const SwitchTable &table = w.program.switches[i.extra];
  const U *value = w.reg<U>(i.in(0));
  LaneMask rest = w.mask;
  for (const auto &[wanted, place] : table.cases) {
    LaneMask taken = 0;
    forLanesOf(rest, [&](unsigned l) { taken |= LaneMask(static_cast<std::uint64_t>(value[l]) == wanted) << l; });
    if (taken)
      w.others.push_back({place, taken});
    rest &= ~taken;
  }
  w.mask = rest;
  w.pc = table.otherwise;
  w.regroup();
}

ExecFn switchFunction(Type type) {
  return withInt(type, []<class C>() -> ExecFn { return switchLanes<C>; });
}

ExecFn returnFunction() {
  return [](const Inst &, Warp &w) { w.exit(); };
}

ExecFn unreachableFunction() {
  return
      [](const Inst &i, Warp &w) { w.block.stop(w, i, "is reached", "the code before it promises that it never is"); };
}

//===----------------------------------------------------------------------===//
// Who a lane is
//===----------------------------------------------------------------------===//

static std::uint32_t axisOf(const Warp &w, Special what) {
  const auto number = static_cast<unsigned>(what);
  constexpr auto id = static_cast<unsigned>(Special::BlockIdX), count = static_cast<unsigned>(Special::NumBlocksX);
  return static_cast<std::uint32_t>(number < count ? w.block.id[number - id]
                                                   : w.block.launch.request.grid[number - count]);
}

template <Special kWhat> static void special(const Inst &i, Warp &w) {
  std::uint32_t *o = w.reg<std::uint32_t>(i.out(0));
  const std::uint32_t first = w.id * w.lanes;
  if constexpr (kWhat == Special::ThreadId) {
    forLanes(w, [=](unsigned l) { o[l] = first + l; });
  } else if constexpr (kWhat == Special::LaneId) {
    forLanes(w, [=](unsigned l) { o[l] = l; });
  } else {
    const std::uint32_t value = kWhat == Special::WarpId ? w.id : axisOf(w, kWhat);
    forLanes(w, [=](unsigned l) { o[l] = value; });
  }
}

ExecFn specialFunction(Special what) {
  static constexpr ExecFn all[] = {
      special<Special::ThreadId>,   special<Special::LaneId>,     special<Special::WarpId>,
      special<Special::BlockIdX>,   special<Special::BlockIdY>,   special<Special::BlockIdZ>,
      special<Special::NumBlocksX>, special<Special::NumBlocksY>, special<Special::NumBlocksZ>};
  return all[static_cast<unsigned>(what)];
}

//===----------------------------------------------------------------------===//
// What lanes and warps do together
//===----------------------------------------------------------------------===//

/// Whether a test has this one of its kind do nothing.
static bool isDropped(const Inst &i, int which) { return which >= 0 && i.imm == static_cast<std::uint64_t>(which); }

template <bool kSharedAlone> static void barrier(const Inst &i, Warp &w) {
  if (!isDropped(i, w.block.launch.request.sabotage.dropBarrier))
    w.block.arrive(w, i, 0, w.block.launch.request.threads, kSharedAlone);
}

ExecFn clusterBarrierFunction() {
  return [](const Inst &i, Warp &w) {
    if (!isDropped(i, w.block.launch.request.sabotage.dropClusterBarrier))
      w.block.cluster.arrive(w, i);
  };
}

ExecFn barrierFunction() { return barrier<false>; }
ExecFn sharedBarrierFunction() { return barrier<true>; }

/// The value an i32 has in all lanes; nothing, and a fault, if they differ.
static bool isUniform(const Inst &i, Warp &w, unsigned operand, std::uint32_t &value) {
  const std::uint32_t *values = w.reg<std::uint32_t>(i.in(operand));
  value = values[0];
  for (unsigned l = 1; l != w.lanes; ++l)
    if (values[l] != value) {
      w.block.stop(w, i, fmt::format("has operand {} in lane 0 and {} in lane {}", value, values[l], l),
                   "the operand must be the same in all lanes");
      return false;
    }
  return true;
}

ExecFn namedBarrierFunction() {
  return [](const Inst &i, Warp &w) {
    std::uint32_t id = 0, threads = 0;
    if (!isDropped(i, w.block.launch.request.sabotage.dropBarrier) && isUniform(i, w, 0, id) &&
        isUniform(i, w, 1, threads))
      w.block.arrive(w, i, id, threads);
  };
}

ExecFn warpSyncFunction() {
  return [](const Inst &i, Warp &w) {
    if (!isDropped(i, w.block.launch.request.sabotage.dropWarpSync))
      w.clock.tick();
  };
}

template <ShuffleOp kHow> static void shuffle(const Inst &i, Warp &w) {
  std::uint32_t *__restrict o = w.reg<std::uint32_t>(i.out(0));
  const std::uint32_t *value = w.reg<std::uint32_t>(i.in(0)), *argument = w.reg<std::uint32_t>(i.in(1));
  for (unsigned l = 0; l != w.lanes; ++l) {
    const std::uint32_t by = argument[l];
    std::uint32_t from = 0;
    if constexpr (kHow == ShuffleOp::Idx)
      from = by;
    else if constexpr (kHow == ShuffleOp::Xor)
      from = l ^ by;
    else if constexpr (kHow == ShuffleOp::Up)
      from = l - by;
    else
      from = l + by;
    if (from >= w.lanes) {
      if (kHow == ShuffleOp::Idx || kHow == ShuffleOp::Xor || by >= w.lanes)
        w.fault(
            i, l,
            [&] { return fmt::format("reads lane {} of a warp of {}", static_cast<std::int32_t>(from), w.lanes); },
            "a shuffle stays in the warp");
      from = l;
    }
    o[l] = value[from];
  }
}

ExecFn shuffleFunction(ShuffleOp how) {
  static constexpr ExecFn all[] = {shuffle<ShuffleOp::Idx>, shuffle<ShuffleOp::Xor>, shuffle<ShuffleOp::Up>,
                                   shuffle<ShuffleOp::Down>};
  return all[static_cast<unsigned>(how)];
}

ExecFn ballotFunction() {
  return [](const Inst &i, Warp &w) {
    const LaneMask bits = lanesWhere(w, i.in(0));
    std::uint64_t *o = w.reg<std::uint64_t>(i.out(0));
    forLanes(w, [=](unsigned l) { o[l] = bits; });
  };
}

template <ReduceOp kHow> static void reduce(const Inst &i, Warp &w) {
  const std::uint32_t *a = w.reg<std::uint32_t>(i.in(0));
  std::uint32_t result = a[0];
  for (unsigned l = 1; l != w.lanes; ++l) {
    const std::uint32_t b = a[l];
    const auto x = static_cast<std::int32_t>(result), y = static_cast<std::int32_t>(b);
    result = kHow == ReduceOp::Add    ? result + b
             : kHow == ReduceOp::SMin ? static_cast<std::uint32_t>(std::min(x, y))
             : kHow == ReduceOp::SMax ? static_cast<std::uint32_t>(std::max(x, y))
             : kHow == ReduceOp::UMin ? std::min(result, b)
             : kHow == ReduceOp::UMax ? std::max(result, b)
             : kHow == ReduceOp::And  ? result & b
             : kHow == ReduceOp::Or   ? result | b
                                      : result ^ b;
  }
  std::uint32_t *o = w.reg<std::uint32_t>(i.out(0));
  forLanes(w, [=](unsigned l) { o[l] = result; });
}

ExecFn reduceFunction(ReduceOp how) {
  static constexpr ExecFn all[] = {reduce<ReduceOp::Add>,  reduce<ReduceOp::SMin>, reduce<ReduceOp::SMax>,
                                   reduce<ReduceOp::UMin>, reduce<ReduceOp::UMax>, reduce<ReduceOp::And>,
                                   reduce<ReduceOp::Or>,   reduce<ReduceOp::Xor>};
  return all[static_cast<unsigned>(how)];
}

} // namespace tessera::ir::sim
