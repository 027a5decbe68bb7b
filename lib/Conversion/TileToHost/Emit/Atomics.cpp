//===- Atomics.cpp - atomic access ---------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Lanes take effect one after the other. What the processor has no instruction for is a loop of compare-and-swaps on
// the element's bits. Every scope is that of the system: programs of a block's scope cost nothing more here.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "Conversion/Common/AtomicMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

namespace LLVM = mlir::LLVM;
using tile::AtomicKind;
using tile::MemoryOrder;

namespace {

LLVM::AtomicOrdering orderingOf(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case MemoryOrder::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case MemoryOrder::Release:
    return LLVM::AtomicOrdering::release;
  case MemoryOrder::AcqRel:
    return LLVM::AtomicOrdering::acq_rel;
  }
  return LLVM::AtomicOrdering::seq_cst;
}

/// What a failed compare-and-swap of this order still orders.
LLVM::AtomicOrdering failureOf(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel ? LLVM::AtomicOrdering::acquire
                                                                       : LLVM::AtomicOrdering::monotonic;
}

/// The instruction for integers, if there is one.
std::optional<LLVM::AtomicBinOp> instructionOf(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return LLVM::AtomicBinOp::add;
  case AtomicKind::Sub:
    return LLVM::AtomicBinOp::sub;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Xchg:
    return LLVM::AtomicBinOp::xchg;
  case AtomicKind::Min:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::Max:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  default:
    return std::nullopt;
  }
}

/// One lane of one atomic op.
class AtomicLane {
public:
  AtomicLane(Operation &op, Emitter &e) : op(op), e(e) {
    element = cast<tile::PtrType>(tile::elementOf(op.getOperand(0).getType())).getPointee();
    bytes = storedBytes(element);
  }

  /// What the lane reads; nothing for a store. Operands are those of the op, without the mask.
  Value emit(ValueRange operands) {
    OpBuilder &b = e.builder();
    const Value pointer = e.toPointer(operands[0]);
    return llvm::TypeSwitch<Operation *, Value>(&op)
        .Case([&](tile::AtomicRMWOp rmw) { return modify(rmw, pointer, operands[1]); })
        .Case([&](tile::AtomicCASOp cas) {
          const Value swapped = compareAndSwap(pointer, toBits(operands[1]), toBits(operands[2]), cas.getOrder());
          return fromBits(LLVM::ExtractValueOp::create(b, e.loc(), swapped, 0));
        })
        .Case([&](tile::AtomicLoadOp load) {
          return fromBits(LLVM::LoadOp::create(b, e.loc(), bitsType(), pointer, bytes, false, false, false, false,
                                               orderingOf(load.getOrder())));
        })
        .Case([&](tile::AtomicStoreOp store) {
          LLVM::StoreOp::create(b, e.loc(), toBits(operands[1]), pointer, bytes, false, false, false,
                                orderingOf(store.getOrder()));
          return Value();
        });
  }

private:
  IntegerType bitsType() { return e.builder().getIntegerType(8 * bytes); }
  Value toBits(Value code) { return isa<FloatType>(code.getType()) ? e.math().toBits(code) : code; }
  Value fromBits(Value bits) {
    const Type code = laneElement(element);
    return isa<FloatType>(code) ? e.math().fromBits(bits, cast<FloatType>(code)) : bits;
  }

  Value compareAndSwap(Value pointer, Value expected, Value desired, MemoryOrder order) {
    return LLVM::AtomicCmpXchgOp::create(e.builder(), e.loc(), pointer, expected, desired, orderingOf(order),
                                         failureOf(order), StringRef(), bytes);
  }

  Value modify(tile::AtomicRMWOp rmw, Value pointer, Value value) {
    if (const std::optional<LLVM::AtomicBinOp> instruction = instructionOf(rmw.getKind()))
      return fromBits(LLVM::AtomicRMWOp::create(e.builder(), e.loc(), *instruction, pointer, toBits(value),
                                                orderingOf(rmw.getOrder()), StringRef(), bytes));
    return modifyInLoop(rmw, pointer, value);
  }

  Value modifyInLoop(tile::AtomicRMWOp rmw, Value pointer, Value value) {
    OpBuilder &b = e.builder();
    const Value seen = LLVM::LoadOp::create(b, e.loc(), bitsType(), pointer, bytes, false, false, false, false,
                                            LLVM::AtomicOrdering::monotonic);
    auto loop = mlir::scf::WhileOp::create(b, e.loc(), TypeRange{bitsType()}, ValueRange{seen});
    OpBuilder::InsertionGuard guard(b);
    Block *const before = b.createBlock(&loop.getBefore(), {}, {bitsType()}, {e.loc()});
    const Value old = before->getArgument(0);
    const Value changed = combineAtomic(e.math(), rmw.getKind(), fromBits(old), value, element);
    const Value swapped = compareAndSwap(pointer, old, toBits(changed), rmw.getOrder());
    const Value found = LLVM::ExtractValueOp::create(b, e.loc(), swapped, 0);
    const Value isDone = LLVM::ExtractValueOp::create(b, e.loc(), swapped, 1);
    mlir::scf::ConditionOp::create(b, e.loc(), e.math().notI(isDone), ValueRange{found});
    Block *const after = b.createBlock(&loop.getAfter(), {}, {bitsType()}, {e.loc()});
    mlir::scf::YieldOp::create(b, e.loc(), after->getArguments());
    b.setInsertionPointAfter(loop);
    return fromBits(loop.getResult(0));
  }

  Operation &op;
  Emitter &e;
  Type element;
  unsigned bytes;
};

Value maskOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp>(
          [](auto atomic) { return atomic.getMask(); });
}

/// The result of one lane whose mask is \p mask (null: true).
SmallVector<Value> emitMasked(Operation &op, Emitter &e, ValueRange operands, Value mask) {
  SmallVector<Type> results;
  if (op.getNumResults())
    results.push_back(laneElement(tile::elementOf(op.getResult(0).getType())));
  const auto lane = [&]() -> SmallVector<Value> {
    const Value read = AtomicLane(op, e).emit(operands);
    return results.empty() ? SmallVector<Value>() : SmallVector<Value>{read};
  };
  if (!mask)
    return lane();
  return e.ifElse(mask, results, lane,
                  [&] { return results.empty() ? SmallVector<Value>() : SmallVector<Value>{e.zero(results[0])}; });
}

class AtomicSink : public GroupSink {
public:
  AtomicSink(const Sink &sink) : op(*sink.op) {}
  SmallVector<Value> begin(Emitter &, ValueRange, const Domain &) override { return {}; }
  void end(Emitter &, ValueRange, ValueRange) override {}

  SmallVector<Value> blocks(Emitter &e, ArrayRef<LaneBlock> blocks, ValueRange) override {
    const bool isWanted = op.getNumResults() && e.hasBuffer(op.getResult(0));
    SmallVector<Type> types;
    if (isWanted)
      types.push_back(laneElement(tile::elementOf(op.getResult(0).getType())));
    for (const LaneBlock &block : blocks) {
      SmallVector<Value> operands;
      for (Value operand : op.getOperands())
        operands.push_back(e.lanes(operand, block));
      const SmallVector<Value> read = e.mapLanes(operands, types, [&](Value, ValueRange lane) {
        const bool hasMask = static_cast<bool>(maskOf(op));
        SmallVector<Value> results =
            emitMasked(op, e, hasMask ? lane.drop_back() : lane, hasMask ? lane.back() : Value());
        return isWanted ? results : SmallVector<Value>();
      });
      if (isWanted)
        e.writeBuffer(e.bufferOf(op.getResult(0)), read[0], block);
    }
    return {};
  }

private:
  Operation &op;
};

/// An atomic of a scalar pointer.
void emitAtomic(Operation &op, Emitter &e) {
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(e.scalar(operand));
  Value mask;
  if (maskOf(op))
    mask = operands.pop_back_val();
  const SmallVector<Value> read = emitMasked(op, e, operands, mask);
  if (!read.empty())
    e.setScalar(op.getResult(0), read[0]);
}

std::unique_ptr<GroupSink> makeSink(const Sink &sink, Emitter &) { return std::make_unique<AtomicSink>(sink); }

} // namespace

void registerAtomicOps(OpTable &table) {
  table.add<tile::AtomicRMWOp>(emitAtomic, makeSink);
  table.add<tile::AtomicCASOp>(emitAtomic, makeSink);
  table.add<tile::AtomicLoadOp>(emitAtomic, makeSink);
  table.add<tile::AtomicStoreOp>(emitAtomic, makeSink);
}

} // namespace tessera::ir::host
