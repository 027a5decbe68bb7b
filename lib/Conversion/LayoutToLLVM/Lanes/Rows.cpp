//===- Rows.cpp - the registers of several tiles, together ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Rows.h"

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;
using ::tessera::layout::Holder;
using ::tessera::layout::TileLayout;

SmallVector<Row> rowsOf(Emitter &e, ValueRange tiles) {
  SmallVector<Row> rows;
  for (const Value tile : tiles) {
    const SmallVector<Value> registers = e.registers(tile);
    rows.resize(registers.size());
    for (auto [row, value] : llvm::zip_equal(rows, registers))
      row.push_back(value);
  }
  return rows;
}

void setRows(Emitter &e, ValueRange tiles, ArrayRef<Row> rows) {
  for (auto [i, tile] : llvm::enumerate(tiles)) {
    if (!isa<RankedTensorType>(tile.getType())) {
      e.setScalar(tile, rows[0][i]);
      continue;
    }
    e.setRegisters(tile, llvm::map_to_vector(rows, [&, i = i](const Row &row) { return row[i]; }));
  }
}

Row selectRow(Emitter &e, Value condition, const Row &left, const Row &right) {
  Row result;
  for (auto [a, b] : llvm::zip_equal(left, right))
    result.push_back(e.math().select(condition, a, b));
  return result;
}

Row shuffleRow(Emitter &e, border::Shuffle how, const Row &row, Value argument) {
  Row result;
  for (const Value value : row)
    result.push_back(e.shuffle(how, value, argument));
  return result;
}

Value isLaneBitSet(Emitter &e, int bit) {
  const Value mask = e.i32(int64_t(1) << bit);
  return e.math().neI(e.math().andI(e.laneId(), mask), e.i32(0));
}

std::optional<std::vector<Holder>> holdersInWarp(Emitter &e, Operation &op, const TileLayout &layout, int axis) {
  std::optional<std::vector<Holder>> holders = axisHolders(layout, axis);
  if (!holders)
    e.refuse(op, "works along an axis whose coordinate registers and lanes make together; convert its operands first");
  else if (spansWarps(layout, axis)) {
    e.refuse(op, "works along an axis that spans warps; -layout-split-reductions splits it");
    holders = std::nullopt;
  }
  return holders;
}

} // namespace tessera::ir::gpu
