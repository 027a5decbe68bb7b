//===- NativeCopies.cpp - copies that go on beside the program -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `cp.async` of each thread, and the copies of boxes (TMA) with the barriers that count their bytes. All of them touch
// memory that LLVM cannot know of, so they keep their order among each other and with loads and stores.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/TensorCopyUnit.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

#include <fmt/format.h>

namespace tessera::ir::gpu {

static Value call(Emitter &e, const std::string &instruction, ValueRange operands, Type result = {}) {
  return e.border().native("nv", instruction, result, operands, {.memory = border::Memory::Any, .isConvergent = true});
}

//===----------------------------------------------------------------------===//
// Copies by threads
//===----------------------------------------------------------------------===//

void NvidiaHooks::asyncCopy(Emitter &e, Value to, Value from, unsigned bytes, Value mask) const {
  if (!chip().has(arch::Feature::AsyncCopy))
    return GpuHooks::asyncCopy(e, to, from, bytes, mask);
  // What passes by L1 is whole: 16 bytes.
  SmallVector<Value> operands{to, from, e.i32(bytes)};
  if (mask)
    operands.push_back(e.math().select(mask, e.i32(bytes), e.i32(0)));
  call(e, bytes == 16 ? "cp.async.cg.shared.global" : "cp.async.ca.shared.global", operands);
}

void NvidiaHooks::asyncCommit(Emitter &e) const {
  if (chip().has(arch::Feature::AsyncCopy))
    call(e, "cp.async.commit_group", {});
}

void NvidiaHooks::asyncWait(Emitter &e, unsigned pending, unsigned) const {
  if (chip().has(arch::Feature::AsyncCopy))
    call(e, "cp.async.wait_group", e.i32(pending));
}

//===----------------------------------------------------------------------===//
// Copies of boxes
//===----------------------------------------------------------------------===//

namespace {

/// What keeps data in L2 or lets it go, as the operand of an access; nothing for what is done anyway.
std::optional<std::int64_t> cachePolicyOf(tile::EvictHint evict) {
  switch (evict) {
  case tile::EvictHint::First:
    return 0x12F0000000000000;
  case tile::EvictHint::Last:
    return 0x14F0000000000000;
  default:
    return std::nullopt;
  }
}

class Tma final : public TensorCopyUnit {
public:
  void load(Emitter &e, Value to, Value map, ValueRange coords, Value barrier, tile::EvictHint evict) const override {
    SmallVector<Value> operands{to, map};
    llvm::append_range(operands, coords);
    operands.push_back(barrier);
    copy(e, coords.size(), "shared::cluster.global.mbarrier::complete_tx::bytes", operands, evict);
  }
  void store(Emitter &e, Value map, ValueRange coords, Value from, tile::EvictHint evict) const override {
    SmallVector<Value> operands{map};
    llvm::append_range(operands, coords);
    operands.push_back(from);
    copy(e, coords.size(), "global.shared::cta.bulk_group", operands, evict);
  }
  void commit(Emitter &e) const override { call(e, "cp.async.bulk.commit_group", {}); }
  void wait(Emitter &e, unsigned pending, bool read) const override {
    call(e, read ? "cp.async.bulk.wait_group.read" : "cp.async.bulk.wait_group", e.i32(pending));
  }
  void prefetch(Emitter &e, Value map) const override { call(e, "prefetch.tensormap", map); }
  void fence(Emitter &e, layout::FenceSpace space) const override {
    switch (space) {
    case layout::FenceSpace::All:
      call(e, "fence.proxy.async", {});
      return;
    case layout::FenceSpace::Shared:
      call(e, "fence.proxy.async.shared::cta", {});
      return;
    case layout::FenceSpace::Global:
      call(e, "fence.proxy.async.global", {});
      return;
    }
  }

  void makeBarrier(Emitter &e, Value barrier, unsigned count) const override {
    call(e, "mbarrier.init.shared.b64", {barrier, e.i32(count)});
  }
  void publishBarriers(Emitter &e) const override { call(e, "fence.mbarrier_init.release.cluster", {}); }
  void arrive(Emitter &e, Value barrier) const override {
    call(e, "mbarrier.arrive.shared.b64", barrier, e.builder().getI64Type());
  }
  void expect(Emitter &e, Value barrier, unsigned bytes) const override {
    call(e, "mbarrier.arrive.expect_tx.shared.b64", {barrier, e.i32(bytes)}, e.builder().getI64Type());
  }
  Value tryWait(Emitter &e, Value barrier, Value parity) const override {
    return call(e, "mbarrier.try_wait.parity.shared.b64", {barrier, parity}, e.builder().getI1Type());
  }

private:
  static void copy(Emitter &e, size_t rank, const char *form, SmallVectorImpl<Value> &operands, tile::EvictHint evict) {
    const std::optional<std::int64_t> policy = cachePolicyOf(evict);
    if (policy)
      operands.push_back(e.i64(*policy));
    call(e, fmt::format("cp.async.bulk.tensor.{}d.{}{}", rank, form, policy ? ".L2::cache_hint" : ""), operands);
  }
};

} // namespace

const TensorCopyUnit *NvidiaHooks::tensorCopyUnit() const {
  static const Tma unit;
  return chip().has(arch::Feature::TensorMemoryAccess) ? &unit : nullptr;
}

} // namespace tessera::ir::gpu
