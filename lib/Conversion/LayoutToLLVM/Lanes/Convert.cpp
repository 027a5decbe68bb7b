//===- Convert.cpp - tiles from one layout to another --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A conversion that stays in the warp follows its plan: choices by parities of the thread's number, and shuffles of
// words that hold as many elements as fit. What needs shared memory has been made explicit before.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Layout/Conversion.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::gpu {

using ::tessera::layout::ConversionKind;
using ::tessera::layout::ConversionPlan;
using ::tessera::layout::ConversionStep;
using ::tessera::layout::planConversion;
using ::tessera::layout::ThreadParity;
using ::tessera::layout::TileLayout;

namespace {

class PlanEmitter {
public:
  PlanEmitter(Emitter &e, const ConversionPlan &plan, Type element, ArrayRef<Value> registers)
      : e(e), plan(plan), element(element), values(registers) {}

  SmallVector<Value> emit() {
    for (const ConversionStep &step : plan.steps)
      if (step.kind == ConversionStep::Kind::Select)
        set(step.firstResult, e.math().select(parity(step.parity), values[step.values[1]], values[step.values[0]]));
      else
        shuffle(step);
    SmallVector<Value> results;
    for (const std::uint32_t value : plan.results)
      results.push_back(values[value]);
    return results;
  }

private:
  void set(std::uint32_t number, Value value) {
    if (values.size() <= number)
      values.resize(number + 1);
    values[number] = value;
  }

  void shuffle(const ConversionStep &step) {
    SmallVector<Value> parts;
    for (const std::uint32_t value : step.values)
      parts.push_back(values[value]);
    const auto count = static_cast<unsigned>(parts.size());
    // A word holds a power of two of elements.
    parts.resize(llvm::PowerOf2Ceil(count), parts.back());
    const auto total = static_cast<unsigned>(parts.size());
    Value word = total == 1 ? parts[0] : pack(e, element, parts);
    if (plan.shufflesByXor())
      word = e.shuffleXor(word, step.laneXor);
    else
      word = e.shuffle(border::Shuffle::Idx, word, e.bitXor(sourceLane(), e.i32(step.laneXor)));
    const SmallVector<Value> read = total == 1 ? SmallVector<Value>{word} : unpack(e, element, total, word);
    for (unsigned i = 0; i != count; ++i)
      set(step.firstResult + i, read[i]);
  }

  Value sourceLane() {
    if (!lane) {
      lane = e.bitXor(e.linearMap(plan.laneColumns, e.laneId()), e.linearMap(plan.warpColumns, e.warpId()));
      if (llvm::any_of(plan.blockColumns, [](std::uint32_t column) { return column != 0; }))
        lane = e.bitXor(lane, e.linearMap(plan.blockColumns, e.blockInCluster()));
    }
    return lane;
  }

  /// Whether an odd number of the bits is set, an i1.
  Value parity(const ThreadParity &which) {
    MathBuilder &m = e.math();
    const auto part = [&](std::uint32_t mask, Value number) { return m.andI(number, e.i32(mask)); };
    if (which.warps == 0 && which.blocks == 0 && llvm::has_single_bit(which.lanes))
      return m.neI(part(which.lanes, e.laneId()), e.i32(0));
    Value count = e.i32(0);
    if (which.lanes != 0)
      count = m.popCount(part(which.lanes, e.laneId()));
    if (which.warps != 0)
      count = e.add(count, m.popCount(part(which.warps, e.warpId())));
    if (which.blocks != 0)
      count = e.add(count, m.popCount(part(which.blocks, e.blockInCluster())));
    return m.truncate(count, 1);
  }

  Emitter &e;
  const ConversionPlan &plan;
  Type element;
  SmallVector<Value> values; ///< by number
  Value lane;                ///< that shuffles read, but for their own part
};

void emitConvert(Operation &op, Emitter &e) {
  auto convert = cast<layout::ConvertOp>(op);
  const Type element = tile::elementOf(convert.getSource().getType());
  const TileLayout &from = e.layoutOf(convert.getSource()), &to = e.layoutOf(convert.getResult());
  const ConversionPlan plan = planConversion(from, to, static_cast<int>(8 * storedBytes(element)));
  if (plan.kind == ConversionKind::Shared) {
    e.refuse(op, "needs shared memory; -layout-expand-shared makes it explicit");
    return e.setPlaceholders(op);
  }
  e.setRegisters(convert.getResult(), PlanEmitter(e, plan, element, e.registers(convert.getSource())).emit());
}

} // namespace

void registerConvertOps(OpTable &table) { table.add<layout::ConvertOp>(emitConvert); }

} // namespace tessera::ir::gpu
