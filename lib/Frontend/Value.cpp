//===- Value.cpp - what all traced values share --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera/lang/Tile.h"

namespace tessera {

using ir::Recorder;

Operand::Operand(const Value &source, std::source_location at)
    : form(Form::Traced), value(source.handle.read(at)), at(at) {}

DType Value::dtype(std::source_location at) const { return handle.read(at).dtype; }

Shape Value::shape(std::source_location at) const {
  Shape shape;
  for (const std::int64_t extent : ir::shapeOf(ir::Value::getFromOpaquePointer(handle.read(at).value)))
    shape.push_back(extent);
  return shape;
}

int Value::rank(std::source_location at) const { return shape(at).rank(); }

/// A number as a scalar in its own type.
static detail::Snapshot ownType(const Operand &literal) {
  Recorder r(literal.at);
  return r.snapshot(r.operand(literal));
}

Tile::Tile(const Operand &literal) : Value(ownType(literal), literal.at) {}

Tile Tile::row(std::source_location at) const {
  Recorder r(at);
  const ir::Typed value = r.operand(Operand(*this, at));
  if (ir::rankOf(value) != 1)
    r.fail(".row() of {}; it places a 1-D tile as 1 x n; use expand_dims for other ranks", ir::describe(value));
  return r.tile({ir::tile::ExpandDimsOp::create(r.builder(), r.loc, value.value, 0), value.dtype});
}

Tile Tile::col(std::source_location at) const {
  Recorder r(at);
  const ir::Typed value = r.operand(Operand(*this, at));
  if (ir::rankOf(value) != 1)
    r.fail(".col() of {}; it places a 1-D tile as n x 1; use expand_dims for other ranks", ir::describe(value));
  return r.tile({ir::tile::ExpandDimsOp::create(r.builder(), r.loc, value.value, 1), value.dtype});
}

Tile Tile::named(std::string_view name, std::source_location at) const {
  handle.setName(name, at);
  return Tile(*this, at);
}

} // namespace tessera
