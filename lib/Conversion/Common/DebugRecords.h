//===- DebugRecords.h - writes what prints and checks report ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Writes the records of Runtime/DeviceRecords.h, and makes the entries of the table of sites, which HiddenArguments.h
// (Target) describes.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_DEBUGRECORDS_H
#define TESSERA_CONVERSION_COMMON_DEBUGRECORDS_H

#include "Conversion/Common/MathBuilder.h"
#include "Conversion/Common/SmallCode.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

/// The entry of the table of sites for a print or check.
DictionaryAttr debugSiteOf(tile::PrintOp print);
DictionaryAttr debugSiteOf(tile::AssertOp check);

class DebugRecords {
public:
  virtual ~DebugRecords();

  /// Adds the records of one element of \p print to \p buffer: one for each of \p values, in code, or one that holds
  /// none. \p index has the element's coordinates, i32 or i64.
  void addPrint(unsigned site, ArrayRef<Value> index, ArrayRef<Value> values, Value buffer);
  /// Records a failed check in \p record unless a fault was recorded before.
  void addFault(unsigned site, ArrayRef<Value> index, Value record);

protected:
  DebugRecords(OpBuilder &builder, const Location &location, SmallCode &code, MathBuilder &math)
      : b(builder), loc(location), code(code), m(math) {}

  /// Program coordinate, i64.
  virtual Value programId(tile::Axis axis) = 0;
  virtual Value load(Type type, Value pointer) = 0;
  virtual void store(Value value, Value pointer) = 0;
  /// Adds \p count to the number at \p pointer, i32 both, and gives what it was. Atomic.
  virtual Value fetchAdd(Value pointer, Value count) = 0;
  /// Makes the i32 at \p pointer 1 if it is 0, and says whether it was. Atomic.
  virtual Value claim(Value pointer) = 0;
  virtual void ifThen(Value condition, function_ref<void()> then) = 0;

  OpBuilder &b;
  const Location &loc;
  SmallCode &code;
  MathBuilder &m;

private:
  struct PlaceFields;
  Value field(Value record, Value offset);
  void put(Value record, std::uint64_t offset, Value value);
  void putPlace(Value record, const PlaceFields &fields, ArrayRef<Value> index);
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_DEBUGRECORDS_H
