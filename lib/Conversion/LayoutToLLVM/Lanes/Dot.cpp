//===- Dot.cpp - products of matrices ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A product whose operands lie as a matrix unit wants them is the vendor's. Any other reads its operands from buffers:
// each thread runs along k, reads the rows and columns that its elements lie in, and multiplies and adds.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Buffer.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"

#include "Layout/FlatIndex.h"

#include "llvm/ADT/MapVector.h"

namespace tessera::ir::gpu {

using ::tessera::layout::combined;
using ::tessera::layout::Dim;
using ::tessera::layout::kDims;
using ::tessera::layout::log2Of;
using ::tessera::layout::TileLayout;

namespace {

/// One operand of a product in buffers: the lines along k that the registers of the result need.
class Lines {
public:
  /// \p columns are those of the result's layout as offsets of the first element of a line.
  Lines(Emitter &e, Value buffer, TileLayout::Bases columns, ArrayRef<unsigned> registers)
      : element(cast<layout::BufferType>(buffer.getType()).getElement()), bytes(storedBytes(element)),
        places(e, e.scalar(buffer), element, columns) {
    for (const unsigned reg : registers) {
      const std::uint32_t offset = combined(columns[static_cast<size_t>(Dim::Register)], reg);
      const auto [known, isNew] = lineOf.try_emplace(offset, static_cast<unsigned>(pointers.size()));
      if (isNew)
        pointers.push_back(places.pointer(reg));
      byRegister[reg] = known->second;
    }
  }

  unsigned of(unsigned reg) const { return byRegister.lookup(reg); }
  size_t size() const { return pointers.size(); }
  /// Element \p k of the line and the \p count - 1 behind it, in the type that products are summed in.
  SmallVector<Value> read(Emitter &e, unsigned line, Value offset, unsigned count) {
    SmallVector<Value> values = e.loadShared(element, count, e.bytePointer(pointers[line], offset));
    for (Value &value : values)
      value = isa<FloatType>(element) ? numbers::widen(e.math(), value, element) : e.math().signExtend(value, 32);
    return values;
  }

  const Type element;
  const std::int64_t bytes; ///< of an element

private:
  Places places;
  llvm::MapVector<std::uint32_t, unsigned> lineOf; ///< by the register's offset
  llvm::DenseMap<unsigned, unsigned> byRegister;
  SmallVector<Value> pointers;
};

class SharedDotEmitter {
public:
  SharedDotEmitter(layout::SharedDotOp op, Emitter &e)
      : e(e), op(op), layout(e.layoutOf(op.getAcc())), n(layout.shape().back()),
        k(op.getA().getType().getShape().back()) {
    for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg)
      if (!Emitter::isCopy(layout, reg))
        registers.push_back(reg);
  }

  void emit() {
    const int nBits = log2Of(n), kBits = log2Of(k), mBits = log2Of(layout.shape()[layout.shape().size() - 2]);
    const auto row = [&](std::uint32_t flat) { return flat >> nBits << kBits; };
    const auto column = [&](std::uint32_t flat) {
      const std::uint32_t batch = flat >> (nBits + mBits);
      return batch << (kBits + nBits) | (flat & static_cast<std::uint32_t>(n - 1));
    };
    Lines a(e, op.getA(), mapped(row), registers), b(e, op.getB(), mapped(column), registers);

    const SmallVector<Value> given = e.registers(op.getAcc());
    SmallVector<Value> sums;
    for (const unsigned reg : registers)
      sums.push_back(given[reg]);
    const auto step = static_cast<unsigned>(std::min<std::int64_t>(k, e.hooks().sharedAccessBytes() / a.bytes));
    sums = e.forRange(k / step, sums, [&](Value at, ValueRange carried) { return addSteps(a, b, at, step, carried); });

    llvm::DenseMap<std::uint32_t, Value> found;
    for (auto [reg, sum] : llvm::zip_equal(registers, sums))
      found[layout.at(reg, 0, 0)] = sum;
    SmallVector<Value> results;
    for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg)
      results.push_back(found.lookup(layout.at(reg, 0, 0)));
    e.setRegisters(op.getResult(), results);
  }

private:
  TileLayout::Bases mapped(function_ref<std::uint32_t(std::uint32_t)> map) const {
    TileLayout::Bases result;
    for (const Dim dim : kDims)
      for (const std::uint32_t column : layout.bases(dim))
        result[static_cast<size_t>(dim)].push_back(map(column));
    return result;
  }

  /// Adds the products of \p step elements of each line, from step \p at on.
  SmallVector<Value> addSteps(Lines &a, Lines &b, Value at, unsigned step, ValueRange carried) {
    SmallVector<SmallVector<Value>> rows;
    const Value first = e.mul(at, e.i32(step * a.bytes)), firstRow = e.mul(at, e.i32(step * n * b.bytes));
    for (unsigned line = 0; line != a.size(); ++line)
      rows.push_back(a.read(e, line, first, step));
    SmallVector<Value> sums(carried);
    for (unsigned i = 0; i != step; ++i) {
      SmallVector<Value> columns;
      for (unsigned line = 0; line != b.size(); ++line)
        columns.push_back(b.read(e, line, e.add(firstRow, e.i32(i * n * b.bytes)), 1)[0]);
      for (auto [reg, sum] : llvm::zip_equal(registers, sums))
        sum = multiplyAdd(rows[a.of(reg)][i], columns[b.of(reg)], sum);
    }
    return sums;
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    MathBuilder &m = e.math();
    return isa<FloatType>(sum.getType()) ? m.fma(x, y, sum) : m.addI(m.mulI(x, y), sum);
  }

  Emitter &e;
  layout::SharedDotOp op;
  const TileLayout layout; ///< of the result
  std::int64_t n, k;
  SmallVector<unsigned> registers; ///< that are no copies
};

void emitSharedDot(Operation &op, Emitter &e) { SharedDotEmitter(cast<layout::SharedDotOp>(op), e).emit(); }

void emitDot(Operation &op, Emitter &e) {
  auto dot = cast<tile::DotOp>(op);
  const std::optional<MatrixUnit> unit = e.hooks().matrixUnit(dot, e.numWarps());
  if (!unit || !(unit->a == e.layoutOf(dot.getA())) || !(unit->b == e.layoutOf(dot.getB())) ||
      !(unit->acc == e.layoutOf(dot.getAcc()))) {
    e.refuse(op, "has operands that no matrix unit takes; -layout-expand-dots brings them where they belong");
    return e.setPlaceholders(op);
  }
  e.setRegisters(dot.getResult(), e.hooks().multiply(e, dot, e.registers(dot.getA()), e.registers(dot.getB()),
                                                     e.registers(dot.getAcc())));
}

} // namespace

void registerDotOps(OpTable &table) {
  table.add<layout::SharedDotOp>(emitSharedDot);
  table.add<tile::DotOp>(emitDot);
}

} // namespace tessera::ir::gpu
