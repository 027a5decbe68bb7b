//===- Promote.cpp - common types and shapes of operands -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS T3 and T4 (types) and M2 (NumPy's broadcasting). All conversions and repetitions become ops here.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

static std::string listed(std::string_view verb, ArrayRef<std::string> words) {
  std::string text = fmt::format("cannot {} ", verb);
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string cannot(std::string_view verb, ArrayRef<const Operand *> operands) {
  SmallVector<std::string> words;
  for (const Operand *operand : operands)
    words.push_back(describe(*operand));
  return listed(verb, words);
}

std::string cannot(std::string_view verb, ArrayRef<Typed> operands) {
  SmallVector<std::string> words;
  for (const Typed &operand : operands)
    words.push_back(describe(operand));
  return listed(verb, words);
}

/// Why two dtypes have no common one, with a hint.
static std::string whyApart(DType a, DType b) {
  if (a.isPointer() || b.isPointer())
    return "pointers take part in + and - with integers, in comparisons with pointers, and in where; load the elements "
           "first";
  const DType s = a.isSigned() ? a : b, u = a.isSigned() ? b : a;
  return fmt::format("{} and {} do not mix, since neither holds the values of the other; cast one side with .to",
                     nameOf(s), nameOf(u));
}

DType Recorder::commonType(std::string_view verb, ArrayRef<const Operand *> operands) {
  DType common;
  for (const Operand *operand : operands) {
    if (operand->isLiteral())
      continue;
    const Typed value = this->operand(*operand);
    if (isView(value))
      fail("{}: a view is not a block; read one with .load", cannot(verb, operands));
    if (common == DType{} || common == value.dtype) {
      common = value.dtype;
      continue;
    }
    const DType next = tessera::promote(common, value.dtype);
    if (next == DType{})
      fail("{}: {}", cannot(verb, operands), whyApart(common, value.dtype));
    common = next;
  }
  bool anyFloat = false, anyInteger = false;
  for (const Operand *operand : operands) {
    anyFloat |= operand->form == Operand::Form::Float;
    anyInteger |= operand->form == Operand::Form::Integer;
  }
  if (common == DType{}) // literals only
    return anyFloat ? f32 : anyInteger ? i32 : i1;
  if (anyFloat && (common.isInt() || common.isBool()))
    return f32;
  return common;
}

Operands Recorder::promoteTypes(std::string_view verb, ArrayRef<const Operand *> operands) {
  const DType common = commonType(verb, operands);
  Operands values;
  for (const Operand *operand : operands) {
    const Typed value = operand->isLiteral() ? literal(*operand, common) : this->operand(*operand);
    values.push_back(value.dtype == common ? value : convert(value, common));
  }
  return values;
}

Operands Recorder::promote(std::string_view verb, ArrayRef<const Operand *> operands) {
  for (const Operand *operand : operands)
    if (operand->form == Operand::Form::Traced)
      trace.use(operand->value, operand->at);
  return broadcastAll(verb, promoteTypes(verb, operands));
}

//===----------------------------------------------------------------------===//
// Shapes (SEMANTICS M2)
//===----------------------------------------------------------------------===//

bool Recorder::broadcasts(ArrayRef<std::int64_t> from, ArrayRef<std::int64_t> to) {
  if (from.size() > to.size())
    return false;
  const std::size_t lead = to.size() - from.size();
  for (std::size_t axis = 0; axis < from.size(); ++axis)
    if (from[axis] != 1 && from[axis] != to[lead + axis])
      return false;
  return true;
}

Typed Recorder::broadcast(Typed value, ArrayRef<std::int64_t> shape) {
  const ArrayRef<std::int64_t> from = shapeOf(value);
  if (from == shape)
    return value;
  if (from.empty())
    return {tile::SplatOp::create(builder(), loc, value.value, shape), value.dtype};
  Value result = value.value;
  if (from.size() < shape.size()) {
    SmallVector<std::int64_t> padded(shape.size() - from.size(), 1);
    llvm::append_range(padded, from);
    for (std::size_t missing = shape.size() - from.size(); missing > 0; --missing)
      result = tile::ExpandDimsOp::create(builder(), loc, result, 0);
    if (ArrayRef<std::int64_t>(padded) == shape)
      return {result, value.dtype};
  }
  return {tile::BroadcastOp::create(builder(), loc, result, shape), value.dtype};
}

Operands Recorder::broadcastAll(std::string_view verb, ArrayRef<Typed> values) {
  std::size_t rank = 0;
  for (const Typed &value : values)
    rank = std::max(rank, rankOf(value));
  SmallVector<std::int64_t> shape(rank, 1);
  for (const Typed &value : values) {
    const ArrayRef<std::int64_t> extents = shapeOf(value);
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      std::int64_t &extent = shape[rank - extents.size() + axis];
      if (extents[axis] != 1 && extent != 1 && extent != extents[axis])
        fail(
            "{}: shapes do not broadcast (axis {}: {} and {}); extents must be equal or 1, counted from the last axis; "
            "place a 1-D tile with .row() or .col()",
            cannot(verb, values), rank - extents.size() + axis, extent, extents[axis]);
      if (extent == 1)
        extent = extents[axis];
    }
  }
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape)
    elements = std::min(elements * extent, tile::kMaxElements + 1);
  if (elements > tile::kMaxElements)
    fail("{}: the result would have the shape {}; a tile has at most {} elements; use smaller blocks",
         cannot(verb, values), nameOf(shape), tile::kMaxElements);
  Operands results;
  for (const Typed &value : values)
    results.push_back(broadcast(value, shape));
  return results;
}

} // namespace tessera::ir
