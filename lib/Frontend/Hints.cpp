//===- Hints.cpp - facts the user vouches for ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS P2.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Hints.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

enum class Hint : std::uint8_t { MultipleOf, MaxContiguous };

static Tile hinted(const Operand &x, ArrayRef<std::int64_t> numbers, Hint hint, At at) {
  Recorder r(at);
  const std::string_view verb = hint == Hint::MultipleOf ? "multiple_of" : "max_contiguous";
  r.refuseInCombine(verb);
  const Typed value = r.operand(x);
  if (!value.dtype.isInt() && !value.dtype.isPointer())
    r.fail("{} on {}; it is for integers and pointers", verb, describe(value));
  const std::size_t rank = rankOf(value);
  if (rank == 0 && hint == Hint::MaxContiguous)
    r.fail("max_contiguous on {}; it is for tiles; use multiple_of for one number", describe(value));
  if (numbers.size() != std::max<std::size_t>(rank, 1))
    r.fail("{} with {} number{} for {}; there is one for each axis, {} here", verb, numbers.size(),
           numbers.size() == 1 ? "" : "s", describe(value), std::max<std::size_t>(rank, 1));
  for (const std::int64_t number : numbers)
    if (number < 1)
      r.fail("{} with {} for {}; the number is at least 1", verb, number, describe(value));
  const bool isMultiple = hint == Hint::MultipleOf;
  return r.tile({tile::HintOp::create(r.builder(), r.loc, value.value, isMultiple ? numbers : ArrayRef<std::int64_t>(),
                                      isMultiple ? ArrayRef<std::int64_t>() : numbers),
                 value.dtype});
}

static SmallVector<std::int64_t> listOf(const Shape &shape) {
  SmallVector<std::int64_t> list(shape.begin(), shape.end());
  list.resize(static_cast<std::size_t>(shape.rank()), 1);
  return list;
}

} // namespace tessera::ir

namespace tessera {

Tile multiple_of(Operand x, std::int64_t factor, std::source_location at) {
  return ir::hinted(x, factor, ir::Hint::MultipleOf, at);
}
Tile multiple_of(Operand x, const Shape &factors, std::source_location at) {
  return ir::hinted(x, ir::listOf(factors), ir::Hint::MultipleOf, at);
}
Tile max_contiguous(Operand x, std::int64_t length, std::source_location at) {
  return ir::hinted(x, length, ir::Hint::MaxContiguous, at);
}
Tile max_contiguous(Operand x, const Shape &lengths, std::source_location at) {
  return ir::hinted(x, ir::listOf(lengths), ir::Hint::MaxContiguous, at);
}

void assume(Operand condition, std::source_location at) {
  ir::Recorder r(at);
  r.refuseInCombine("assume");
  const ir::Typed fact = r.uniformCondition(condition, "the condition of assume");
  ir::tile::AssumeOp::create(r.builder(), r.loc, fact.value);
}

} // namespace tessera
