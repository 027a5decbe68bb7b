//===- ThreadDot.cpp - products that every thread computes by itself -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each thread runs along k and, in every step, multiplies the elements of a in its rows by those of b in its columns.
// It reads them from buffers in accesses as wide as both layouts allow. A loop turns around some steps, in which the
// code of one step starts the loads of the next:
//
//   row 0:  sums[0][*] += a[0] * b[*]     then the first access to a of the next step
//   row 1:  sums[1][*] += a[1] * b[*]     then the second
//   …
//
// so that a load has the products of as many rows to arrive, and takes the registers of a row that is done.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Lanes/Buffer.h"
#include "Conversion/LayoutToLLVM/Lanes/Dots.h"

#include "Layout/Access.h"
#include "Layout/FlatIndex.h"
#include "Layout/ThreadProduct.h"

#include "llvm/ADT/MapVector.h"

namespace tessera::ir::gpu {

using ::tessera::layout::combined;
using ::tessera::layout::Dim;
using ::tessera::layout::log2Of;
using ::tessera::layout::ProductSide;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

/// The code of a turn has at most this many products and steps, but at least kLeastSteps.
static constexpr std::int64_t kMostProducts = 1024;
static constexpr std::int64_t kMostSteps = 32;
static constexpr std::int64_t kLeastSteps = 4;

namespace {

layout::BufferType typeOf(Value buffer) { return cast<layout::BufferType>(buffer.getType()); }

/// What a thread reads of one operand in the steps of a turn. An element goes by its offset in the buffer, less what
/// the thread and the turn contribute.
class Operand {
public:
  Operand(Emitter &e, Value buffer, ProductSide side, const TileLayout &accumulator, std::int64_t k, std::int64_t steps)
      : e(e), buffer(buffer), element(typeOf(buffer).getElement()), bytes(storedBytes(element)),
        shared(typeOf(buffer).getLayout().getLayout()), accesses(static_cast<size_t>(steps)) {
    const TileLayout read = threadOperand(accumulator, side, k, steps);
    const int axis = read.rank() - (side == ProductSide::A ? 1 : 2);
    stepShift = read.axisShift(axis);
    // Loads are for few steps, so that narrow elements do not take all registers.
    width = widestAccess(read, shared, static_cast<int>(bytes),
                         static_cast<int>(std::min<std::int64_t>(e.hooks().sharedAccessBytes(), kLeastSteps * bytes)));
    const std::vector<std::uint32_t> registers = accessGroups(read, shared, width);
    for (ArrayRef<std::uint32_t> rest(registers); !rest.empty(); rest = rest.drop_front(width)) {
      std::int64_t step = steps;
      for (const std::uint32_t reg : rest.take_front(width))
        step = std::min(step, read.coordinate(read.at(reg, 0, 0), axis));
      accesses[static_cast<size_t>(step)].push_back(shared.offset(read.at(rest.front(), 0, 0)));
    }
    const TileLayout::Bases columns = offsetColumns(read, shared);
    const auto columnsOf = [&](Dim dim) { return ArrayRef<std::uint32_t>(columns[static_cast<size_t>(dim)]); };
    for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
      for (const std::uint32_t column : columnsOf(dim))
        moving |= column;
    llvm::append_range(turnColumns,
                       columnsOf(Dim::Block).drop_front(static_cast<size_t>(accumulator.bits(Dim::Block))));
    threadOffset =
        e.bitXor(e.linearMap(columnsOf(Dim::Lane), e.laneId()), e.linearMap(columnsOf(Dim::Warp), e.warpId()));
    for (unsigned reg = 0; reg != accumulator.size(Dim::Register); ++reg)
      lines.push_back(shared.offset(threadOperandIndex(accumulator, side, k, accumulator.at(reg, 0, 0))));
  }

  /// Where the row or the column of the result's register \p reg begins.
  std::uint32_t line(unsigned reg) const { return lines[reg]; }
  Value at(std::uint32_t line, std::int64_t step) const {
    return values.lookup(line ^ shared.offset(static_cast<std::uint32_t>(step) << stepShift));
  }

  void beginTurn(Value turn) {
    values.clear();
    pointers.clear();
    turnOffset = turnColumns.empty() ? threadOffset : e.bitXor(threadOffset, e.linearMap(turnColumns, turn));
  }
  /// The accesses to what step \p step is the first to need.
  ArrayRef<std::uint32_t> accessesFor(std::int64_t step) const { return accesses[static_cast<size_t>(step)]; }
  void load(ArrayRef<std::uint32_t> offsets) {
    for (const std::uint32_t offset : offsets)
      for (auto [i, value] : llvm::enumerate(e.loadShared(element, width, pointer(offset))))
        values[offset + static_cast<std::uint32_t>(i)] = inSum(value);
  }

private:
  /// Bits that no thread contributes to are added to the address, which costs nothing.
  Value pointer(std::uint32_t offset) {
    const std::uint32_t mixed = offset & moving;
    Value &start = pointers[mixed];
    if (!start)
      start = e.sharedPointer(e.add(e.scalar(buffer), e.mul(e.bitXor(turnOffset, e.i32(mixed)), e.i32(bytes))));
    return e.bytePointer(start, std::int64_t(offset ^ mixed) * bytes);
  }

  /// As products are summed.
  Value inSum(Value value) {
    return isa<FloatType>(element) ? numbers::widen(e.math(), value, element) : e.math().signExtend(value, 32);
  }

  Emitter &e;
  Value buffer;
  Type element;
  std::int64_t bytes; ///< of an element
  const SharedLayout &shared;
  int stepShift = 0;                                ///< of the bits of k in an element's index
  std::uint32_t width = 1;                          ///< of an access, in elements
  std::vector<SmallVector<std::uint32_t>> accesses; ///< their first elements, by step
  SmallVector<std::uint32_t> lines, turnColumns;
  std::uint32_t moving = 0; ///< bits of offsets that threads or turns contribute to
  Value threadOffset, turnOffset;
  llvm::DenseMap<std::uint32_t, Value> pointers, values;
};

class ThreadDotEmitter {
public:
  ThreadDotEmitter(layout::SharedDotOp op, Emitter &e)
      : e(e), op(op), layout(e.layoutOf(op.getAcc())), k(typeOf(op.getA()).getShape().back()) {
    for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg)
      if (!Emitter::isCopy(layout, reg))
        registers.push_back(reg);
    const auto products = static_cast<std::int64_t>(registers.size());
    steps = std::min(k, std::clamp(kMostProducts / products, kLeastSteps, kMostSteps));
  }

  void emit() {
    Operand a(e, op.getA(), ProductSide::A, layout, k, steps), b(e, op.getB(), ProductSide::B, layout, k, steps);
    for (auto [number, reg] : llvm::enumerate(registers))
      rows[a.line(reg)].push_back({static_cast<unsigned>(number), b.line(reg)});

    const SmallVector<Value> given = e.registers(op.getAcc());
    SmallVector<Value> sums;
    for (const unsigned reg : registers)
      sums.push_back(given[reg]);
    const auto turn = [&](Value number, ValueRange carried) {
      a.beginTurn(number);
      b.beginTurn(number);
      return addSteps(a, b, carried);
    };
    sums = k == steps ? turn(Value(), sums) : e.forRange(k / steps, sums, turn);

    llvm::DenseMap<std::uint32_t, Value> found;
    for (auto [reg, sum] : llvm::zip_equal(registers, sums))
      found[layout.at(reg, 0, 0)] = sum;
    SmallVector<Value> results;
    for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg)
      results.push_back(found.lookup(layout.at(reg, 0, 0)));
    e.setRegisters(op.getResult(), results);
  }

private:
  struct Term {
    unsigned sum; ///< its number
    std::uint32_t column;
  };

  /// Adds the products of the steps of a turn.
  SmallVector<Value> addSteps(Operand &a, Operand &b, ValueRange carried) {
    SmallVector<Value> sums(carried);
    a.load(a.accessesFor(0));
    b.load(b.accessesFor(0));
    for (std::int64_t step = 0; step != steps; ++step) {
      const bool isLast = step + 1 == steps;
      ArrayRef<std::uint32_t> next = isLast ? ArrayRef<std::uint32_t>() : a.accessesFor(step + 1);
      if (!isLast)
        b.load(b.accessesFor(step + 1));
      for (const auto &[row, terms] : rows) {
        for (const Term &term : terms)
          sums[term.sum] = multiplyAdd(a.at(row, step), b.at(term.column, step), sums[term.sum]);
        const bool hasMore = !next.empty();
        a.load(next.take_front(hasMore));
        next = next.drop_front(hasMore);
      }
      a.load(next);
    }
    return sums;
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    MathBuilder &m = e.math();
    return isa<FloatType>(sum.getType()) ? m.fma(x, y, sum) : m.addI(m.mulI(x, y), sum);
  }

  Emitter &e;
  layout::SharedDotOp op;
  const TileLayout layout;         ///< of the result
  std::int64_t k, steps;           ///< in all, and of a turn
  SmallVector<unsigned> registers; ///< that are no copies
  llvm::MapVector<std::uint32_t, SmallVector<Term>> rows;
};

} // namespace

void emitThreadDot(layout::SharedDotOp op, Emitter &e) {
  ThreadDotEmitter(op, e).emit();
  e.notes().product(*op, "fma");
}

} // namespace tessera::ir::gpu
