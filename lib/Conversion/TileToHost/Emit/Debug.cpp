//===- Debug.cpp - printing and checking ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Writes the records of Runtime/DeviceRecords.h, whose fields are named by their offsets here: this code calls no
// function.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "IRSupport/Locations.h"
#include "tessera-ir/Dialect/Tile/IR/DTypes.h"

#include <string>

namespace tessera::ir::host {

namespace LLVM = mlir::LLVM;

namespace {

constexpr uint64_t kRecordBytes = 64;
/// Of a PrintHeader, and of a FaultRecord's `state`.
constexpr uint64_t kCount = 0, kCapacity = 4, kState = 0;
/// Of a PrintRecord.
constexpr uint64_t kPrintSite = 0, kPrintValue = 4, kPrintProgram = 8, kPrintCoordinates = 32, kPrintRank = 52,
                   kPrintBits = 56;
/// Of a FaultRecord.
constexpr uint64_t kFaultSite = 4, kFaultProgram = 8, kFaultCoordinates = 32, kFaultRank = 52;

/// Where the fields that tell the place of a lane lie in a record.
struct PlaceFields {
  uint64_t program, coordinates, rank;
};

Value field(Emitter &e, Value record, uint64_t offset) {
  return e.elementPointer(record, e.i64(static_cast<int64_t>(offset)), e.builder().getI8Type());
}
void put(Emitter &e, Value record, uint64_t offset, Value value) {
  e.store(value.getType(), value, field(e, record, offset), Space::Arguments);
}

void putPlace(Emitter &e, Value record, const PlaceFields &fields, ArrayRef<Value> index) {
  for (unsigned axis = 0; axis != 3; ++axis)
    put(e, record, fields.program + 8 * axis, e.programId(static_cast<tile::Axis>(axis)));
  for (auto [axis, coordinate] : llvm::enumerate(index))
    put(e, record, fields.coordinates + 4 * axis, e.math().truncate(coordinate, 32));
  put(e, record, fields.rank, e.integer(32, static_cast<int64_t>(index.size())));
}

/// "u8", "bf16", "ptr".
std::string dtypeName(Type type, bool isUnsigned) {
  const DType dtype = tile::dtypeOf(type, isUnsigned);
  return dtype.isPointer() ? "ptr" : dtype.name();
}

NamedAttribute strings(OpBuilder &b, StringRef key, ArrayRef<std::string> texts) {
  SmallVector<StringRef> views(texts.begin(), texts.end());
  return b.getNamedAttr(key, b.getStrArrayAttr(views));
}

unsigned siteOf(Emitter &e, Operation &op, StringRef text, ArrayRef<std::string> names, ArrayRef<std::string> dtypes) {
  OpBuilder &b = e.builder();
  const std::string location = locationText(op.getLoc());
  return e.addSite(b.getDictionaryAttr({b.getNamedAttr("text", b.getStringAttr(text)),
                                        b.getNamedAttr("location", b.getStringAttr(location.empty() ? "?" : location)),
                                        strings(b, "names", names), strings(b, "dtypes", dtypes)}));
}

//===----------------------------------------------------------------------===//
// print
//===----------------------------------------------------------------------===//

unsigned siteOf(Emitter &e, tile::PrintOp print) {
  SmallVector<std::string> names, dtypes;
  for (auto [i, value] : llvm::enumerate(print.getValues())) {
    dtypes.push_back(dtypeName(value.getType(), print.getIsUnsigned() && (*print.getIsUnsigned())[i]));
    if (print.getNames())
      names.push_back(cast<StringAttr>((*print.getNames())[i]).str());
  }
  return siteOf(e, *print, print.getPrefix(), names, dtypes);
}

/// The element in the low bits of an i64.
Value wideBits(Emitter &e, Value code) {
  if (isa<FloatType>(code.getType()))
    code = e.math().toBits(code);
  return code.getType().isInteger(64) ? code : e.math().zeroExtend(code, 64);
}

/// Adds the records of one lane; without values there is one that holds none.
void addRecords(Emitter &e, tile::PrintOp print, unsigned site, const LaneBlock &lane) {
  OpBuilder &b = e.builder();
  MathBuilder &m = e.math();
  const Type i32 = b.getI32Type();
  const auto values = std::max<int64_t>(1, static_cast<int64_t>(print.getValues().size()));
  const Value first = LLVM::AtomicRMWOp::create(b, e.loc(), LLVM::AtomicBinOp::add, field(e, e.printBuffer(), kCount),
                                                e.integer(32, values), LLVM::AtomicOrdering::monotonic);
  const Value capacity = e.load(i32, 1, field(e, e.printBuffer(), kCapacity), Space::Arguments);
  for (int64_t number = 0; number != values; ++number) {
    const Value slot = m.addI(first, e.integer(32, number));
    e.ifThen(m.ltU(slot, capacity), [&] {
      const Value offset = e.mul(e.add(m.zeroExtend(slot, 64), e.i64(1)), e.i64(kRecordBytes));
      const Value record = e.elementPointer(e.printBuffer(), offset, b.getI8Type());
      put(e, record, kPrintSite, e.integer(32, site));
      put(e, record, kPrintValue, e.integer(32, number));
      putPlace(e, record, {kPrintProgram, kPrintCoordinates, kPrintRank}, lane.index);
      Value bits = e.i64(0);
      if (!print.getValues().empty())
        bits = wideBits(e, e.lanes(print.getValues()[static_cast<size_t>(number)], lane));
      put(e, record, kPrintBits, bits);
    });
  }
}

void emitPrint(Operation &op, Emitter &e) {
  auto print = cast<tile::PrintOp>(op);
  const unsigned site = siteOf(e, print);
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

/// Records the lane unless a fault was recorded before.
void recordFault(Emitter &e, unsigned site, ArrayRef<Value> index) {
  OpBuilder &b = e.builder();
  const Value record = e.faultFlag();
  const Value claimed =
      LLVM::AtomicCmpXchgOp::create(b, e.loc(), field(e, record, kState), e.integer(32, 0), e.integer(32, 1),
                                    LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::acquire);
  e.ifThen(LLVM::ExtractValueOp::create(b, e.loc(), claimed, 1), [&] {
    put(e, record, kFaultSite, e.integer(32, site));
    putPlace(e, record, {kFaultProgram, kFaultCoordinates, kFaultRank}, index);
  });
}

void emitAssert(Operation &op, Emitter &e) {
  auto assertOp = cast<tile::AssertOp>(op);
  if (!e.faultFlag())
    return;
  const unsigned site = siteOf(e, op, ("device_assert failed: " + assertOp.getMessage()).str(), {}, {});
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
          recordFault(e, site, index);
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
