//===- Rename.cpp - ops that only change what registers are called --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// By the layout rules a thread holds in the result what it holds in the source. A register of the result is looked up
// by the element that it holds.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutRules.h"

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;

/// The layout that the operand has by the rule of \p op.
static void emitSameRegisters(Operation &op, Emitter &e) {
  const SmallVector<Value> registers = e.registers(op.getOperand(0));
  const TileLayout &layout = e.layoutOf(op.getResult(0));
  if (registers.size() != layout.size(Dim::Register)) {
    e.refuse(op, "has tiles whose layouts break its rule");
    return e.setPlaceholders(op);
  }
  e.setRegisters(op.getResult(0), registers);
}

/// Also between a scalar and a tile of one element, which every thread holds.
static void emitReshape(Operation &op, Emitter &e) {
  const Value source = op.getOperand(0), result = op.getResult(0);
  const SmallVector<Value> registers = e.registers(source);
  if (!isa<RankedTensorType>(result.getType()))
    return e.setScalar(result, registers[0]);
  if (!isa<RankedTensorType>(source.getType()))
    return e.setRegisters(result, SmallVector<Value>(e.layoutOf(result).size(Dim::Register), registers[0]));
  emitSameRegisters(op, e);
}

/// The source is held as the result is, less what lies on axes that are repeated; register bits that only tell such
/// elements apart are gone in the source, or left as copies.
static void emitBroadcast(Operation &op, Emitter &e) {
  auto broadcast = cast<tile::BroadcastOp>(op);
  const SmallVector<Value> registers = e.registers(broadcast.getSource());
  const TileLayout &source = e.layoutOf(broadcast.getSource()), &result = e.layoutOf(broadcast.getResult());
  // The register of the source by the element, as far as registers decide it.
  llvm::SmallDenseMap<std::uint32_t, std::uint32_t> holder;
  for (std::uint32_t reg = 0; reg != source.size(Dim::Register); ++reg)
    holder.try_emplace(source.at(reg, 0, 0), reg);
  const TileLayout squeezed = ::tessera::layout::squeezed(result, source.shape());
  SmallVector<Value> renamed;
  for (std::uint32_t reg = 0; reg != result.size(Dim::Register); ++reg) {
    const auto found = holder.find(squeezed.at(reg, 0, 0));
    if (found == holder.end()) {
      e.refuse(op, "has tiles whose layouts break its rule");
      return e.setPlaceholders(op);
    }
    renamed.push_back(registers[found->second]);
  }
  e.setRegisters(broadcast, renamed);
}

void registerRenamingOps(OpTable &table) {
  table.add<tile::ExpandDimsOp>(emitSameRegisters);
  table.add<tile::TransOp>(emitSameRegisters);
  table.add<tile::ReshapeOp>(emitReshape);
  table.add<tile::BroadcastOp>(emitBroadcast);
}

} // namespace tessera::ir::gpu
