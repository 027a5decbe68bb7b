//===- Buffers.cpp - tiles in shared memory -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A buffer is the pointer to its first element. The map from a thread's registers to offsets is linear, as layouts are:
// what the thread contributes is computed once, and registers whose bits are apart from it differ by constants.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/AtomicElement.h"
#include "Conversion/LayoutToLLVM/Emit/Copies.h"
#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"

#include "Layout/FlatIndex.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include <algorithm>

namespace tessera::ir::gpu {

using layout::BufferType;
using ::tessera::layout::Dim;
using ::tessera::layout::SharedLayout;

namespace {

/// Elements of a buffer by a linear map from the flat indices of a tile to offsets in elements.
class BufferPlaces {
public:
  using Map = function_ref<std::uint32_t(std::uint32_t)>;

  BufferPlaces(Emitter &e, const TileLayout &layout, Type element, Value start, Map map)
      : e(e), layout(layout), element(element), start(start) {
    for (const std::uint32_t base : layout.bases(Dim::Register))
      registers.push_back(map(base));
    for (const auto &[dim, bases] : {std::pair(Dim::Lane, &lanes), std::pair(Dim::Warp, &warps)})
      for (const std::uint32_t base : layout.bases(dim)) {
        bases->push_back(map(base));
        threadMask |= bases->back();
      }
  }

  /// Of registers that hold neighbours, so many together as one access moves; the last of which moves one alone is
  /// {{0}, {1}, …}. Copies are left out.
  SmallVector<SmallVector<unsigned>> runs() const {
    SmallVector<unsigned> steps; // register bits that count up in the buffer
    const auto next = [&]() -> const std::uint32_t * {
      const std::uint32_t bit = std::uint32_t{1} << steps.size();
      const std::uint32_t *step = nullptr;
      for (const std::uint32_t &offset : registers)
        if (offset & bit) {
          if (step || offset != bit)
            return nullptr;
          step = &offset;
        }
      return threadMask & bit ? nullptr : step;
    };
    while (storedBytes(element) << steps.size() < kMostBytes)
      if (const std::uint32_t *step = next())
        steps.push_back(1U << (step - registers.begin()));
      else
        break;
    SmallVector<SmallVector<unsigned>> result;
    for (unsigned first = 0; first != layout.size(Dim::Register); ++first) {
      if (Emitter::isCopy(layout, first) || llvm::any_of(steps, [&](unsigned step) { return first & step; }))
        continue;
      SmallVector<unsigned> &run = result.emplace_back(SmallVector<unsigned>{first});
      for (const unsigned step : steps)
        for (size_t i = 0, n = run.size(); i != n; ++i)
          run.push_back(run[i] + step);
    }
    return result;
  }

  Value pointer(unsigned reg) {
    const std::uint32_t own = ::tessera::layout::combined(registers, reg);
    return e.bytePointer(threadPointer(own & threadMask), std::int64_t{own & ~threadMask} * storedBytes(element));
  }

  /// The offset in elements, i32.
  Value offset(unsigned reg) { return e.bitXor(threadOffset(), e.i32(::tessera::layout::combined(registers, reg))); }

private:
  static constexpr unsigned kMostBytes = 16;

  Value threadPointer(std::uint32_t mixed) {
    for (const auto &[bits, pointer] : pointers)
      if (bits == mixed)
        return pointer;
    const Value offset =
        atStart(e, [&] { return e.mul(e.bitXor(threadOffset(), e.i32(mixed)), e.i32(storedBytes(element))); });
    pointers.emplace_back(mixed, e.bytePointer(start, offset));
    return pointers.back().second;
  }

  /// What the thread contributes.
  Value threadOffset() {
    if (!thread)
      thread = atStart(e, [&] {
        const bool hasWarps = llvm::any_of(warps, [](std::uint32_t base) { return base != 0; });
        const Value ofLane = e.linearMap(lanes, e.laneId());
        return hasWarps ? e.bitXor(ofLane, e.linearMap(warps, e.warpId())) : ofLane;
      });
    return thread;
  }

  Emitter &e;
  const TileLayout &layout;
  Type element;
  Value start, thread;
  SmallVector<std::uint32_t> registers, lanes, warps; ///< what each bit contributes
  std::uint32_t threadMask = 0;
  SmallVector<std::pair<std::uint32_t, Value>> pointers; ///< of the thread, by the bits xor-ed into its contribution
};

const SharedLayout &orderOf(Value buffer) { return cast<BufferType>(buffer.getType()).getLayout().getLayout(); }
Type elementOf(Value buffer) { return cast<BufferType>(buffer.getType()).getElement(); }

//===----------------------------------------------------------------------===//
// Buffers and parts of them
//===----------------------------------------------------------------------===//

void emitAlloc(Operation &op, Emitter &e) {
  auto alloc = cast<layout::SharedAllocOp>(op);
  if (!alloc.getOffset())
    e.refuse(op, "has no place in shared memory");
  e.setScalar(alloc.getResult(), e.sharedPointer(static_cast<std::int64_t>(alloc.getOffset().value_or(0))));
}

void emitSlot(Operation &op, Emitter &e) {
  auto slot = cast<layout::SharedSlotOp>(op);
  const auto bytes = cast<BufferType>(slot.getRing().getType()).bytesOfSlot();
  Value index = e.scalar(slot.getIndex());
  if (index.getType().isInteger(64))
    index = e.math().truncate(index, 32);
  e.setScalar(slot.getResult(), e.bytePointer(e.scalar(slot.getRing()), e.mul(index, e.i32(bytes))));
}

void emitSubview(Operation &op, Emitter &e) {
  auto view = cast<layout::SharedSubviewOp>(op);
  const std::int64_t bytes = view.elementOffset() * storedBytes(elementOf(view.getBuffer()));
  e.setScalar(view.getResult(), e.bytePointer(e.scalar(view.getBuffer()), bytes));
}

//===----------------------------------------------------------------------===//
// Whole tiles
//===----------------------------------------------------------------------===//

void emitSharedStore(Operation &op, Emitter &e) {
  auto store = cast<layout::SharedStoreOp>(op);
  const SharedLayout &order = orderOf(store.getBuffer());
  const TileLayout &layout = e.layoutOf(store.getValue());
  const Type element = elementOf(store.getBuffer());
  BufferPlaces places(e, layout, element, e.scalar(store.getBuffer()),
                      [&](std::uint32_t flat) { return order.offset(flat); });
  const SmallVector<Value> registers = e.registers(store.getValue());
  const Value owner = e.isOwner(layout);
  for (const SmallVector<unsigned> &run : places.runs()) {
    SmallVector<Value> values;
    for (const unsigned reg : run)
      values.push_back(registers[reg]);
    e.storeShared(element, values, places.pointer(run[0]), owner);
  }
}

void emitSharedLoad(Operation &op, Emitter &e) {
  auto load = cast<layout::SharedLoadOp>(op);
  const SharedLayout &order = orderOf(load.getBuffer());
  const TileLayout &layout = e.layoutOf(load.getResult());
  const Type element = elementOf(load.getBuffer());
  BufferPlaces places(e, layout, element, e.scalar(load.getBuffer()),
                      [&](std::uint32_t flat) { return order.offset(flat); });
  SmallVector<Value> registers(layout.size(Dim::Register));
  for (const SmallVector<unsigned> &run : places.runs()) {
    const auto count = static_cast<unsigned>(run.size());
    for (auto [reg, value] : llvm::zip_equal(run, e.loadShared(element, count, places.pointer(run[0]))))
      registers[reg] = value;
  }
  fillCopies(layout, registers);
  e.setRegisters(load.getResult(), registers);
}

void emitSharedFill(Operation &op, Emitter &e) {
  auto fill = cast<layout::SharedFillOp>(op);
  const auto type = cast<BufferType>(fill.getBuffer().getType());
  const Type element = type.getElement();
  const std::int64_t elements = type.bytesOfSlot() / storedBytes(element),
                     threads = std::int64_t{e.warpSize()} * e.numWarps();
  std::int64_t run = 16 / storedBytes(element); // of neighbours that a thread writes at once
  while (run > 1 && run * threads > elements)
    run /= 2;
  const std::int64_t bytes = run * storedBytes(element), turns = std::max<std::int64_t>(1, elements / (run * threads));
  const SmallVector<Value> values(static_cast<size_t>(run), e.scalar(fill.getValue()));
  const Value thread = e.threadInProgram();
  const Value first = e.bytePointer(e.scalar(fill.getBuffer()), e.mul(thread, e.i32(bytes)));
  const Value mask = run * threads > elements ? e.math().ltU(thread, e.i32(elements)) : Value();
  for (std::int64_t turn = 0; turn != turns; ++turn)
    e.storeShared(element, values, e.bytePointer(first, turn * threads * bytes), mask);
}

//===----------------------------------------------------------------------===//
// Elements at run-time indices
//===----------------------------------------------------------------------===//

/// Elements of a buffer where the coordinate on one axis comes from a tile of indices.
class IndexedPlaces {
public:
  IndexedPlaces(Emitter &e, Value buffer, Value index, unsigned axis)
      : e(e), element(elementOf(buffer)), start(e.scalar(buffer)), indices(e.registers(index)),
        extent(orderOf(buffer).shape()[axis]), places(e, e.layoutOf(index), element, start, [&](std::uint32_t flat) {
          return offsetBeside(orderOf(buffer), e.layoutOf(index), axis, flat);
        }) {
    const SharedLayout &order = orderOf(buffer);
    const int shift = ::tessera::layout::axisShiftOf(order.shape(), static_cast<int>(axis));
    for (std::int64_t bit = 1; bit < extent; bit *= 2)
      bases.push_back(order.offset(static_cast<std::uint32_t>(bit) << shift));
  }

  /// Whether the index is one of the axis, an i1.
  Value inside(unsigned reg) const {
    const Value index = indices[reg];
    const unsigned bits = MathBuilder::bitsOf(index);
    // The extent may be more than fits an index of few bits.
    if (bits < 32)
      return e.math().ltU(e.math().signExtend(index, 32), e.i32(extent));
    return e.math().ltU(index, e.integer(bits, extent));
  }

  /// Only to be used where inside() holds.
  Value pointer(unsigned reg) {
    const Value index = indices[reg];
    const unsigned bits = MathBuilder::bitsOf(index);
    const Value word = bits < 32 ? e.math().zeroExtend(index, 32) : e.math().truncate(index, 32);
    const Value offset = e.bitXor(places.offset(reg), e.linearMap(bases, word));
    return e.bytePointer(start, e.mul(offset, e.i32(storedBytes(element))));
  }

private:
  /// The offset that an element of the index tile with the flat index \p flat has by its coordinates on the other axes.
  static std::uint32_t offsetBeside(const SharedLayout &order, const TileLayout &layout, unsigned axis,
                                    std::uint32_t flat) {
    std::uint32_t there = 0;
    for (int other = 0; other != layout.rank(); ++other)
      if (other != static_cast<int>(axis))
        there |= static_cast<std::uint32_t>(layout.coordinate(flat, other))
                 << ::tessera::layout::axisShiftOf(order.shape(), other);
    return order.offset(there);
  }

  Emitter &e;
  const Type element;
  const Value start;
  const SmallVector<Value> indices;
  const std::int64_t extent;
  BufferPlaces places;
  SmallVector<std::uint32_t> bases; ///< what each bit of an index contributes to the offset
};

void emitSharedGather(Operation &op, Emitter &e) {
  auto gather = cast<layout::SharedGatherOp>(op);
  const TileLayout &layout = e.layoutOf(gather.getIndex());
  IndexedPlaces places(e, gather.getBuffer(), gather.getIndex(), gather.getAxis());
  const Type element = elementOf(gather.getBuffer());
  SmallVector<Value> registers(layout.size(Dim::Register));
  for (unsigned reg = 0; reg != registers.size(); ++reg)
    if (!Emitter::isCopy(layout, reg))
      registers[reg] = e.loadShared(element, 1, places.pointer(reg), places.inside(reg))[0];
  fillCopies(layout, registers);
  e.setRegisters(gather.getResult(), registers);
}

void emitSharedScatter(Operation &op, Emitter &e) {
  auto scatter = cast<layout::SharedScatterOp>(op);
  const TileLayout &layout = e.layoutOf(scatter.getIndex());
  IndexedPlaces places(e, scatter.getBuffer(), scatter.getIndex(), scatter.getAxis());
  const SmallVector<Value> values = e.registers(scatter.getValue());
  const Value owner = e.isOwner(layout);
  for (unsigned reg = 0; reg != values.size(); ++reg)
    if (!Emitter::isCopy(layout, reg))
      e.storeShared(elementOf(scatter.getBuffer()), {values[reg]}, places.pointer(reg),
                    e.both(owner, places.inside(reg)));
}

void emitSharedAtomicAdd(Operation &op, Emitter &e) {
  auto add = cast<layout::SharedAtomicAddOp>(op);
  const TileLayout &layout = e.layoutOf(add.getIndex());
  IndexedPlaces places(e, add.getBuffer(), add.getIndex(), 0);
  AtomicAccess access;
  access.element = elementOf(add.getBuffer());
  access.scope = tile::MemoryScope::Block;
  access.kind = isa<FloatType>(access.element) ? tile::AtomicKind::FAdd : tile::AtomicKind::Add;
  const SmallVector<Value> values = e.registers(add.getValue());
  const Value owner = e.isOwner(layout);
  for (unsigned reg = 0; reg != values.size(); ++reg)
    if (!Emitter::isCopy(layout, reg))
      emitAtomicElement(e, access, places.pointer(reg), values[reg], e.both(owner, places.inside(reg)));
}

} // namespace

void registerBufferOps(OpTable &table) {
  table.add<layout::SharedAllocOp>(emitAlloc);
  table.add<layout::SharedFreeOp>([](Operation &, Emitter &) {});
  table.add<layout::SharedSlotOp>(emitSlot);
  table.add<layout::SharedSubviewOp>(emitSubview);
  table.add<layout::SharedStoreOp>(emitSharedStore);
  table.add<layout::SharedLoadOp>(emitSharedLoad);
  table.add<layout::SharedFillOp>(emitSharedFill);
  table.add<layout::SharedGatherOp>(emitSharedGather);
  table.add<layout::SharedScatterOp>(emitSharedScatter);
  table.add<layout::SharedAtomicAddOp>(emitSharedAtomicAdd);
  table.add<layout::BarrierOp>([](Operation &, Emitter &e) { e.barrier(); });
  table.add<layout::WarpSyncOp>([](Operation &, Emitter &e) { e.border().warpSync(); });
}

} // namespace tessera::ir::gpu
