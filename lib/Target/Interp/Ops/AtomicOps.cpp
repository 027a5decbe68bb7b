//===- AtomicOps.cpp - atomic access --------------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Lanes take effect one after the other, in order (SEMANTICS M5): each duplicate of an address counts once, and each
// lane gets the value its predecessors left. Floats add in f32 (f64 in f64) and round once. Kernels with atomics run in
// grid order, so results are the same in every run; the host's own atomic instructions serve launches that overlap.
//
// Atomics of block scope are not atomic towards other programs: the checks treat them as plain accesses.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Access.h"
#include "Target/Interp/Checks/Aliases.h"
#include "Target/Interp/Checks/OrderedRaces.h"
#include "Target/Interp/Checks/Waiting.h"
#include "Target/Interp/Launch.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Combine.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "fmt/format.h"

#include <atomic>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

/// Operands: pointers, then value, or expected and desired; last the mask where there is one.
struct AtomicPayload : MemoryPayload {
  bool hasMask = false;
  bool synchronizes = false; ///< other programs see it as atomic
  bool acquires = false, releases = false;
};

/// Tells the race check what an executed instruction acquired and released: \p reads by all lanes that touched memory,
/// then writes by those for which \p wrote is true. \p modified: the writes are halves of read-modify-writes.
template <class Wrote>
void synchronize(Frame &frame, const AtomicPayload &p, Lanes lanes, Admitted admitted, bool reads, bool modified,
                 Wrote &&wrote) {
  if (frame.aliases && (p.acquires || p.releases))
    frame.aliases->order();
  if (!p.synchronizes || !frame.launch.races)
    return;
  // With a site that synchronizes, the checker of the launch is the ordered one.
  auto &races = static_cast<OrderedRaces &>(*frame.launch.races);
  const auto touched = [&](std::uint32_t i) { return !admitted.mask || admitted.mask[i].bits; };
  if (reads && p.acquires)
    for (std::uint32_t i = 0; i != lanes.n; ++i)
      if (touched(i))
        races.acquire(frame.turn, lanes.address[i]);
  bool released = false;
  for (std::uint32_t i = 0; i != lanes.n; ++i) {
    if (!touched(i) || !wrote(i))
      continue;
    if (p.releases) {
      races.release(frame.turn, lanes.address[i], modified);
      released = true;
    } else if (!modified) {
      races.forget(lanes.address[i]);
    }
  }
  if (released)
    races.endEpoch(frame.turn);
}

/// Stops a program that polls memory which nobody else will change. \p value is what each lane read; \p changed whether
/// some lane changed memory.
template <class W> void checkWaiting(const Inst &inst, Frame &frame, Lanes lanes, const W *value, bool changed) {
  static thread_local WaitDetector detector;
  std::uint64_t seen = 0;
  if (!changed)
    for (std::uint32_t i = 0; i != lanes.n; ++i)
      seen = (seen ^ lanes.address[i] ^ (std::uint64_t(value[i]) << 1)) * 0x9E3779B97F4A7C15ull;
  if (!detector.note(&frame.launch, frame.program, inst, seen, changed))
    return;
  frame.faultAlways(
      inst, 0, 1,
      [&] {
        return fmt::format("{} sees the same value {} times in a row", frame.site(inst).op, WaitDetector::kPolls);
      },
      "a program must not wait for another, since programs run in any order, here one after the other; finish "
      "the work in whichever program comes last (last_program)");
  throw StopLaunch();
}

template <class W> std::atomic_ref<W> word(std::uint64_t address) {
  return std::atomic_ref<W>(*reinterpret_cast<W *>(address));
}

Lanes lanesOf(const Inst &inst, Frame &frame, const AtomicPayload &p) {
  return {frame.in<std::uint64_t>(inst, 0),
          p.hasMask ? frame.in<Bool>(inst, static_cast<unsigned>(inst.in.size() - 1)) : nullptr, inst.in[0].count};
}

// -- Read-modify-write ----------------------------------------------------------------------------

template <class T, class Fn> void modify(const Inst &inst, Frame &frame, Fn &&fn) {
  using W = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                               std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  const auto &p = inst.payload<AtomicPayload>();
  const Lanes lanes = lanesOf(inst, frame, p);
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Atomic);
  const T *value = frame.in<T>(inst, 1);
  W *old = frame.out<W>(inst);
  bool changed = false;
  for (std::uint32_t i = 0; i != lanes.n; ++i) {
    old[i] = 0;
    if (admitted.mask && !admitted.mask[i].bits)
      continue;
    const auto memory = word<W>(lanes.address[i]);
    W seen = memory.load(), next;
    do
      next = std::bit_cast<W>(fn(std::bit_cast<T>(seen), value[i]));
    while (!memory.compare_exchange_weak(seen, next));
    old[i] = seen;
    changed |= next != seen;
  }
  synchronize(frame, p, lanes, admitted, true, true, [](std::uint32_t) { return true; });
  checkWaiting(inst, frame, lanes, old, changed);
}

template <class C> void modifyBy(const Inst &inst, Frame &frame) {
  modify<typename C::Element>(inst, frame, [](auto a, auto b) { return C::apply(a, b); });
}

struct Subtract {
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_integral_v<V>)
      return static_cast<V>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    else
      return a - b;
  }
};

template <class Fn, template <class> class Read> ExecFn pickInt(Elem e) {
  return dispatchInt<ExecFn>(e, []<class T>() -> ExecFn {
    if constexpr (std::is_same_v<T, Bool>)
      return nullptr;
    else
      return modifyBy<Combiner<T, Read, Fn>>;
  });
}
template <class Fn> ExecFn pickFloat(Elem e) {
  return dispatchAnyFloat<ExecFn>(e, []<class T>() -> ExecFn { return modifyBy<Combiner<T, AsFloat, Fn>>; });
}

ExecFn pickModify(tile::AtomicKind kind, Elem e) {
  using tile::AtomicKind;
  switch (kind) {
  case AtomicKind::Add:
    return pickInt<combine::Add, AsUnsigned>(e);
  case AtomicKind::Sub:
    return pickInt<Subtract, AsUnsigned>(e);
  case AtomicKind::And:
    return pickInt<combine::And, AsUnsigned>(e);
  case AtomicKind::Or:
    return pickInt<combine::Or, AsUnsigned>(e);
  case AtomicKind::Xor:
    return pickInt<combine::Xor, AsUnsigned>(e);
  case AtomicKind::Min:
    return pickInt<combine::Min, AsSigned>(e);
  case AtomicKind::Max:
    return pickInt<combine::Max, AsSigned>(e);
  case AtomicKind::UMin:
    return pickInt<combine::Min, AsUnsigned>(e);
  case AtomicKind::UMax:
    return pickInt<combine::Max, AsUnsigned>(e);
  case AtomicKind::FAdd:
    return pickFloat<combine::Add>(e);
  case AtomicKind::FSub:
    return pickFloat<Subtract>(e);
  case AtomicKind::FMin:
    return pickFloat<combine::MinNum>(e);
  case AtomicKind::FMax:
    return pickFloat<combine::MaxNum>(e);
  case AtomicKind::Xchg:
    return dispatchWidth<ExecFn>(e, []<class W>() -> ExecFn {
      return [](const Inst &inst, Frame &frame) { modify<W>(inst, frame, [](W, W value) { return value; }); };
    });
  }
  return nullptr;
}

// -- Compare and swap, load, store ----------------------------------------------------------------

template <class W> void compareAndSwap(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<AtomicPayload>();
  const Lanes lanes = lanesOf(inst, frame, p);
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Atomic);
  const W *expected = frame.in<W>(inst, 1), *desired = frame.in<W>(inst, 2);
  W *old = frame.out<W>(inst);
  bool changed = false;
  for (std::uint32_t i = 0; i != lanes.n; ++i) {
    old[i] = 0;
    if (admitted.mask && !admitted.mask[i].bits)
      continue;
    W seen = expected[i];
    changed |= word<W>(lanes.address[i]).compare_exchange_strong(seen, desired[i]) && desired[i] != seen;
    old[i] = seen;
  }
  synchronize(frame, p, lanes, admitted, true, true, [&](std::uint32_t i) { return old[i] == expected[i]; });
  checkWaiting(inst, frame, lanes, old, changed);
}

template <class W> void atomicLoad(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<AtomicPayload>();
  const Lanes lanes = lanesOf(inst, frame, p);
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Read);
  W *value = frame.out<W>(inst);
  for (std::uint32_t i = 0; i != lanes.n; ++i) {
    value[i] = 0;
    if (admitted.mask && !admitted.mask[i].bits)
      continue;
    value[i] = word<W>(lanes.address[i]).load();
  }
  synchronize(frame, p, lanes, admitted, true, false, [](std::uint32_t) { return false; });
  checkWaiting(inst, frame, lanes, value, false);
}

template <class W> void atomicStore(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<AtomicPayload>();
  const Lanes lanes = lanesOf(inst, frame, p);
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Write);
  const W *value = frame.in<W>(inst, 1);
  for (std::uint32_t i = 0; i != lanes.n; ++i)
    if (!admitted.mask || admitted.mask[i].bits)
      word<W>(lanes.address[i]).store(value[i]);
  synchronize(frame, p, lanes, admitted, false, false, [](std::uint32_t) { return true; });
}

// -- Lowering -------------------------------------------------------------------------------------

template <class Op> void emitAtomic(Op op, Builder &b, ExecFn exec, Elem elem, bool writes) {
  using tile::MemoryOrder;
  auto payload = std::make_unique<AtomicPayload>();
  const bool isShared = op.getScope() != tile::MemoryScope::Block;
  payload->memory = b.memorySite(*op, op.getPtr(), elem, writes, isShared);
  payload->hasMask = static_cast<bool>(op.getMask());
  payload->synchronizes = isShared;
  payload->acquires = op.getOrder() == MemoryOrder::Acquire || op.getOrder() == MemoryOrder::AcqRel;
  payload->releases = op.getOrder() == MemoryOrder::Release || op.getOrder() == MemoryOrder::AcqRel;
  b.code.inGridOrder = true;
  b.code.acquires |= isShared && payload->acquires;
  b.code.releases |= isShared && payload->releases;
  b.emit(*op, exec).extra = std::move(payload);
}

LogicalResult lowerModify(Operation &op, Builder &b) {
  auto modifyOp = cast<tile::AtomicRMWOp>(op);
  const Elem elem = *elemOf(modifyOp.getResult().getType());
  const ExecFn exec = pickModify(modifyOp.getKind(), elem);
  if (!exec)
    return b.refuse(op, llvm::Twine("`") + tile::stringifyAtomicKind(modifyOp.getKind()) + "` of " + nameOf(elem) +
                            " is not known to the interpreter");
  emitAtomic(modifyOp, b, exec, elem, true);
  return success();
}

LogicalResult lowerCompareAndSwap(Operation &op, Builder &b) {
  auto swap = cast<tile::AtomicCASOp>(op);
  const Elem elem = *elemOf(swap.getResult().getType());
  emitAtomic(swap, b, dispatchWidth<ExecFn>(elem, []<class W>() -> ExecFn { return compareAndSwap<W>; }), elem, true);
  return success();
}

LogicalResult lowerLoad(Operation &op, Builder &b) {
  auto load = cast<tile::AtomicLoadOp>(op);
  const Elem elem = *elemOf(load.getResult().getType());
  emitAtomic(load, b, dispatchWidth<ExecFn>(elem, []<class W>() -> ExecFn { return atomicLoad<W>; }), elem, false);
  return success();
}

LogicalResult lowerStore(Operation &op, Builder &b) {
  auto store = cast<tile::AtomicStoreOp>(op);
  const Elem elem = *elemOf(store.getValue().getType());
  emitAtomic(store, b, dispatchWidth<ExecFn>(elem, []<class W>() -> ExecFn { return atomicStore<W>; }), elem, true);
  return success();
}

} // namespace

void registerAtomicOps(OpTable &table) {
  table.add<tile::AtomicRMWOp>(lowerModify);
  table.add<tile::AtomicCASOp>(lowerCompareAndSwap);
  table.add<tile::AtomicLoadOp>(lowerLoad);
  table.add<tile::AtomicStoreOp>(lowerStore);
}

} // namespace tessera::ir::interp
