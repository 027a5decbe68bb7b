//===- View.cpp - memory with extents and strides ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/lang/View.h"

#include "Frontend/Access.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

/// A view's SSA value; its dtype is the pointer to the elements.
static Typed viewOperand(Recorder &r, const tessera::detail::Handle &view) {
  return r.trace.use(view.read(r.at), r.at);
}

static tile::ViewType viewType(Typed view) { return cast<tile::ViewType>(view.value.getType()); }

static SmallVector<Value> coordinates(Recorder &r, Typed view, tessera::detail::Operands place) {
  const unsigned rank = viewType(view).getRank();
  if (place.size() != rank)
    r.fail("a place with {} coordinates in {} with {} axes; give one coordinate an axis", place.size(), describe(view),
           rank);
  SmallVector<Value> values;
  for (const Operand &coordinate : place)
    values.push_back(r.index(coordinate, fmt::format("coordinate {}", values.size())).value);
  return values;
}

static Value padValue(Recorder &r, const Operand &pad, Typed view) {
  if (!pad.isPresent())
    return {};
  const Typed value = r.operandAs(pad, view.dtype.pointee(), "the pad");
  if (rankOf(value) != 0)
    r.fail("the pad is {}; it is one scalar, what all elements outside the view read as", describe(value));
  return value.value;
}

/// \p value in the element type of the view.
static Typed viewValue(Recorder &r, const Operand &value, Typed view) {
  const Typed typed = r.operandAs(value, view.dtype.pointee(), "the value stored");
  const unsigned rank = viewType(view).getRank();
  if (rankOf(typed) != rank)
    r.fail(
        "a store of {} to {} with {} axes; the value has one axis for each of the view's; use reshape or expand_dims",
        describe(typed), describe(view), rank);
  return typed;
}

} // namespace tessera::ir

namespace tessera::detail {

using ir::Recorder;
using ir::Typed;
using ir::Value;

Snapshot makeView(const Operand &base, const Int *extents, const Int *strides, int rank, int contiguous,
                  std::source_location at) {
  Recorder r(at);
  const Typed pointer = r.operand(base);
  ir::SmallVector<Value> sizes, steps;
  for (int axis = 0; axis < rank; ++axis) {
    sizes.push_back(r.operand(Operand(extents[axis], at)).value);
    steps.push_back(r.operand(Operand(strides[axis], at)).value);
  }
  const auto element = ir::elementType(r.context(), pointer.dtype.pointee());
  const auto type = ir::tile::ViewType::get(r.context(), element, static_cast<unsigned>(rank),
                                            static_cast<unsigned>(contiguous < 0 ? rank - 1 : contiguous));
  return r.snapshot(
      {ir::tile::MakeViewOp::create(r.builder(), r.loc, type, pointer.value, sizes, steps), pointer.dtype});
}

Tile viewLoad(const Handle &view, Operands place, const Shape &shape, const ViewLoadOptions &options,
              std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("a view's load");
  const Typed from = ir::viewOperand(r, view);
  const DType dtype = from.dtype.pointee();
  const ir::SmallVector<Value> coordinates = ir::coordinates(r, from, place);
  if (static_cast<std::size_t>(shape.rank()) != coordinates.size())
    r.fail("a block with {} extents of {} with {} axes; give one extent an axis", shape.rank(), ir::describe(from),
           coordinates.size());
  const ir::SmallVector<std::int64_t> extents = ir::blockShape(shape, "the block loaded", at);
  const Value pad = ir::padValue(r, options.pad, from);
  return r.tile(
      {ir::tile::ViewLoadOp::create(r.builder(), r.loc, from.value, coordinates, extents, pad,
                                    ir::loadCache(r, options.cache), ir::evictHint(options.evict), options.reload),
       dtype});
}

void viewStore(const Handle &view, Operands place, const Operand &value, const ViewStoreOptions &options,
               std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("a view's store");
  const Typed to = ir::viewOperand(r, view);
  const ir::SmallVector<Value> coordinates = ir::coordinates(r, to, place);
  const Typed stored = ir::viewValue(r, value, to);
  ir::tile::ViewStoreOp::create(r.builder(), r.loc, to.value, coordinates, stored.value,
                                ir::storeCache(r, options.cache), ir::evictHint(options.evict));
}

/// A 1-D tile of integers, signed.
static Typed rowIndices(Recorder &r, const Operand &rows) {
  const Typed indices = r.operand(rows);
  if (ir::rankOf(indices) != 1 || !indices.dtype.isInt())
    r.fail("the rows are {}; they are chosen by a 1-D tile of integers", ir::describe(indices));
  return indices.dtype.isUnsigned() ? r.convert(indices, i64) : indices;
}

Tile viewLoadRows(const Handle &view, const Operand &rows, const Operand &column, const Shape &shape,
                  const ViewLoadOptions &options, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("a view's load_rows");
  const Typed from = ir::viewOperand(r, view);
  const Typed indices = rowIndices(r, rows);
  const Typed first = r.index(column, "the first column");
  const std::int64_t count = ir::shapeOf(indices)[0];
  if (shape.rank() != 2 || shape[0] != count)
    r.fail("a block of shape {} for {} rows; the shape is {{{}, columns}}", ir::nameOf({shape.begin(), shape.end()}),
           count, count);
  const ir::SmallVector<std::int64_t> extents = ir::blockShape(shape, "the block loaded", at);
  const Value pad = ir::padValue(r, options.pad, from);
  return r.tile(
      {ir::tile::ViewLoadRowsOp::create(r.builder(), r.loc, from.value, indices.value, first.value, extents[1], pad,
                                        ir::loadCache(r, options.cache), ir::evictHint(options.evict), options.reload),
       from.dtype.pointee()});
}

void viewStoreRows(const Handle &view, const Operand &rows, const Operand &column, const Operand &value,
                   const ViewStoreOptions &options, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("a view's store_rows");
  const Typed to = ir::viewOperand(r, view);
  const Typed indices = rowIndices(r, rows);
  const Typed first = r.index(column, "the first column");
  const Typed stored = ir::viewValue(r, value, to);
  if (ir::shapeOf(stored)[0] != ir::shapeOf(indices)[0])
    r.fail("a store of {} to {} rows; it has one row for each of them", ir::describe(stored), ir::shapeOf(indices)[0]);
  ir::tile::ViewStoreRowsOp::create(r.builder(), r.loc, to.value, indices.value, first.value, stored.value,
                                    ir::storeCache(r, options.cache), ir::evictHint(options.evict));
}

} // namespace tessera::detail
