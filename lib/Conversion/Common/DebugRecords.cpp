//===- DebugRecords.cpp - writes what prints and checks report ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The fields of records are named by their offsets here: this code calls no function.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/DebugRecords.h"

#include "IRSupport/Locations.h"
#include "tessera-ir/Dialect/Tile/IR/DTypes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <string>

namespace tessera::ir {

namespace LLVM = mlir::LLVM;

static constexpr std::uint64_t kRecordBytes = 64;
/// Of a PrintHeader, and of a FaultRecord's `state`.
static constexpr std::uint64_t kCount = 0, kCapacity = 4, kState = 0;
/// Of a PrintRecord.
static constexpr std::uint64_t kPrintSite = 0, kPrintValue = 4, kPrintProgram = 8, kPrintCoordinates = 32,
                               kPrintRank = 52, kPrintBits = 56;
/// Of a FaultRecord.
static constexpr std::uint64_t kFaultSite = 4, kFaultProgram = 8, kFaultCoordinates = 32, kFaultRank = 52;

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

/// "u8", "bf16", "ptr".
static std::string dtypeName(Type type, bool isUnsigned) {
  const DType dtype = tile::dtypeOf(type, isUnsigned);
  return dtype.isPointer() ? "ptr" : dtype.name();
}

static DictionaryAttr siteOf(Operation *op, StringRef text, ArrayRef<std::string> names, ArrayRef<std::string> dtypes) {
  Builder b(op->getContext());
  const auto strings = [&](StringRef key, ArrayRef<std::string> texts) {
    const SmallVector<StringRef> views(texts.begin(), texts.end());
    return b.getNamedAttr(key, b.getStrArrayAttr(views));
  };
  const std::string location = locationText(op->getLoc());
  return b.getDictionaryAttr({b.getNamedAttr("text", b.getStringAttr(text)),
                              b.getNamedAttr("location", b.getStringAttr(location.empty() ? "?" : location)),
                              strings("names", names), strings("dtypes", dtypes)});
}

DictionaryAttr debugSiteOf(tile::PrintOp print) {
  SmallVector<std::string> names, dtypes;
  for (auto [i, value] : llvm::enumerate(print.getValues())) {
    dtypes.push_back(dtypeName(value.getType(), print.getIsUnsigned() && (*print.getIsUnsigned())[i]));
    if (print.getNames())
      names.push_back(cast<StringAttr>((*print.getNames())[i]).str());
  }
  return siteOf(print, print.getPrefix(), names, dtypes);
}

DictionaryAttr debugSiteOf(tile::AssertOp check) {
  return siteOf(check, ("device_assert failed: " + check.getMessage()).str(), {}, {});
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// Where the fields that tell the place of an element lie in a record.
struct DebugRecords::PlaceFields {
  std::uint64_t program, coordinates, rank;
};

DebugRecords::~DebugRecords() = default;

Value DebugRecords::field(Value record, Value offset) {
  if (SmallCode::asConstant(offset) == 0)
    return record;
  return LLVM::GEPOp::create(b, loc, record.getType(), b.getI8Type(), record, ArrayRef<LLVM::GEPArg>{offset});
}

void DebugRecords::put(Value record, std::uint64_t offset, Value value) {
  store(value, field(record, code.i64(static_cast<std::int64_t>(offset))));
}

void DebugRecords::putPlace(Value record, const PlaceFields &fields, ArrayRef<Value> index) {
  for (unsigned axis = 0; axis != 3; ++axis)
    put(record, fields.program + 8 * axis, programId(static_cast<tile::Axis>(axis)));
  for (auto [axis, coordinate] : llvm::enumerate(index))
    put(record, fields.coordinates + 4 * axis, m.truncate(coordinate, 32));
  put(record, fields.rank, code.integer(32, static_cast<std::int64_t>(index.size())));
}

/// The element in the low bits of an i64.
static Value wideBits(MathBuilder &m, Value element) {
  if (isa<FloatType>(element.getType()))
    element = m.toBits(element);
  return m.zeroExtend(element, 64);
}

void DebugRecords::addPrint(unsigned site, ArrayRef<Value> index, ArrayRef<Value> values, Value buffer) {
  const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(values.size()));
  const Value first = fetchAdd(field(buffer, code.i64(kCount)), code.integer(32, count));
  const Value capacity = load(b.getI32Type(), field(buffer, code.i64(kCapacity)));
  for (std::int64_t number = 0; number != count; ++number) {
    const Value slot = m.addI(first, code.integer(32, number));
    ifThen(m.ltU(slot, capacity), [&] {
      const Value offset = code.mul(code.add(m.zeroExtend(slot, 64), code.i64(1)), code.i64(kRecordBytes));
      const Value record = field(buffer, offset);
      put(record, kPrintSite, code.integer(32, site));
      put(record, kPrintValue, code.integer(32, number));
      putPlace(record, {kPrintProgram, kPrintCoordinates, kPrintRank}, index);
      put(record, kPrintBits, values.empty() ? code.i64(0) : wideBits(m, values[static_cast<std::size_t>(number)]));
    });
  }
}

void DebugRecords::addFault(unsigned site, ArrayRef<Value> index, Value record) {
  ifThen(claim(field(record, code.i64(kState))), [&] {
    put(record, kFaultSite, code.integer(32, site));
    putPlace(record, {kFaultProgram, kFaultCoordinates, kFaultRank}, index);
  });
}

} // namespace tessera::ir
