//===- Touch.cpp - a lane touches memory ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/Touch.h"

#include "Target/Sim/Cluster.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::ir::sim {

namespace {

/// One access on its way through the checks.
struct Attempt {
  Warp &w;
  const Inst &inst;
  const MemoryOp &op;
  unsigned lane;
  std::uint64_t address;
  unsigned bytes;
  Use use;
  Block &holder; ///< of shared memory

  bool reads() const { return use != Use::Write; }
  bool writes() const { return use != Use::Read; }
  std::string_view verb() const {
    return use == Use::Read ? "reads" : use == Use::Write ? "writes" : "reads and writes";
  }
  template <class Seen> Touched refuse(Seen &&seen, std::string_view rule) const {
    w.fault(inst, lane, seen, rule);
    return {};
  }
  Toucher toucher() const {
    Toucher by;
    by.access = {.block = w.block.number,
                 .clock = w.clock.now(),
                 .site = inst.site,
                 .op = op.op,
                 .turn = w.turns[op.number],
                 .warp = static_cast<std::uint16_t>(w.id),
                 .lane = static_cast<std::uint8_t>(lane),
                 .atomic = op.atomic};
    by.clock = &w.clock;
    by.inShared = isShared(address);
    return by;
  }
};

} // namespace

/// Reports that \p attempt and an earlier access are in no order.
static void reportConflict(const Attempt &a, const Conflict &conflict, std::string_view memory) {
  const Access &other = *conflict.earlier;
  Warp &w = a.w;
  const bool sameBlock = other.block == w.block.number;
  const bool isForeign = !sameBlock && !isShared(a.address);
  const std::string_view rule =
      isForeign            ? "programs of a grid run in any order; only atomics with release and acquire order them"
      : !sameBlock         ? "blocks of a cluster need a barrier of the cluster between accesses to one place"
      : other.warp == w.id ? "lanes of a warp need a warp_sync between accesses to one place"
                           : "warps need a barrier between accesses to one place, one of which writes";
  w.fault(
      a.inst, a.lane,
      [&] {
        std::string who = "another lane";
        if (other.lane != Access::kManyLanes)
          who = fmt::format("thread {}", other.warp * w.lanes + other.lane);
        else if (other.warp != w.id || !sameBlock)
          who = fmt::format("warp {}", other.warp);
        if (!sameBlock)
          who +=
              fmt::format(" of {}", interp::programName(interp::programId(other.block, w.block.launch.request.grid)));
        return fmt::format("races on {} memory: {} {} bytes at {:#x} that {} {} at {}", memory, a.verb(), a.bytes,
                           isShared(a.address) ? (a.address & ~kSharedTagMask) - kSharedBase : a.address, who,
                           conflict.wrote ? "wrote" : "read", w.block.placeOf(other.site));
      },
      rule);
}

static Touched note(const Attempt &a, Shadow &shadow, std::size_t offset, std::byte *bytes, std::string_view memory) {
  const Toucher by = a.toucher();
  Touched touched{bytes, false};
  const Conflict conflict =
      a.writes() ? shadow.write(offset, a.bytes, by, touched.sameOp) : shadow.read(offset, a.bytes, by);
  if (conflict)
    reportConflict(a, conflict, memory);
  return touched;
}

static Touched touchShared(const Attempt &a) {
  SharedMemory &shared = a.holder.shared;
  std::uint64_t offset = (a.address & ~kSharedTagMask) - kSharedBase;
  if ((a.address & ~kSharedTagMask) < kSharedBase || !shared.holds(offset, a.bytes))
    return a.refuse(
        [&] {
          return fmt::format("{} {} bytes at {} of shared memory, which has {}", a.verb(), a.bytes,
                             static_cast<std::int64_t>(offset), shared.size());
        },
        "accesses must stay in the block's shared memory");
  if (a.w.block.launch.request.sabotage.swapSwizzle && a.use == Use::Write && a.bytes <= 16)
    offset = (offset & ~std::uint64_t(0x30)) | (offset >> 1 & 0x10) | (offset << 1 & 0x20);
  if (!shared.holds(offset, a.bytes))
    return {};
  if (const std::int64_t at = shared.find(offset, a.bytes, ByteState::Filling); at >= 0)
    return a.refuse(
        [&] {
          return fmt::format("{} shared memory at {}, where an asynchronous copy is still writing", a.verb(), at);
        },
        "wait for the copy first");
  if (a.writes())
    if (const std::int64_t at = shared.find(offset, a.bytes, ByteState::Draining); at >= 0)
      return a.refuse(
          [&] {
            return fmt::format("{} shared memory at {}, where an asynchronous copy is still reading", a.verb(), at);
          },
          "wait for the copy first");
  if (a.reads())
    if (const std::int64_t at = shared.find(offset, a.bytes, ByteState::NeverWritten); at >= 0)
      a.refuse([&] { return fmt::format("{} shared memory at {}, which was never written", a.verb(), at); },
               "the value is unspecified");
  const Touched touched = note(a, shared.shadow, offset, shared.at(offset), "shared");
  if (a.writes())
    shared.mark(offset, a.bytes, ByteState::Written);
  return touched;
}

static Touched touchGlobal(const Attempt &a) {
  GlobalMemory &memory = a.w.block.launch.memory;
  Region *region = memory.find(a.address, a.bytes);
  if (!region)
    return a.refuse(
        [&] {
          return fmt::format("{} {} bytes at {:#x}, {}", a.verb(), a.bytes, a.address, memory.describe(a.address));
        },
        "accesses must stay in a buffer; mask the others out");
  if (a.writes() && region->buffer.readOnly)
    return a.refuse([&] { return fmt::format("writes to {}, which is read-only", region->title()); },
                    "a pointer to const is only read through");
  const std::size_t offset = a.address - region->begin();
  if (std::uint8_t *written = region->buffer.written) {
    const auto *never = std::find(written + offset, written + offset + a.bytes, 0);
    if (a.reads() && never != written + offset + a.bytes)
      a.refuse(
          [&] {
            return fmt::format("{} byte {} of {}, which was never written", a.verb(), never - written, region->title());
          },
          "the value is unspecified");
    if (a.writes())
      std::fill_n(written + offset, a.bytes, 1);
  }
  return note(a, region->shadow, offset, reinterpret_cast<std::byte *>(a.address), "global");
}

static Touched touch(const Attempt &a) {
  const bool shared = isShared(a.address);
  if (shared && a.op.space != Space::Shared && a.op.space != Space::Generic)
    return a.refuse([&a] { return fmt::format("{} global memory through a pointer to shared memory", a.verb()); },
                    "an address belongs to one memory");
  if (!shared && a.op.space == Space::Shared)
    return a.refuse(
        [&a] { return fmt::format("{} shared memory through address {:#x}, which is not there", a.verb(), a.address); },
        "an address belongs to one memory");
  if (a.address % a.op.align)
    return a.refuse(
        [&a] {
          return fmt::format("{} {} bytes at {:#x}, which is not a multiple of {}", a.verb(), a.bytes, a.address,
                             a.op.align);
        },
        "an access must be aligned to what its instruction promises");
  return shared ? touchShared(a) : touchGlobal(a);
}

Touched touch(Warp &w, const Inst &inst, const MemoryOp &op, unsigned lane, std::uint64_t address, unsigned bytes,
              Use use) {
  return touch({w, inst, op, lane, address, bytes, use, w.block});
}

Touched touchInCluster(Warp &w, const Inst &inst, const MemoryOp &op, unsigned lane, std::uint32_t block,
                       std::uint64_t address, unsigned bytes) {
  Block *const holder = w.block.cluster.blockAt(block);
  const Attempt a{w, inst, op, lane, address, bytes, Use::Write, holder ? *holder : w.block};
  if (!holder)
    return a.refuse([&] { return fmt::format("writes to block {} of the cluster", block); },
                    "a cluster has the blocks it is launched with");
  if (holder != &w.block && !w.clock.knows(holder->number, 0, 1, /*inShared=*/true))
    return a.refuse([&] { return fmt::format("writes to block {} of the cluster, which may not have begun", block); },
                    "wait at a barrier of the cluster first");
  if (holder->hasReturned())
    return a.refuse([&] { return fmt::format("writes to block {} of the cluster, which has returned", block); },
                    "wait at a barrier of the cluster before it returns");
  return touch(a);
}

void reportDifferentValues(Warp &w, const Inst &inst, unsigned lane, std::uint64_t address) {
  w.fault(
      inst, lane,
      [&] {
        return fmt::format("writes another value at {} of shared memory than another thread in the same operation",
                           (address & ~kSharedTagMask) - kSharedBase);
      },
      "copies of an element must be equal");
}

} // namespace tessera::ir::sim
