//===- Shape.cpp - moving elements without computing on them -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS S1 and S3, and broadcast_to by M2.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Shape.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

/// Begins one of these operations on one tile; a scalar is refused, since it has no axes.
static Typed tileOperand(Recorder &r, const Operand &x, std::string_view verb) {
  const Typed value = r.operand(x);
  if (rankOf(value) == 0)
    r.fail("cannot {} {}; it works on the axes of a tile; make one with broadcast_to or full", verb, describe(value));
  return value;
}

/// One number an axis, as written.
static SmallVector<std::int64_t> onePerAxis(const Recorder &r, const Shape &list, Typed value, std::string_view what) {
  if (static_cast<std::size_t>(list.rank()) != rankOf(value))
    r.fail("{} {} for {}; there is one for each axis, {} here", list.rank(), what, describe(value), rankOf(value));
  return SmallVector<std::int64_t>(list.begin(), list.end());
}

/// Throws unless the box at \p offsets of \p sizes is inside \p whole.
static void checkBox(const Recorder &r, ArrayRef<std::int64_t> offsets, ArrayRef<std::int64_t> sizes, Typed whole,
                     std::string_view verb) {
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const std::int64_t extent = shapeOf(whole)[axis];
    if (offsets[axis] < 0 || offsets[axis] > extent - sizes[axis])
      r.fail("cannot {} {} elements from {} on along axis {} of {}; the box must lie inside, so the offset is 0 to {}",
             verb, sizes[axis], offsets[axis], axis, describe(whole), extent - sizes[axis]);
  }
}

static SmallVector<std::int64_t> withoutAxis(ArrayRef<std::int64_t> shape, std::int32_t axis) {
  SmallVector<std::int64_t> rest(shape);
  rest.erase(rest.begin() + axis);
  return rest;
}

/// An index on \p axis of \p whole: a number inside the extent, or one integer a program.
static Value indexOn(Recorder &r, const IndexOperand &index, Typed whole, std::int32_t axis) {
  const std::int64_t extent = shapeOf(whole)[static_cast<std::size_t>(axis)];
  if (index.form == Operand::Form::Integer && (index.negative || index.integer >= static_cast<std::uint64_t>(extent)))
    throw UsageError(index.at, fmt::format("index {} on axis {} of {}; an index is 0 to {}",
                                           index.negative ? fmt::to_string(static_cast<std::int64_t>(index.integer))
                                                          : fmt::to_string(index.integer),
                                           axis, describe(whole), extent - 1));
  return r.index(index, "the index").value;
}

static Typed joined(Recorder &r, std::string_view verb, const Operand &a, const Operand &b) {
  const Operands both = r.promote(verb, {&a, &b});
  SmallVector<std::int64_t> shape(shapeOf(both[0]));
  shape.push_back(2);
  checkBlock(shape, fmt::format("{} and {} joined", describe(both[0]), describe(both[1])), r.at);
  return {tile::JoinOp::create(r.builder(), r.loc, both[0].value, both[1].value), both[0].dtype};
}

} // namespace tessera::ir

namespace tessera {

using ir::ArrayRef;
using ir::Recorder;
using ir::SmallVector;
using ir::Typed;
namespace tile = ir::tile;

Tile reshape(Operand x, const Shape &shape, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("reshape");
  const Typed value = r.operand(x);
  const SmallVector<std::int64_t> extents =
      ir::blockShape(shape, fmt::format("the reshape of {}", ir::describe(value)), at);
  const auto count = [](ArrayRef<std::int64_t> list) {
    std::int64_t product = 1;
    for (const std::int64_t extent : list)
      product *= extent;
    return product;
  };
  const std::int64_t from = count(ir::shapeOf(value)), to = count(extents);
  if (from != to)
    r.fail("cannot reshape {} to {}: {} elements and {}; a reshape keeps the number of elements; use broadcast_to to "
           "repeat or slice to cut",
           ir::describe(value), ir::nameOf(extents), from, to);
  if (ir::shapeOf(value) == ArrayRef<std::int64_t>(extents))
    return r.tile(value);
  return r.tile({tile::ReshapeOp::create(r.builder(), r.loc, value.value, extents), value.dtype});
}

Tile trans(Operand x, const Shape &permutation, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("trans");
  const Typed value = r.operand(x);
  const auto rank = static_cast<int>(ir::rankOf(value));
  SmallVector<std::int32_t> axes;
  if (permutation.rank() == 0) {
    if (rank < 2)
      r.fail(
          "cannot transpose {}; without a permutation trans exchanges the last two axes; place a 1-D tile with .row() "
          "or .col()",
          ir::describe(value));
    for (int axis = 0; axis < rank; ++axis)
      axes.push_back(axis);
    std::swap(axes[static_cast<std::size_t>(rank) - 1], axes[static_cast<std::size_t>(rank) - 2]);
  } else {
    std::uint32_t seen = 0;
    for (const std::int64_t axis : ir::onePerAxis(r, permutation, value, "axes in the permutation"))
      axes.push_back(ir::checkAxis(axis, static_cast<std::size_t>(rank), at));
    for (const std::int32_t axis : axes)
      seen |= 1u << axis;
    if (seen != (1u << rank) - 1)
      r.fail("the permutation {} of {} names an axis twice; it names each axis once",
             ir::nameOf(SmallVector<std::int64_t>(permutation.begin(), permutation.end())), ir::describe(value));
  }
  return r.tile({tile::TransOp::create(r.builder(), r.loc, value.value, axes), value.dtype});
}

Tile join(Operand a, Operand b, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("join");
  return r.tile(ir::joined(r, "join", a, b));
}

Halves split(Operand x, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("split");
  const Typed value = r.operand(x);
  if (ir::rankOf(value) == 0 || ir::shapeOf(value).back() != 2)
    r.fail("cannot split {}; its last axis must have the extent 2; reshape it to end in 2 first", ir::describe(value));
  auto op = tile::SplitOp::create(r.builder(), r.loc, value.value);
  return {r.tile({op.getLhs(), value.dtype}), r.tile({op.getRhs(), value.dtype})};
}

Tile cat(Operand a, Operand b, int axis, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("cat");
  const ir::Operands both = r.promoteTypes("concatenate", {&a, &b});
  const ArrayRef<std::int64_t> first = ir::shapeOf(both[0]), second = ir::shapeOf(both[1]);
  if (first.empty() && second.empty())
    r.fail("{}; scalars have no axes; join makes a tile of two", ir::cannot("concatenate", {both[0], both[1]}));
  if (first != second)
    r.fail("{}: the shapes differ; both must have one shape, so that the result's extent is a power of two; use "
           "broadcast_to, or insert to fill a part",
           ir::cannot("concatenate", {both[0], both[1]}));
  const std::int32_t where = ir::checkAxis(axis, first.size(), at);
  SmallVector<std::int64_t> shape(first);
  shape[static_cast<std::size_t>(where)] *= 2;
  ir::checkBlock(shape, fmt::format("{} and {} concatenated", ir::describe(both[0]), ir::describe(both[1])), at);
  return r.tile({tile::CatOp::create(r.builder(), r.loc, both[0].value, both[1].value, where), both[0].dtype});
}

Tile flip(Operand x, int axis, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("flip");
  const Typed value = ir::tileOperand(r, x, "flip");
  const std::int32_t where = ir::checkAxis(axis, ir::rankOf(value), at);
  return r.tile({tile::FlipOp::create(r.builder(), r.loc, value.value, where), value.dtype});
}

Tile interleave(Operand a, Operand b, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("interleave");
  const Typed pairs = ir::joined(r, "interleave", a, b);
  SmallVector<std::int64_t> shape(ir::shapeOf(pairs).drop_back());
  if (shape.empty())
    return r.tile(pairs);
  shape.back() *= 2;
  return r.tile({tile::ReshapeOp::create(r.builder(), r.loc, pairs.value, shape), pairs.dtype});
}

Tile slice(Operand x, const Shape &offsets, const Shape &sizes, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("slice");
  const Typed value = ir::tileOperand(r, x, "slice");
  const SmallVector<std::int64_t> from = ir::onePerAxis(r, offsets, value, "offsets");
  ir::onePerAxis(r, sizes, value, "sizes");
  const SmallVector<std::int64_t> extents =
      ir::blockShape(sizes, fmt::format("the slice of {}", ir::describe(value)), at);
  ir::checkBox(r, from, extents, value, "slice");
  return r.tile({tile::SliceOp::create(r.builder(), r.loc, value.value, from, extents), value.dtype});
}

Tile insert(Operand x, Operand value, const Shape &offsets, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("insert");
  const Typed whole = ir::tileOperand(r, x, "insert into");
  const Typed part = r.operandAs(value, whole.dtype, "the value inserted");
  if (ir::rankOf(part) != ir::rankOf(whole))
    r.fail("cannot insert {} into {}; both must have one rank, since the value's extents say how much is replaced; use "
           "full, reshape or expand_dims",
           ir::describe(part), ir::describe(whole));
  const SmallVector<std::int64_t> from = ir::onePerAxis(r, offsets, whole, "offsets");
  ir::checkBox(r, from, ir::shapeOf(part), whole, "insert");
  return r.tile({tile::InsertOp::create(r.builder(), r.loc, whole.value, part.value, from), whole.dtype});
}

Tile gather(Operand x, Operand index, int axis, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("gather");
  const Typed value = ir::tileOperand(r, x, "gather from");
  const std::int32_t where = ir::checkAxis(axis, ir::rankOf(value), at);
  Typed from = r.operand(index);
  if (!from.dtype.isInt())
    r.fail("cannot gather from {} by {}; indices are integers; convert them with .to(i32)", ir::describe(value),
           ir::describe(from));
  if (ir::rankOf(from) != ir::rankOf(value))
    r.fail("cannot gather from {} by {}; the index has the rank of the tile, one index an element of the result; use "
           "expand_dims, or extract_at for one index a program",
           ir::describe(value), ir::describe(from));
  SmallVector<std::int64_t> shape(ir::shapeOf(value));
  shape[static_cast<std::size_t>(where)] = ir::shapeOf(from)[static_cast<std::size_t>(where)];
  if (!Recorder::broadcasts(ir::shapeOf(from), shape))
    r.fail("cannot gather from {} by {} along axis {}; on the other axes the index has the tile's extents, or 1",
           ir::describe(value), ir::describe(from), where);
  ir::checkBlock(shape, fmt::format("what is gathered from {}", ir::describe(value)), at);
  from = r.broadcast(from, shape);
  if (from.dtype.isUnsigned() && from.dtype.bits() < 64) // the op's indices are signed
    from = r.convert(from, from.dtype.bits() < 32 ? i32 : i64);
  return r.tile({tile::GatherOp::create(r.builder(), r.loc, value.value, from.value, where), value.dtype});
}

Tile extract_at(Operand x, int axis, IndexOperand index, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("extract_at");
  const Typed value = ir::tileOperand(r, x, "extract from");
  const std::int32_t where = ir::checkAxis(axis, ir::rankOf(value), at);
  const ir::Value place = ir::indexOn(r, index, value, where);
  return r.tile({tile::ExtractAtOp::create(r.builder(), r.loc, value.value, place, where), value.dtype});
}

Tile insert_at(Operand x, int axis, IndexOperand index, Operand value, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("insert_at");
  const Typed whole = ir::tileOperand(r, x, "insert into");
  const std::int32_t where = ir::checkAxis(axis, ir::rankOf(whole), at);
  const Typed part = r.operandAs(value, whole.dtype, "the value inserted");
  const SmallVector<std::int64_t> shape = ir::withoutAxis(ir::shapeOf(whole), where);
  if (!Recorder::broadcasts(ir::shapeOf(part), shape))
    r.fail("cannot insert {} at an index on axis {} of {}; the value must broadcast to the shape without that axis, {}",
           ir::describe(part), where, ir::describe(whole), ir::nameOf(shape));
  const ir::Value place = ir::indexOn(r, index, whole, where);
  return r.tile(
      {tile::InsertAtOp::create(r.builder(), r.loc, whole.value, r.broadcast(part, shape).value, place, where),
       whole.dtype});
}

Tile expand_dims(Operand x, int axis, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("expand_dims");
  const Typed value = r.operand(x);
  const auto rank = static_cast<int>(ir::rankOf(value));
  if (axis < -rank - 1 || axis > rank)
    r.fail("cannot insert axis {} into {}; a new axis is 0 to {}, or {} to -1 counted from the end", axis,
           ir::describe(value), rank, -rank - 1);
  const std::int32_t where = axis < 0 ? axis + rank + 1 : axis;
  SmallVector<std::int64_t> shape(ir::shapeOf(value));
  shape.insert(shape.begin() + where, 1);
  ir::checkBlock(shape, fmt::format("{} with another axis", ir::describe(value)), at);
  if (rank == 0)
    return r.tile(r.broadcast(value, shape));
  return r.tile({tile::ExpandDimsOp::create(r.builder(), r.loc, value.value, where), value.dtype});
}

Tile broadcast_to(Operand x, const Shape &shape, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("broadcast_to");
  const Typed value = r.operand(x);
  const SmallVector<std::int64_t> extents =
      ir::blockShape(shape, fmt::format("the broadcast of {}", ir::describe(value)), at);
  if (!Recorder::broadcasts(ir::shapeOf(value), extents))
    r.fail(
        "cannot broadcast {} to {}; counted from the last axis, each extent must be that of the result or 1; place a "
        "1-D tile with .row() or .col()",
        ir::describe(value), ir::nameOf(extents));
  return r.tile(r.broadcast(value, extents));
}

} // namespace tessera
