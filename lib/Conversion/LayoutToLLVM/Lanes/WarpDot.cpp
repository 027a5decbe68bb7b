//===- WarpDot.cpp - products that warps compute on matrix units ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the unit needs for one step along k is read while it multiplies what was read before, so that operands take the
// registers of two steps, whatever k is. A few steps are straight code; many are a loop over some of them, which reads
// one step more than there is: the first one again.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Lanes/Dots.h"
#include "Conversion/LayoutToLLVM/Lanes/Fragments.h"

namespace tessera::ir::gpu {

namespace {

/// Numbers that are summed in straight code, and in a round of a loop: four of them are an instruction of 16 bytes.
constexpr int64_t kStraight = 1024, kRound = 512;

class WarpProduct {
public:
  WarpProduct(layout::SharedDotOp op, const WarpUnit &one, const Product &part, Emitter &e)
      : e(e), op(op), part(part), warps(one.warps), b(e, op.getB(), 0, one.b) {
    if (isa<layout::BufferType>(op.getA().getType()))
      aBuffer.emplace(e, op.getA(), 1, one.a);
    else
      aTile.emplace(e, op.getA(), 1, one.a);
    steps = b.all().count();
  }

  void emit(int64_t batches) {
    const SmallVector<Value> acc = e.registers(op.getAcc());
    const auto perBatch = acc.size() / static_cast<size_t>(batches);
    const bool isLong = !aTile && steps * static_cast<int64_t>(acc.size()) > kStraight;
    SmallVector<Value> result;
    for (int64_t batch = 0; batch != batches; ++batch) {
      const ArrayRef<Value> sums = ArrayRef(acc).slice(static_cast<size_t>(batch) * perBatch, perBatch);
      llvm::append_range(result, isLong ? loop(batch, sums) : straight(batch, sums));
    }
    e.setRegisters(op.getResult(), result);
  }

private:
  struct Operands {
    SmallVector<Value> a, b;
  };

  Operands read(int64_t batch, int64_t step, Value run = {}, int runShift = 0) {
    return {aTile ? aTile->read(batch, step) : aBuffer->read(batch, step, run, runShift),
            b.read(batch, step, run, runShift)};
  }

  SmallVector<Value> multiply(const Operands &operands, ArrayRef<Value> sums) {
    return e.hooks().multiply(e, part, warps, operands.a, operands.b, sums);
  }

  SmallVector<Value> straight(int64_t batch, ArrayRef<Value> given) {
    SmallVector<Value> sums(given);
    Operands now = read(batch, 0);
    for (int64_t step = 0; step != steps; ++step) {
      Operands next;
      if (step + 1 != steps)
        next = read(batch, step + 1);
      sums = multiply(now, sums);
      now = std::move(next);
    }
    return sums;
  }

  SmallVector<Value> loop(int64_t batch, ArrayRef<Value> given) {
    int roundBits = 1; // a round reads both into and out of the same registers
    while (roundBits < b.all().bits && (static_cast<int64_t>(given.size()) << (roundBits + 1)) <= kRound)
      ++roundBits;
    const int64_t perRound = int64_t(1) << roundBits, rounds = steps >> roundBits;
    const Operands first = read(batch, 0);
    SmallVector<Value> carried(given);
    llvm::append_range(carried, first.a);
    llvm::append_range(carried, first.b);
    carried = e.forRange(rounds, carried, [&](Value round, ValueRange values) {
      const Value run = e.mul(round, e.i32(perRound));
      const Value nextRun = e.math().andI(e.add(run, e.i32(perRound)), e.i32(steps - 1));
      SmallVector<Value> sums(values.take_front(given.size()));
      values = values.drop_front(given.size());
      Operands now{SmallVector<Value>(values.take_front(first.a.size())),
                   SmallVector<Value>(values.drop_front(first.a.size()))};
      for (int64_t step = 0; step != perRound; ++step) {
        Operands next =
            step + 1 != perRound ? read(batch, step + 1, run, roundBits) : read(batch, 0, nextRun, roundBits);
        sums = multiply(now, sums);
        now = std::move(next);
      }
      llvm::append_range(sums, now.a);
      llvm::append_range(sums, now.b);
      return sums;
    });
    carried.resize(given.size());
    return carried;
  }

  Emitter &e;
  layout::SharedDotOp op;
  const Product &part; ///< one step of one batch
  const ::tessera::layout::WarpGrid warps;
  std::optional<BufferFragments> aBuffer;
  std::optional<TileFragments> aTile;
  BufferFragments b;
  int64_t steps;
};

} // namespace

void emitWarpDot(layout::SharedDotOp op, const WarpUnit &unit, Emitter &e) {
  if (isa<RankedTensorType>(op.getA().getType()) && !(e.layoutOf(op.getA()) == unit.a)) {
    e.refuse(*op, "has a left operand in registers that its matrix unit does not take");
    return e.setPlaceholders(*op);
  }
  const Product product(op), part = product.part(std::min(unit.depth, product.depth));
  const std::optional<WarpUnit> one = e.hooks().warpUnit(part, unit.warps);
  WarpProduct(op, *one, part, e).emit(product.batches.value_or(1));
  e.notes().product(*op, unit.instruction);
}

void emitWarpDot(tile::DotOp op, Emitter &e) {
  const Product product(op);
  const std::optional<WarpUnit> unit = e.hooks().warpUnitOf(product, e.numWarps(), e.layoutOf(op.getAcc()));
  if (!unit || !(unit->a == e.layoutOf(op.getA())) || !(unit->b == e.layoutOf(op.getB()))) {
    e.refuse(*op, "has operands that no matrix unit takes; -layout-expand-dots brings them where they belong");
    return e.setPlaceholders(*op);
  }
  e.setRegisters(op.getResult(),
                 e.hooks().multiply(e, product, unit->warps, wordsOf(e, product.a, e.registers(op.getA())),
                                    wordsOf(e, product.b, e.registers(op.getB())), e.registers(op.getAcc())));
  e.notes().product(*op, unit->instruction);
}

} // namespace tessera::ir::gpu
