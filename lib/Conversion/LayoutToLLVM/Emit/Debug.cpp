//===- Debug.cpp - printing and checking ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The thread that acts for an element writes its records.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Copies.h"
#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "Conversion/Common/DebugRecords.h"

namespace tessera::ir::gpu {

namespace LLVM = mlir::LLVM;
using ::tessera::layout::Dim;

namespace {

class GpuRecords final : public DebugRecords {
public:
  explicit GpuRecords(Emitter &e) : DebugRecords(e.builder(), e.state().loc, e.state().code, e.math()), e(e) {}

private:
  Value programId(tile::Axis axis) override { return e.programId(axis); }
  Value load(Type type, Value pointer) override { return LLVM::LoadOp::create(b, loc, type, pointer); }
  void store(Value value, Value pointer) override { LLVM::StoreOp::create(b, loc, value, pointer); }
  void ifThen(Value condition, function_ref<void()> then) override { e.ifThen(condition, then); }

  // The host reads the records, perhaps while the kernel runs.
  Value fetchAdd(Value pointer, Value count) override {
    return e.border().atomic({.function = border::Function::Atomic,
                              .scope = border::Scope::System,
                              .atomic = border::Atomic::Add,
                              .type = border::integers(32)},
                             pointer, {count}, e.integer(1, 1));
  }
  Value claim(Value pointer) override {
    const Value before = e.border().atomic({.function = border::Function::AtomicCas,
                                            .scope = border::Scope::System,
                                            .order = border::Order::AcqRel,
                                            .type = border::integers(32)},
                                           pointer, {e.i32(0), e.i32(1)}, e.integer(1, 1));
    return m.eqI(before, e.i32(0));
  }

  Emitter &e;
};

/// The tile among \p values, which all are of its shape; null if all are scalars.
Value tileAmong(ValueRange values) {
  for (Value value : values)
    if (isa<RankedTensorType>(value.getType()))
      return value;
  return {};
}

void emitPrint(Operation &op, Emitter &e) {
  auto print = cast<tile::PrintOp>(op);
  const unsigned site = e.addSite(debugSiteOf(print));
  const Value tile = tileAmong(print.getValues());
  static const TileLayout scalar;
  const TileLayout &layout = tile ? e.layoutOf(tile) : scalar;
  const Value owner = e.isOwner(layout);
  SmallVector<SmallVector<Value>> values;
  for (Value value : print.getValues())
    values.push_back(e.registers(value));
  SmallVector<Value> predicate;
  if (const Value pred = print.getPred()) {
    predicate = e.registers(pred);
    if (!tile && isa<RankedTensorType>(pred.getType())) // one line, where it is true anywhere
      predicate.assign(1, anyInProgram(e, predicate));
  }
  const auto of = [](const SmallVector<Value> &registers, unsigned reg) {
    return registers[registers.size() == 1 ? 0 : reg];
  };
  for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg) {
    if (Emitter::isCopy(layout, reg))
      continue;
    const auto add = [&] {
      SmallVector<Value> elements;
      for (const SmallVector<Value> &registers : values)
        elements.push_back(of(registers, reg));
      GpuRecords(e).addPrint(site, e.coordinates(layout, reg), elements, e.printBuffer());
    };
    const Value wanted = e.both(owner, predicate.empty() ? Value() : of(predicate, reg));
    if (wanted)
      e.ifThen(wanted, add);
    else
      add();
  }
}

void emitAssert(Operation &op, Emitter &e) {
  auto assertOp = cast<tile::AssertOp>(op);
  if (!e.faultFlag())
    return;
  MathBuilder &m = e.math();
  const unsigned site = e.addSite(debugSiteOf(assertOp));
  const TileLayout &layout = e.layoutOf(assertOp.getCondition());
  const SmallVector<Value> conditions = e.registers(assertOp.getCondition());
  const Value owner = e.isOwner(layout);
  // Most often nothing fails.
  Value all = conditions[0];
  for (Value condition : ArrayRef(conditions).drop_front())
    all = m.andI(all, condition);
  e.ifThen(e.both(owner, m.notI(all)), [&] {
    for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg)
      if (!Emitter::isCopy(layout, reg))
        e.ifThen(m.notI(conditions[reg]),
                 [&] { GpuRecords(e).addFault(site, e.coordinates(layout, reg), e.faultFlag()); });
  });
}

} // namespace

void registerDebugOps(OpTable &table) {
  table.add<tile::PrintOp>(emitPrint);
  table.add<tile::AssertOp>(emitAssert);
}

} // namespace tessera::ir::gpu
