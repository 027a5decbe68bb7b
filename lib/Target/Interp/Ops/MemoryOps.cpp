//===- MemoryOps.cpp - addptr, load, store ---------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Access.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"
#include "Target/Interp/Ops/Families.h"
#include "Target/Interp/Ops/MemoryLoops.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "fmt/format.h"

namespace tessera::ir::interp {

using namespace mlir;

namespace {

// -- addptr ---------------------------------------------------------------------------------------

template <class T, unsigned size> void addPtrLoop(const Inst &inst, Frame &frame) {
  const std::uint64_t *__restrict p = frame.in<std::uint64_t>(inst, 0);
  const T *__restrict offset = frame.in<T>(inst, 1);
  std::uint64_t *__restrict r = frame.out<std::uint64_t>(inst);
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i)
    r[i] = p[i] + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset[i])) * size;
  if (sizeof(T) < 8 || !frame.checks())
    return;
  // A 64-bit offset may leave the address space; narrower ones cannot get that far from a live buffer and back.
  std::uint64_t bits = 0; // of the magnitudes
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i) {
    const std::int64_t o = offset[i];
    bits |= static_cast<std::uint64_t>(o ^ (o >> 63));
  }
  if (bits < (std::uint64_t(1) << 60))
    return;
  std::uint64_t first = 0, lanes = 0;
  for (std::uint32_t i = inst.n; i-- != 0;) {
    std::int64_t bytes;
    if (__builtin_mul_overflow(static_cast<std::int64_t>(offset[i]), static_cast<std::int64_t>(size), &bytes)) {
      first = i;
      ++lanes;
    }
  }
  if (lanes)
    frame.fault(
        inst, first, lanes,
        [&] { return fmt::format("an offset of {} elements of {} bytes overflows the address", offset[first], size); },
        "index arithmetic must not overflow");
}

LogicalResult lowerAddPtr(Operation &op, Builder &b) {
  auto add = cast<tile::AddPtrOp>(op);
  const Type pointee = cast<tile::PtrType>(getElementTypeOrSelf(add.getPtr().getType())).getPointee();
  const Elem offset = *elemOf(add.getOffset().getType());
  const ExecFn exec = dispatchInt<ExecFn>(offset, [&]<class T>() -> ExecFn {
    if constexpr (std::is_same_v<T, Bool>)
      return nullptr;
    else
      switch (bytesOf(*elemOf(pointee))) {
      case 1:
        return addPtrLoop<T, 1>;
      case 2:
        return addPtrLoop<T, 2>;
      case 4:
        return addPtrLoop<T, 4>;
      default:
        return addPtrLoop<T, 8>;
      }
  });
  if (!exec)
    return b.refuse(op, "does not take an offset of i1");
  b.emit(op, exec);
  return success();
}

// -- load and store -------------------------------------------------------------------------------

/// Operands: pointers, then mask and other or value, as far as they are there.
struct AccessPayload : MemoryPayload {
  bool hasMask = false, hasOther = false;
};

template <class W, bool isBool> void loadLoop(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<AccessPayload>();
  const Lanes lanes{frame.in<std::uint64_t>(inst, 0), p.hasMask ? frame.in<Bool>(inst, 1) : nullptr, inst.n};
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Read);
  readLanes<W, isBool>(lanes, admitted, p.hasOther ? frame.in<W>(inst, 2) : nullptr, frame.out<W>(inst));
}

template <class W> void storeLoop(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<AccessPayload>();
  const Lanes lanes{frame.in<std::uint64_t>(inst, 0), p.hasMask ? frame.in<Bool>(inst, 2) : nullptr, inst.n};
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Write);
  writeLanes(lanes, admitted, frame.in<W>(inst, 1));
}

LogicalResult lowerLoad(Operation &op, Builder &b) {
  auto load = cast<tile::LoadOp>(op);
  const Elem e = *elemOf(load.getResult().getType());
  auto payload = std::make_unique<AccessPayload>();
  payload->memory = b.memorySite(op, load.getPtr(), e, false);
  SmallVector<Slot, 4> in{b.in(load.getPtr())};
  if (load.getMask()) {
    payload->hasMask = true;
    in.push_back(b.in(load.getMask()));
    if (load.getOther()) {
      payload->hasOther = true;
      in.push_back(b.in(load.getOther()));
    }
  }
  const ExecFn exec = e == Elem::I1 ? loadLoop<std::uint8_t, true>
                                    : dispatchWidth<ExecFn>(e, []<class W>() -> ExecFn { return loadLoop<W, false>; });
  b.emit(op, exec, in, b.out(load.getResult())).extra = std::move(payload);
  return success();
}

LogicalResult lowerStore(Operation &op, Builder &b) {
  auto store = cast<tile::StoreOp>(op);
  const Elem e = *elemOf(store.getValue().getType());
  auto payload = std::make_unique<AccessPayload>();
  payload->memory = b.memorySite(op, store.getPtr(), e, true, false, store.getValue());
  SmallVector<Slot, 4> in{b.in(store.getPtr()), b.in(store.getValue())};
  if (store.getMask()) {
    payload->hasMask = true;
    in.push_back(b.in(store.getMask()));
  }
  b.emit(op, dispatchWidth<ExecFn>(e, []<class W>() -> ExecFn { return storeLoop<W>; }), in, {}).extra =
      std::move(payload);
  return success();
}

} // namespace

void registerMemoryOps(OpTable &table) {
  table.add<tile::AddPtrOp>(lowerAddPtr);
  table.add<tile::LoadOp>(lowerLoad);
  table.add<tile::StoreOp>(lowerStore);
}

} // namespace tessera::ir::interp
