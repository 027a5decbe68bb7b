//===- Boxes.cpp - parts of tiles ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each thread has of a part what it has of the whole, so that registers change their names. Only a mirror image may
// come from another lane, and a tile of two elements that are scalars is chosen by its place.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Layout/Access.h"
#include "Layout/Box.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tessera::ir::gpu {

using ::tessera::layout::boxRegisters;
using ::tessera::layout::Dim;
using ::tessera::layout::kOutsideBox;
using ::tessera::layout::mirrorHolder;
using ::tessera::layout::reshaped;
using ::tessera::layout::TileLayout;

namespace {

using Registers = std::vector<std::uint32_t>;

/// What boxRegisters() says, or an error at \p op.
std::optional<Registers> boxOf(Operation &op, Emitter &e, const TileLayout &whole, const TileLayout &box,
                               ArrayRef<std::int64_t> offsets) {
  std::optional<Registers> registers = boxRegisters(whole, box, offsets);
  if (!registers) {
    e.refuse(op, "moves elements between threads; -layout-expand-shared makes this explicit");
    e.setPlaceholders(op);
  }
  return registers;
}

/// The values of a box's registers out of those of the whole.
SmallVector<Value> cutOut(ArrayRef<std::uint32_t> registers, const TileLayout &box, ArrayRef<Value> whole) {
  SmallVector<Value> result(box.size(Dim::Register));
  for (auto [reg, part] : llvm::enumerate(registers))
    if (part != kOutsideBox)
      result[part] = whole[reg];
  for (auto [reg, first] : llvm::enumerate(firstRegisters(box)))
    result[reg] = result[first];
  return result;
}

/// Puts a box's registers in.
void putIn(ArrayRef<std::uint32_t> registers, ArrayRef<Value> box, MutableArrayRef<Value> whole) {
  for (auto [value, part] : llvm::zip_equal(whole, registers))
    if (part != kOutsideBox)
      value = box[part];
}

void emitSlice(Operation &op, Emitter &e) {
  auto slice = cast<tile::SliceOp>(op);
  const TileLayout &whole = e.layoutOf(slice.getSource()), &box = e.layoutOf(slice.getResult());
  if (const std::optional<Registers> registers = boxOf(op, e, whole, box, slice.getOffsets()))
    e.setRegisters(slice.getResult(), cutOut(*registers, box, e.registers(slice.getSource())));
}

void emitInsert(Operation &op, Emitter &e) {
  auto insert = cast<tile::InsertOp>(op);
  const TileLayout &whole = e.layoutOf(insert.getResult()), &box = e.layoutOf(insert.getSource());
  const std::optional<Registers> registers = boxOf(op, e, whole, box, insert.getOffsets());
  if (!registers)
    return;
  SmallVector<Value> values = e.registers(insert.getDestination());
  putIn(*registers, e.registers(insert.getSource()), values);
  e.setRegisters(insert.getResult(), values);
}

/// \p layout with an axis of one element behind the others.
TileLayout withLastAxis(const TileLayout &layout) {
  std::vector<std::int64_t> shape(layout.shape().begin(), layout.shape().end());
  shape.push_back(1);
  return reshaped(layout, shape);
}

SmallVector<std::int64_t> lastOffset(const TileLayout &whole, std::int64_t offset) {
  SmallVector<std::int64_t> offsets(static_cast<size_t>(whole.rank()), 0);
  offsets.back() = offset;
  return offsets;
}

void emitJoin(Operation &op, Emitter &e) {
  auto join = cast<tile::JoinOp>(op);
  const TileLayout &whole = e.layoutOf(join.getResult());
  SmallVector<Value> values(whole.size(Dim::Register));
  if (!isa<RankedTensorType>(join.getLhs().getType())) {
    for (unsigned reg = 0; reg != values.size(); ++reg) {
      const Value place = e.coordinates(whole, reg).back();
      values[reg] = e.math().select(e.math().eqI(place, e.i32(0)), e.scalar(join.getLhs()), e.scalar(join.getRhs()));
    }
    return e.setRegisters(join.getResult(), values);
  }
  const TileLayout half = withLastAxis(e.layoutOf(join.getLhs()));
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    const auto registers = boxOf(op, e, whole, half, lastOffset(whole, static_cast<std::int64_t>(i)));
    if (!registers)
      return;
    putIn(*registers, e.registers(operand), values);
  }
  e.setRegisters(join.getResult(), values);
}

void emitSplit(Operation &op, Emitter &e) {
  auto split = cast<tile::SplitOp>(op);
  const TileLayout &whole = e.layoutOf(split.getSource());
  const bool isScalar = !isa<RankedTensorType>(split.getLhs().getType());
  const SmallVector<Value> values = e.registers(split.getSource());
  const TileLayout half = withLastAxis(e.layoutOf(split.getLhs()));
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    const auto registers = boxOf(op, e, whole, half, lastOffset(whole, static_cast<std::int64_t>(i)));
    if (!registers)
      return;
    const SmallVector<Value> part = cutOut(*registers, half, values);
    if (isScalar)
      e.setScalar(result, part[0]);
    else
      e.setRegisters(result, part);
  }
}

void emitFlip(Operation &op, Emitter &e) {
  auto flip = cast<tile::FlipOp>(op);
  const TileLayout &layout = e.layoutOf(flip.getSource());
  const auto mirror = mirrorHolder(layout, static_cast<int>(flip.getAxis()));
  if (!mirror || !(layout == e.layoutOf(flip.getResult()))) {
    e.refuse(op, "moves elements between threads; -layout-expand-shared makes this explicit");
    return e.setPlaceholders(op);
  }
  const SmallVector<Value> values = e.registers(flip.getSource());
  SmallVector<Value> mirrored;
  for (unsigned reg = 0; reg != values.size(); ++reg) {
    const Value value = values[reg ^ mirror->first];
    mirrored.push_back(mirror->second != 0 ? e.shuffleXor(value, mirror->second) : value);
  }
  e.setRegisters(flip.getResult(), mirrored);
}

//===----------------------------------------------------------------------===//
// Bits of other widths
//===----------------------------------------------------------------------===//

/// The parts of each register of \p whole, from the lowest bits, as registers of \p parts.
std::optional<SmallVector<Registers>> partsOf(Operation &op, Emitter &e, const TileLayout &parts,
                                              const TileLayout &whole) {
  const TileLayout box = withLastAxis(whole);
  SmallVector<Registers> result(whole.size(Dim::Register));
  for (std::int64_t part = 0; part != parts.shape().back(); ++part) {
    const auto registers = boxOf(op, e, parts, box, lastOffset(parts, part));
    if (!registers)
      return std::nullopt;
    Registers found(whole.size(Dim::Register), kOutsideBox);
    for (auto [reg, holder] : llvm::enumerate(*registers))
      if (holder != kOutsideBox)
        found[holder] = static_cast<std::uint32_t>(reg);
    for (auto [reg, first] : llvm::enumerate(firstRegisters(whole)))
      result[reg].push_back(found[first]);
  }
  return result;
}

/// Between elements of one width it is like every elementwise op.
void emitSameWidth(tile::BitcastOp op, Emitter &e) {
  SmallVector<Value> results;
  for (const Value value : e.registers(op.getSource()))
    results.push_back(e.emitElementwise(*op, value)[0]);
  if (isa<RankedTensorType>(op.getType()))
    e.setRegisters(op.getResult(), results);
  else
    e.setScalar(op.getResult(), results[0]);
}

void emitBitcast(Operation &op, Emitter &e) {
  auto bitcast = cast<tile::BitcastOp>(op);
  const Value source = bitcast.getSource(), result = bitcast.getResult();
  const TileLayout from = e.layoutOf(source), to = e.layoutOf(result);
  if (from.rank() == to.rank())
    return emitSameWidth(bitcast, e);
  const Type fromElement = tile::elementOf(source.getType()), toElement = tile::elementOf(result.getType());
  const SmallVector<Value> values = e.registers(source);
  const auto recast = [&](ArrayRef<Value> elements) {
    // Wide and narrow elements fill one word alike.
    const auto count = static_cast<unsigned>(elements.size() * storedBytes(fromElement) / storedBytes(toElement));
    Value packed = pack(e, fromElement, elements);
    if (const Type words = e.border().typeOf(accessTypeOf(toElement, count)); packed.getType() != words)
      packed = mlir::LLVM::BitcastOp::create(e.builder(), e.loc(), words, packed); // one word of 64 bits, or two of 32
    return unpack(e, toElement, count, packed);
  };
  const bool isSplitting = from.rank() < to.rank();
  const auto parts = isSplitting ? partsOf(op, e, to, from) : partsOf(op, e, from, to);
  if (!parts)
    return;
  SmallVector<Value> results(to.size(Dim::Register));
  for (auto [reg, holders] : llvm::enumerate(*parts)) {
    if (isSplitting) {
      for (auto [holder, part] : llvm::zip_equal(holders, recast(values[reg])))
        results[holder] = part;
      continue;
    }
    SmallVector<Value> elements;
    for (const std::uint32_t holder : holders)
      elements.push_back(values[holder]);
    results[reg] = recast(elements)[0];
  }
  if (isSplitting)
    for (auto [reg, first] : llvm::enumerate(firstRegisters(to)))
      results[reg] = results[first];
  if (!isa<RankedTensorType>(result.getType()))
    return e.setScalar(result, results[0]);
  e.setRegisters(result, results);
}

} // namespace

void registerBoxOps(OpTable &table) {
  table.add<tile::BitcastOp>(emitBitcast);
  table.add<tile::FlipOp>(emitFlip);
  table.add<tile::InsertOp>(emitInsert);
  table.add<tile::JoinOp>(emitJoin);
  table.add<tile::SliceOp>(emitSlice);
  table.add<tile::SplitOp>(emitSplit);
}

} // namespace tessera::ir::gpu
