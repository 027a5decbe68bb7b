//===- Memory.cpp - loads and stores of global memory ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Neighbouring registers that are neighbours in memory move together. All loads of a tile are issued before anything
// is made of them. Of copies one is loaded in each thread, and one thread stores.
//
// Nothing here tells LLVM that memory is constant or that arguments are disjoint: program order of the accesses to one
// argument holds (SEMANTICS M3).
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Access.h"
#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Emit/Copies.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::gpu {

namespace LLVM = mlir::LLVM;
using ::tessera::layout::Dim;

namespace {

/// What loads and stores have in common.
struct AccessOp {
  Value mask, other, value; ///< other: a tile, or the scalar for all; value: that a store writes
  border::Hints hints;
  bool isVolatile = false;
};

template <typename Op> border::Hints hintsOf(Op op) {
  return {static_cast<unsigned>(op.getCache()), static_cast<unsigned>(op.getEvict())};
}

AccessOp partsOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, AccessOp>(&op)
      .Case([](tile::LoadOp o) { return AccessOp{o.getMask(), o.getOther(), {}, hintsOf(o), o.getReload()}; })
      .Case([](tile::StoreOp o) { return AccessOp{o.getMask(), {}, o.getValue(), hintsOf(o)}; })
      .Case<tile::ViewLoadOp, tile::ViewLoadRowsOp>(
          [](auto o) { return AccessOp{{}, o.getPad(), {}, hintsOf(o), o.getReload()}; })
      .Case<tile::ViewStoreOp, tile::ViewStoreRowsOp>(
          [](auto o) { return AccessOp{{}, {}, o.getValue(), hintsOf(o)}; });
}

/// Splits what a thread accesses into runs of registers that move together.
class Runs {
public:
  Runs(Emitter &e, Operation &op, Type element, const TileLayout &layout)
      : layout(layout),
        width(std::min(vectorOf(op, layout), std::max(1U, e.hooks().accessBytes() / storedBytes(element)))) {}

  unsigned size() const { return width; }
  /// Keeps for the report how wide they are.
  void note(Emitter &e, Operation &op, StringRef kind, Type element) const {
    const std::int64_t bytes = storedBytes(element), held = bytes * static_cast<std::int64_t>(firsts().size()) * width;
    e.notes().access(op, kind, bytes * width, std::min<std::int64_t>(held, e.hooks().accessBytes()));
  }
  /// The first registers of the runs that are no copies of others.
  SmallVector<unsigned> firsts() const {
    SmallVector<unsigned> result;
    for (unsigned reg = 0; reg != layout.size(Dim::Register); reg += width)
      if (!Emitter::isCopy(layout, reg))
        result.push_back(reg);
    return result;
  }

private:
  const TileLayout &layout;
  unsigned width;
};

/// \p other makes what is loaded where \p mask is false.
Value loadRun(Emitter &e, border::AccessType type, Value pointer, Value mask, function_ref<Value()> other,
              const AccessOp &access) {
  if (!mask && access.hints == border::Hints())
    return LLVM::LoadOp::create(e.builder(), e.loc(), e.border().typeOf(type), pointer, type.bytes(),
                                access.isVolatile);
  return e.border().load(type, pointer, mask ? mask : e.integer(1, 1), other(), access.hints, access.isVolatile);
}

void storeRun(Emitter &e, border::AccessType type, Value pointer, Value value, Value mask, border::Hints hints) {
  if (!mask && hints == border::Hints())
    LLVM::StoreOp::create(e.builder(), e.loc(), value, pointer, type.bytes());
  else
    e.border().store(type, pointer, value, mask ? mask : e.integer(1, 1), hints);
}

void emitLoad(Operation &op, Emitter &e) {
  const AccessOp access = partsOf(op);
  const Value result = op.getResult(0);
  const TileLayout &layout = e.layoutOf(result);
  const Type element = tile::elementOf(result.getType());
  const Runs runs(e, op, element, layout);
  runs.note(e, op, "load", element);
  const border::AccessType type = accessTypeOf(element, runs.size());
  const std::unique_ptr<Addresses> addresses = addressesOf(e, op, layout);
  Masks masks(e, op, access.mask, layout);
  SmallVector<Value> others;
  if (access.other)
    others = e.registers(access.other);

  const SmallVector<unsigned> firsts = runs.firsts();
  SmallVector<Value> loaded;
  for (const unsigned first : firsts) {
    const Value mask = e.both(masks.at(first), addresses->inside(first));
    loaded.push_back(loadRun(
        e, type, addresses->pointer(first), mask,
        [&]() -> Value {
          if (others.empty())
            return e.zero(e.border().typeOf(type));
          if (others.size() == 1)
            return pack(e, element, SmallVector<Value>(runs.size(), others[0]));
          return pack(e, element, ArrayRef(others).slice(first, runs.size()));
        },
        access));
  }
  SmallVector<Value> registers(layout.size(Dim::Register));
  for (auto [first, packed] : llvm::zip_equal(firsts, loaded))
    llvm::copy(unpack(e, element, runs.size(), packed), registers.begin() + first);
  fillCopies(layout, registers);
  if (isa<RankedTensorType>(result.getType()))
    e.setRegisters(result, registers);
  else
    e.setScalar(result, registers[0]);
}

void emitStore(Operation &op, Emitter &e) {
  const AccessOp access = partsOf(op);
  const TileLayout &layout = e.layoutOf(access.value);
  const Type element = tile::elementOf(access.value.getType());
  const Runs runs(e, op, element, layout);
  runs.note(e, op, "store", element);
  const border::AccessType type = accessTypeOf(element, runs.size());
  const std::unique_ptr<Addresses> addresses = addressesOf(e, op, layout);
  Masks masks(e, op, access.mask, layout);
  const SmallVector<Value> values = e.registers(access.value);
  const Value owner = e.isOwner(layout);
  for (const unsigned first : runs.firsts()) {
    const Value mask = e.both(owner, e.both(masks.at(first), addresses->inside(first)));
    const Value packed = pack(e, element, ArrayRef(values).slice(first, runs.size()));
    storeRun(e, type, addresses->pointer(first), packed, mask, access.hints);
  }
}

} // namespace

void registerMemoryOps(OpTable &table) {
  table.add<tile::LoadOp>(emitLoad);
  table.add<tile::StoreOp>(emitStore);
  table.add<tile::ViewLoadOp>(emitLoad);
  table.add<tile::ViewStoreOp>(emitStore);
  table.add<tile::ViewLoadRowsOp>(emitLoad);
  table.add<tile::ViewStoreRowsOp>(emitStore);
}

} // namespace tessera::ir::gpu
