//===- MemoryOps.cpp - loads, stores, atomics -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/MemoryOps.h"

#include "Target/Sim/Ops/Cell.h"
#include "Target/Sim/Ops/Touch.h"

namespace tessera::ir::sim {

namespace {

const MemoryOp &memoryOf(const Inst &i, Warp &w) { return w.program.memory[i.extra]; }

template <bool kMasked> void load(const Inst &i, Warp &w) {
  const MemoryOp &op = memoryOf(i, w);
  const std::size_t size = op.elementBytes;
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  const LaneMask wanted = kMasked ? lanesWhere(w, i.in(1)) : w.mask;
  beginTouches(w, op);
  forLanesOf(wanted, [&](unsigned l) {
    const Touched from = touch(w, i, op, l, address[l], op.bytes(), Use::Read);
    for (unsigned k = 0; k != op.count; ++k) {
      std::byte *to = w.reg<std::byte>(i.out(k)) + l * size;
      if (from)
        std::memcpy(to, from.bytes + k * size, size);
      else
        std::memcpy(to, &kPoison, size);
    }
  });
  if (kMasked)
    forLanesOf(w.mask & ~wanted, [&](unsigned l) {
      for (unsigned k = 0; k != op.count; ++k)
        std::memcpy(w.reg<std::byte>(i.out(k)) + l * size, w.reg<std::byte>(i.in(2 + k)) + l * size, size);
    });
}

template <bool kMasked> void store(const Inst &i, Warp &w) {
  const MemoryOp &op = memoryOf(i, w);
  const std::size_t size = op.elementBytes;
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  const LaneMask wanted = kMasked ? lanesWhere(w, i.in(1 + op.count)) : w.mask;
  beginTouches(w, op);
  forLanesOf(wanted, [&](unsigned l) {
    const Touched to = touch(w, i, op, l, address[l], op.bytes(), Use::Write);
    if (!to)
      return;
    bool differs = false;
    for (unsigned k = 0; k != op.count; ++k) {
      const std::byte *from = w.reg<std::byte>(i.in(1 + k)) + l * size;
      differs |= to.sameOp && std::memcmp(to.bytes + k * size, from, size) != 0;
      std::memcpy(to.bytes + k * size, from, size);
    }
    if (differs && isShared(address[l]))
      reportDifferentValues(w, i, l, address[l]);
  });
}

void clusterStore(const Inst &i, Warp &w) {
  const MemoryOp &op = memoryOf(i, w);
  const std::size_t size = op.elementBytes;
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  const std::uint32_t *block = w.reg<std::uint32_t>(i.in(1));
  beginTouches(w, op);
  forLanesOf(lanesWhere(w, i.in(2 + op.count)), [&](unsigned l) {
    const Touched to = touchInCluster(w, i, op, l, block[l], address[l], op.bytes());
    for (unsigned k = 0; to && k != op.count; ++k)
      std::memcpy(to.bytes + k * size, w.reg<std::byte>(i.in(2 + k)) + l * size, size);
  });
}

/// What an atomic operation of order \p order at \p address learns and tells.
void synchronize(Warp &w, std::uint64_t address, Order order, bool reads, bool writes) {
  Knowledge &released = w.block.releasedAt(address);
  if (reads) {
    if (order == Order::Acquire || order == Order::AcquireRelease)
      w.clock.acquire(released);
    else
      w.clock.read(released);
  }
  if (writes) {
    if (order == Order::Release || order == Order::AcquireRelease)
      join(released, w.clock.release());
    else
      join(released, w.clock.fenced());
  }
}

/// `fn(old, a, b)` gives the new value. Lanes go one after another, starting anywhere.
template <class U, unsigned kValues, bool kReads, bool kWrites, class Fn> void atomic(const Inst &i, Warp &w, Fn fn) {
  const MemoryOp &op = memoryOf(i, w);
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  const LaneMask wanted = lanesWhere(w, i.in(1 + kValues));
  beginTouches(w, op);
  if (i.outs)
    forLanesOf(w.mask & ~wanted, [&](unsigned l) { w.reg<U>(i.out(0))[l] = U{}; });
  const unsigned first = wanted ? static_cast<unsigned>(w.block.launch.random.below(w.lanes)) : 0;
  for (unsigned k = 0; wanted && k != w.lanes; ++k) {
    const unsigned l = (first + k) % w.lanes;
    if (!(wanted >> l & 1))
      continue;
    const Use use = !kWrites ? Use::Read : kReads ? Use::ReadWrite : Use::Write;
    const Touched at = touch(w, i, op, l, address[l], sizeof(U), use);
    U old{};
    if (at) {
      synchronize(w, address[l], op.order, kReads, kWrites);
      std::memcpy(&old, at.bytes, sizeof old);
      if constexpr (kWrites) {
        const U a = kValues > 0 ? w.reg<U>(i.in(1))[l] : U{}, b = kValues > 1 ? w.reg<U>(i.in(2))[l] : U{};
        const U now = fn(old, a, b);
        std::memcpy(at.bytes, &now, sizeof now);
      }
    }
    if (i.outs)
      w.reg<U>(i.out(0))[l] = old;
  }
}

template <class U, class Fn> void update(const Inst &i, Warp &w, Fn fn) {
  atomic<U, 1, true, true>(i, w, [=](U old, U a, U) { return static_cast<U>(fn(old, a)); });
}

template <class C> ExecFn integerAtomic(AtomicOp op) {
  using U = typename C::U;
  switch (op) {
  case AtomicOp::Add:
    return [](const Inst &i, Warp &w) { update<U>(i, w, [](U a, U b) { return a + b; }); };
  case AtomicOp::SMin:
    return [](const Inst &i, Warp &w) {
      update<U>(i, w, [](U a, U b) { return toSigned<C>(b) < toSigned<C>(a) ? b : a; });
    };
  case AtomicOp::SMax:
    return [](const Inst &i, Warp &w) {
      update<U>(i, w, [](U a, U b) { return toSigned<C>(b) > toSigned<C>(a) ? b : a; });
    };
  case AtomicOp::UMin:
    return [](const Inst &i, Warp &w) { update<U>(i, w, [](U a, U b) { return b < a ? b : a; }); };
  case AtomicOp::UMax:
    return [](const Inst &i, Warp &w) { update<U>(i, w, [](U a, U b) { return b > a ? b : a; }); };
  case AtomicOp::And:
    return [](const Inst &i, Warp &w) { update<U>(i, w, [](U a, U b) { return a & b; }); };
  case AtomicOp::Or:
    return [](const Inst &i, Warp &w) { update<U>(i, w, [](U a, U b) { return a | b; }); };
  case AtomicOp::Xor:
    return [](const Inst &i, Warp &w) { update<U>(i, w, [](U a, U b) { return a ^ b; }); };
  case AtomicOp::Xchg:
    return [](const Inst &i, Warp &w) { update<U>(i, w, [](U, U b) { return b; }); };
  case AtomicOp::CompareExchange:
    return [](const Inst &i, Warp &w) {
      atomic<U, 2, true, true>(i, w, [](U old, U expected, U desired) { return old == expected ? desired : old; });
    };
  case AtomicOp::Load:
    return [](const Inst &i, Warp &w) { atomic<U, 0, true, false>(i, w, [](U old, U, U) { return old; }); };
  case AtomicOp::Store:
    return [](const Inst &i, Warp &w) { atomic<U, 1, false, true>(i, w, [](U, U a, U) { return a; }); };
  default:
    return nullptr;
  }
}

template <class T> void floatAdd(const Inst &i, Warp &w) {
  update<T>(i, w, [](T a, T b) { return interp::narrow<T>(interp::widen(a) + interp::widen(b)); });
}

} // namespace

ExecFn loadFunction(bool isMasked) { return isMasked ? load<true> : load<false>; }
ExecFn clusterStoreFunction() { return clusterStore; }
ExecFn storeFunction(bool isMasked) { return isMasked ? store<true> : store<false>; }

ExecFn atomicFunction(AtomicOp op, Type type) {
  if (op == AtomicOp::FAdd)
    return withFloat(type, []<class T>() -> ExecFn { return floatAdd<T>; });
  if (type == Type::I1 || type == Type::I128)
    return nullptr;
  return withInt(type, [op]<class C>() { return integerAtomic<C>(op); });
}

ExecFn fenceFunction() {
  return [](const Inst &, Warp &w) { w.clock.fence(); };
}

} // namespace tessera::ir::sim
