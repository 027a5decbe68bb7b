//===- Atomics.cpp - atomic access ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One thread acts for each element. What the chip has no instruction for is a loop of compare-and-swaps on the
// element's bits, or on the word of 32 bits that they lie in.
//
// A release orders what the whole program did before, an acquire what it does later (SEMANTICS M5): barriers before and
// behind, which layout-insert-barriers has placed, extend to the program what orders one thread here.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Access.h"
#include "Conversion/LayoutToLLVM/Emit/AtomicElement.h"
#include "Conversion/LayoutToLLVM/Emit/Copies.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::gpu {

namespace scf = mlir::scf;
using border::Atomic;
using border::Function;
using ::tessera::layout::Dim;
using tile::AtomicKind;
using tile::MemoryOrder;

namespace {

/// What the atomics have in common.
struct AtomicOp {
  AtomicAccess access;
  Value pointer, mask;
  SmallVector<Value, 2> values;
};

AtomicOp partsOf(Operation &op) {
  const auto common = [](auto o, AtomicAccess::What what, ValueRange values) {
    const Type element = cast<tile::PtrType>(tile::elementOf(o.getPtr().getType())).getPointee();
    return AtomicOp{{what, tile::AtomicKind::Add, o.getOrder(), o.getScope(), element},
                    o.getPtr(),
                    o.getMask(),
                    SmallVector<Value, 2>(values)};
  };
  return llvm::TypeSwitch<Operation *, AtomicOp>(&op)
      .Case([&](tile::AtomicRMWOp o) {
        AtomicOp parts = common(o, AtomicAccess::Modify, o.getValue());
        parts.access.kind = o.getKind();
        return parts;
      })
      .Case([&](tile::AtomicCASOp o) {
        return common(o, AtomicAccess::CompareAndSwap, {o.getExpected(), o.getDesired()});
      })
      .Case([&](tile::AtomicLoadOp o) { return common(o, AtomicAccess::Load, {}); })
      .Case([&](tile::AtomicStoreOp o) { return common(o, AtomicAccess::Store, o.getValue()); });
}

void emitAtomic(Operation &op, Emitter &e) {
  AtomicOp parts = partsOf(op);
  // The threads of a program are those of several blocks.
  if (e.numBlocks() != 1 && parts.access.scope == tile::MemoryScope::Block)
    parts.access.scope = tile::MemoryScope::Device;
  const bool hasResult = op.getNumResults() != 0;
  // The value's layout is that of the pointers.
  const TileLayout &layout = e.layoutOf(parts.pointer);
  const std::unique_ptr<Addresses> addresses = addressesOf(e, op, layout);
  Masks masks(e, op, parts.mask, layout);
  SmallVector<SmallVector<Value>> values;
  for (Value value : parts.values)
    values.push_back(e.registers(value));
  const Value owner = e.isOwner(layout);

  SmallVector<Value> registers;
  for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg) {
    if (Emitter::isCopy(layout, reg)) {
      registers.push_back(e.zero(laneElement(parts.access.element)));
      continue;
    }
    SmallVector<Value, 2> elements;
    for (const SmallVector<Value> &tile : values)
      elements.push_back(tile[reg]);
    const Value mask = e.both(owner, masks.at(reg));
    registers.push_back(emitAtomicElement(e, parts.access, addresses->pointer(reg), elements, mask));
  }
  if (!hasResult)
    return;
  const Value result = op.getResult(0);
  fillCopies(layout, registers);
  if (isUsed(e, result))
    registers = shareWithCopies(e, layout, parts.access.element, registers);
  if (isa<RankedTensorType>(result.getType()))
    e.setRegisters(result, registers);
  else
    e.setScalar(result, registers[0]);
}

} // namespace

void registerAtomicOps(OpTable &table) {
  table.add<tile::AtomicRMWOp>(emitAtomic);
  table.add<tile::AtomicCASOp>(emitAtomic);
  table.add<tile::AtomicLoadOp>(emitAtomic);
  table.add<tile::AtomicStoreOp>(emitAtomic);
}

} // namespace tessera::ir::gpu
