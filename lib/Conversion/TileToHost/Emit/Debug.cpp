//===- Debug.cpp - printing and checking ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"
#include "Conversion/TileToHost/Emit/Core.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "Conversion/Common/DebugRecords.h"

namespace tessera::ir::host {

namespace LLVM = mlir::LLVM;

namespace {

class HostRecords final : public DebugRecords {
public:
  explicit HostRecords(Emitter &e) : DebugRecords(e.builder(), e.state().loc, e.state().code, e.math()), e(e) {}

private:
  Value programId(tile::Axis axis) override { return e.programId(axis); }
  Value load(Type type, Value pointer) override { return e.load(type, 1, pointer, Space::Arguments); }
  void store(Value value, Value pointer) override { e.store(value.getType(), value, pointer, Space::Arguments); }
  void ifThen(Value condition, function_ref<void()> then) override { e.ifThen(condition, then); }

  Value fetchAdd(Value pointer, Value count) override {
    return LLVM::AtomicRMWOp::create(b, loc, LLVM::AtomicBinOp::add, pointer, count, LLVM::AtomicOrdering::monotonic);
  }
  Value claim(Value pointer) override {
    const Value claimed = LLVM::AtomicCmpXchgOp::create(b, loc, pointer, e.integer(32, 0), e.integer(32, 1),
                                                        LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::acquire);
    return LLVM::ExtractValueOp::create(b, loc, claimed, 1);
  }

  Emitter &e;
};

//===----------------------------------------------------------------------===//
// print
//===----------------------------------------------------------------------===//

/// Adds the records of one lane.
void addRecords(Emitter &e, tile::PrintOp print, unsigned site, const LaneBlock &lane) {
  SmallVector<Value> values;
  for (Value value : print.getValues())
    values.push_back(e.lanes(value, lane));
  HostRecords(e).addPrint(site, lane.index, values, e.printBuffer());
}

void emitPrint(Operation &op, Emitter &e) {
  auto print = cast<tile::PrintOp>(op);
  const unsigned site = e.addSite(debugSiteOf(print));
  ArrayRef<int64_t> shape; // of the tiles among the values; a scalar is the same in all lanes
  for (Value value : print.getValues())
    if (isa<RankedTensorType>(value.getType()))
      shape = tile::shapeOf(value.getType());
  const Value predicate = print.getPred();
  const auto lane = [&](const LaneBlock &block, Value wanted) {
    if (wanted)
      e.ifThen(wanted, [&] { addRecords(e, print, site, block); });
    else
      addRecords(e, print, site, block);
  };
  const bool isOneLine = shape.empty() && predicate && isa<RankedTensorType>(predicate.getType());
  if (isOneLine) { // where the predicate is true anywhere
    const Domain all = domainOf(tile::shapeOf(predicate.getType()), e.preferredLanes({predicate.getType()}));
    const SmallVector<Value> anywhere = e.forDomain(
        all, 1, {e.integer(1, 0)}, [&](ArrayRef<LaneBlock> blocks, ValueRange before) -> SmallVector<Value> {
          return {e.math().orI(before[0], e.any(e.lanes(predicate, blocks[0])))};
        });
    return lane(LaneBlock(), anywhere[0]);
  }
  e.forDomain(domainOf(shape, 1), 1, [&](ArrayRef<LaneBlock> blocks) {
    lane(blocks[0], predicate ? e.lanes(predicate, blocks[0]) : Value());
  });
}

//===----------------------------------------------------------------------===//
// assert
//===----------------------------------------------------------------------===//

void emitAssert(Operation &op, Emitter &e) {
  auto assertOp = cast<tile::AssertOp>(op);
  if (!e.faultFlag())
    return;
  const unsigned site = e.addSite(debugSiteOf(assertOp));
  const Value condition = assertOp.getCondition();
  const Domain all = domainOf(tile::shapeOf(condition.getType()), e.preferredLanes({e.builder().getI8Type()}));
  e.forDomain(all, 1, [&](ArrayRef<LaneBlock> blocks) {
    const LaneBlock &block = blocks[0];
    const Value failed = e.math().notI(e.lanes(condition, block));
    e.ifThen(e.any(failed), [&] {
      e.forLanes({failed}, [&](Value lane, ValueRange isFailed) {
        e.ifThen(isFailed[0], [&] {
          SmallVector<Value, 5> index = block.index;
          if (block.lanes > 1)
            index[block.axis] = e.add(index[block.axis], lane);
          HostRecords(e).addFault(site, index, e.faultFlag());
        });
      });
    });
  });
}

} // namespace

void registerDebugOps(OpTable &table) {
  table.add<tile::PrintOp>(emitPrint);
  table.add<tile::AssertOp>(emitAssert);
}

} // namespace tessera::ir::host
