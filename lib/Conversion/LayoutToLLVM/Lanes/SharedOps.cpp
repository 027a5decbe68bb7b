//===- SharedOps.cpp - buffers in shared memory, and barriers ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Accesses are as wide as layouts of tile and buffer allow. An element with copies is written by one of its holders and
// read by all. Warps that hold a tile as results of matrix units store it as small matrices where the chip can.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Conversion/LayoutToLLVM/Lanes/Buffer.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Layout/Access.h"
#include "Layout/MatrixLoad.h"

namespace tessera::ir::gpu {

using ::tessera::layout::accessGroups;
using ::tessera::layout::axisShiftOf;
using ::tessera::layout::Dim;
using ::tessera::layout::kDims;
using ::tessera::layout::log2Of;
using ::tessera::layout::MatrixAccess;
using ::tessera::layout::matrixAccess;
using ::tessera::layout::OwnerMasks;
using ::tessera::layout::Service;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;
using ::tessera::layout::widestAccess;

namespace {

layout::BufferType typeOf(Value buffer) { return cast<layout::BufferType>(buffer.getType()); }
const SharedLayout &sharedLayoutOf(Value buffer) { return typeOf(buffer).getLayout().getLayout(); }

//===----------------------------------------------------------------------===//
// Lifetime and parts
//===----------------------------------------------------------------------===//

void emitAlloc(Operation &op, Emitter &e) {
  auto alloc = cast<layout::SharedAllocOp>(op);
  const std::optional<std::uint64_t> offset = alloc.getOffset();
  if (!offset)
    e.refuse(op, "has no place in shared memory; -layout-allocate-shared gives it one");
  e.setScalar(alloc.getResult(), e.i32(static_cast<std::int64_t>(offset.value_or(0))));
}

void emitNothing(Operation &, Emitter &) {}

void emitSlot(Operation &op, Emitter &e) {
  auto slot = cast<layout::SharedSlotOp>(op);
  Value index = e.scalar(slot.getIndex());
  if (index.getType().isInteger(64))
    index = e.math().truncate(index, 32);
  const Value bytes = e.i32(typeOf(slot.getRing()).bytesOfSlot());
  e.setScalar(slot.getResult(), e.add(e.scalar(slot.getRing()), e.mul(index, bytes)));
}

void emitSubview(Operation &op, Emitter &e) {
  auto view = cast<layout::SharedSubviewOp>(op);
  const std::int64_t bytes = view.elementOffset() * typeOf(view.getBuffer()).bytesOfElement();
  e.setScalar(view.getResult(), e.add(e.scalar(view.getBuffer()), e.i32(bytes)));
}

void emitTrans(Operation &op, Emitter &e) {
  auto trans = cast<layout::SharedTransOp>(op);
  e.setScalar(trans.getResult(), e.scalar(trans.getBuffer()));
}

void emitReshape(Operation &op, Emitter &e) {
  auto reshape = cast<layout::SharedReshapeOp>(op);
  e.setScalar(reshape.getResult(), e.scalar(reshape.getBuffer()));
}

//===----------------------------------------------------------------------===//
// Whole tiles
//===----------------------------------------------------------------------===//

/// The accesses between registers under a layout and a buffer.
struct Accesses {
  Places places;
  std::uint32_t width;
  std::vector<std::uint32_t> registers; ///< in groups of `width`

  Accesses(Emitter &e, Value buffer, const TileLayout &layout, const Service &service)
      : places(e, e.scalar(buffer), typeOf(buffer).getElement(), offsetColumns(layout, sharedLayoutOf(buffer))),
        width(widestAccess(layout, sharedLayoutOf(buffer), static_cast<int>(typeOf(buffer).bytesOfElement()),
                           static_cast<int>(e.hooks().sharedAccessBytes()))),
        registers(accessGroups(layout, sharedLayoutOf(buffer), width)) {
    e.notes().shared(static_cast<std::int64_t>(registers.size() / width),
                     bankConflicts(layout, sharedLayoutOf(buffer), width,
                                   static_cast<int>(typeOf(buffer).bytesOfElement()), service));
  }
};

/// How a warp stores \p value as matrices, where that takes less than the widest accesses.
std::optional<MatrixAccess> matrixStore(Emitter &e, Value buffer, const TileLayout &layout) {
  const OwnerMasks owners = ownersOf(layout);
  if (!e.hooks().storesMatrices() || owners.lanes != 0 || owners.warps != 0 || owners.blocks != 0)
    return std::nullopt;
  const SharedLayout &shared = sharedLayoutOf(buffer);
  const auto bytes = static_cast<int>(typeOf(buffer).bytesOfElement());
  const std::optional<MatrixAccess> access = matrixAccess(offsetColumns(layout, shared), bytes);
  if (!access)
    return std::nullopt;
  const std::uint32_t width = widestAccess(layout, shared, bytes, static_cast<int>(e.hooks().sharedAccessBytes()));
  const std::int64_t accesses = static_cast<std::int64_t>(access->registers.size() / access->accessElements());
  if (accesses * (bankConflicts(*access, bytes).actual + 1) >= accessCost(layout, shared, width, bytes))
    return std::nullopt;
  return access;
}

void storeMatrices(Emitter &e, Value buffer, const MatrixAccess &access, ArrayRef<Value> values) {
  const Type element = typeOf(buffer).getElement();
  Places places(e, e.scalar(buffer), element, access.rows);
  e.notes().shared(static_cast<std::int64_t>(access.registers.size() / access.accessElements()),
                   bankConflicts(access, static_cast<int>(typeOf(buffer).bytesOfElement())));
  for (ArrayRef<std::uint32_t> rest(access.registers); !rest.empty(); rest = rest.drop_front(access.accessElements())) {
    SmallVector<Value> words;
    for (std::uint32_t first = 0; first != access.accessElements(); first += access.wordElements) {
      SmallVector<Value> word;
      for (const std::uint32_t reg : rest.slice(first, access.wordElements))
        word.push_back(values[reg]);
      words.push_back(pack(e, element, word));
    }
    e.hooks().storeMatrices(e, places.pointer(rest.front()), words, access.isTransposed);
  }
}

void emitStore(Operation &op, Emitter &e) {
  auto store = cast<layout::SharedStoreOp>(op);
  const TileLayout &layout = e.layoutOf(store.getValue());
  const SmallVector<Value> values = e.registers(store.getValue());
  const bool ofCluster = store.getCluster();
  if (const std::optional<MatrixAccess> access = matrixStore(e, store.getBuffer(), layout); access && !ofCluster)
    return storeMatrices(e, store.getBuffer(), *access, values);
  Accesses accesses(e, store.getBuffer(), layout, {});
  const Value owner = ofCluster ? e.isOwner(layout) : e.isOwnerInBlock(layout);
  for (ArrayRef<std::uint32_t> rest(accesses.registers); !rest.empty(); rest = rest.drop_front(accesses.width)) {
    SmallVector<Value> group;
    for (const std::uint32_t reg : rest.take_front(accesses.width))
      group.push_back(values[reg]);
    const Type element = typeOf(store.getBuffer()).getElement();
    const Value place = accesses.places.pointer(rest.front());
    if (ofCluster)
      e.storeInCluster(element, group, place, owner);
    else
      e.storeShared(element, group, place, owner);
  }
}

void emitLoad(Operation &op, Emitter &e) {
  auto load = cast<layout::SharedLoadOp>(op);
  const TileLayout &layout = e.layoutOf(load.getResult());
  Accesses accesses(e, load.getBuffer(), layout, {.loads = true, .banks = e.chip().sharedBanks});
  SmallVector<Value> values(layout.size(Dim::Register));
  for (ArrayRef<std::uint32_t> rest(accesses.registers); !rest.empty(); rest = rest.drop_front(accesses.width)) {
    const SmallVector<Value> group =
        e.loadShared(typeOf(load.getBuffer()).getElement(), accesses.width, accesses.places.pointer(rest.front()));
    for (auto [reg, value] : llvm::zip_equal(rest.take_front(accesses.width), group))
      values[reg] = value;
  }
  for (auto [reg, first] : llvm::enumerate(firstRegisters(layout)))
    values[reg] = values[first];
  e.setRegisters(load.getResult(), values);
}

void emitFill(Operation &op, Emitter &e) {
  auto fill = cast<layout::SharedFillOp>(op);
  const layout::BufferType type = typeOf(fill.getBuffer());
  const std::int64_t bytes = type.bytesOfElement(), elements = type.bytesOfSlot() / bytes;
  const std::int64_t width = std::min<std::int64_t>(elements, e.hooks().sharedAccessBytes() / bytes);
  const std::int64_t threads = std::int64_t(e.warpSize()) * e.numWarps(), accesses = elements / width;
  const SmallVector<Value> values(static_cast<size_t>(width), e.scalar(fill.getValue()));
  const Value start =
      e.sharedPointer(e.add(e.scalar(fill.getBuffer()), e.mul(e.threadInProgram(), e.i32(width * bytes))));
  const Value mask = accesses < threads ? e.math().ltU(e.threadInProgram(), e.i32(accesses)) : Value();
  for (std::int64_t first = 0; first < accesses; first += threads)
    e.storeShared(type.getElement(), values, e.bytePointer(start, first * width * bytes), mask);
}

//===----------------------------------------------------------------------===//
// At run-time indices
//===----------------------------------------------------------------------===//

/// Elements of a buffer that an index tile chooses along an axis; the other coordinates are those of the index.
class Chosen {
public:
  Chosen(Emitter &e, Value buffer, Value index, int axis)
      : e(e), axis(axis), layout(e.layoutOf(index)), shared(sharedLayoutOf(buffer)), indices(e.registers(index)),
        places(e, e.scalar(buffer), typeOf(buffer).getElement(), columns()) {
    extent = shared.shape()[static_cast<size_t>(axis)];
    const int low = axisShiftOf(shared.shape(), axis);
    for (int bit = 0; bit != log2Of(extent); ++bit)
      along.push_back(shared.offset(std::uint32_t{1} << (low + bit)));
  }

  /// The pointer for register \p reg; the index counts modulo the extent.
  Value pointer(unsigned reg) {
    MathBuilder &m = e.math();
    Value index = indices[reg];
    const unsigned bits = MathBuilder::bitsOf(index);
    if (bits > 32)
      index = m.truncate(index, 32);
    else if (bits < 32)
      index = m.signExtend(index, 32);
    return places.pointer(reg, e.linearMap(along, m.andI(index, e.i32(extent - 1))));
  }
  /// Whether the index of \p reg is on the axis, an i1; null where it always is.
  Value isInside(unsigned reg) {
    MathBuilder &m = e.math();
    const unsigned bits = MathBuilder::bitsOf(indices[reg]);
    if (bits < 32 && (std::int64_t(1) << (bits - 1)) <= extent) // all that are not negative
      return m.cmp(MathBuilder::IntCompare::SGe, indices[reg], m.constI(0, indices[reg]));
    return m.ltU(indices[reg], m.constI(extent, indices[reg]));
  }

private:
  /// The index' layout with its coordinates on other axes as those of the buffer.
  TileLayout::Bases columns() const {
    const int low = axisShiftOf(shared.shape(), axis);
    const std::uint32_t behind = (std::uint32_t{1} << low) - 1;
    const int indexBits = log2Of(layout.shape()[static_cast<size_t>(axis)]);
    const int bufferBits = log2Of(shared.shape()[static_cast<size_t>(axis)]);
    TileLayout::Bases result;
    for (const Dim dim : kDims)
      for (const std::uint32_t base : layout.bases(dim)) {
        const std::uint32_t before = base >> (low + indexBits);
        result[static_cast<size_t>(dim)].push_back(shared.offset((base & behind) | before << (low + bufferBits)));
      }
    return result;
  }

  Emitter &e;
  int axis;
  const TileLayout &layout;
  const SharedLayout &shared;
  SmallVector<Value> indices;
  Places places;
  std::int64_t extent;
  SmallVector<std::uint32_t> along; ///< the offsets of the axis' bits
};

void emitGather(Operation &op, Emitter &e) {
  auto gather = cast<layout::SharedGatherOp>(op);
  const TileLayout &layout = e.layoutOf(gather.getIndex());
  Chosen chosen(e, gather.getBuffer(), gather.getIndex(), static_cast<int>(gather.getAxis()));
  SmallVector<Value> values;
  for (auto [reg, first] : llvm::enumerate(firstRegisters(layout)))
    values.push_back(first < reg ? values[first]
                                 : e.loadShared(typeOf(gather.getBuffer()).getElement(), 1, chosen.pointer(first))[0]);
  e.setRegisters(gather.getResult(), values);
}

void emitScatter(Operation &op, Emitter &e) {
  auto scatter = cast<layout::SharedScatterOp>(op);
  const TileLayout &layout = e.layoutOf(scatter.getIndex());
  const SmallVector<Value> values = e.registers(scatter.getValue());
  Chosen chosen(e, scatter.getBuffer(), scatter.getIndex(), static_cast<int>(scatter.getAxis()));
  const Value owner = e.isOwnerInBlock(layout);
  for (unsigned reg = 0; reg != values.size(); ++reg)
    if (!Emitter::isCopy(layout, reg))
      e.storeShared(typeOf(scatter.getBuffer()).getElement(), values[reg], chosen.pointer(reg),
                    e.both(owner, chosen.isInside(reg)));
}

void emitAtomicAdd(Operation &op, Emitter &e) {
  auto add = cast<layout::SharedAtomicAddOp>(op);
  const TileLayout &layout = e.layoutOf(add.getIndex());
  const SmallVector<Value> values = e.registers(add.getValue());
  const Type element = typeOf(add.getBuffer()).getElement();
  border::Callee callee{.function = border::Function::Atomic,
                        .scope = border::Scope::Block,
                        .order = border::Order::Relaxed,
                        .atomic = border::Atomic::Add,
                        .isShared = true,
                        .type = border::integers(tile::bitsOf(element))};
  if (element.isF32()) {
    callee.atomic = border::Atomic::FAdd;
    callee.type = {.element = border::Element::F32};
  }
  Chosen chosen(e, add.getBuffer(), add.getIndex(), 0);
  const Value owner = e.isOwnerInBlock(layout);
  for (unsigned reg = 0; reg != values.size(); ++reg)
    if (!Emitter::isCopy(layout, reg))
      e.border().atomic(callee, chosen.pointer(reg), values[reg], e.both(owner, chosen.isInside(reg)));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void emitBarrier(Operation &op, Emitter &e) { e.barrier(cast<layout::BarrierOp>(op).getShared()); }
void emitClusterBarrier(Operation &, Emitter &e) { e.border().clusterBarrier(); }
void emitWarpSync(Operation &, Emitter &e) { e.border().warpSync(); }

} // namespace

void registerSharedOps(OpTable &table) {
  table.add<layout::SharedAllocOp>(emitAlloc);
  table.add<layout::SharedFreeOp>(emitNothing);
  table.add<layout::SharedSlotOp>(emitSlot);
  table.add<layout::SharedSubviewOp>(emitSubview);
  table.add<layout::SharedTransOp>(emitTrans);
  table.add<layout::SharedReshapeOp>(emitReshape);
  table.add<layout::SharedStoreOp>(emitStore);
  table.add<layout::SharedLoadOp>(emitLoad);
  table.add<layout::SharedFillOp>(emitFill);
  table.add<layout::SharedGatherOp>(emitGather);
  table.add<layout::SharedScatterOp>(emitScatter);
  table.add<layout::SharedAtomicAddOp>(emitAtomicAdd);
  table.add<layout::BarrierOp>(emitBarrier);
  table.add<layout::ClusterBarrierOp>(emitClusterBarrier);
  table.add<layout::WarpSyncOp>(emitWarpSync);
}

} // namespace tessera::ir::gpu
