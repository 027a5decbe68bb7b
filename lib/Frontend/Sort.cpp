//===- Sort.cpp - order along an axis, and counting ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS R5. fp8 keys are compared as f32, which holds them exactly.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Sort.h"

#include "Frontend/Reduction.h"

namespace tessera::ir {

/// What is sorted, and how; see SortOptions.
struct Sorting {
  Typed key;
  std::int32_t axis = 0;
  bool descending = false;
  Value valid;
};

static Sorting sorting(Recorder &r, const Operand &key, int axis, bool descending, const OptionalOperand &valid,
                       std::string_view verb) {
  r.refuseInCombine(verb);
  Sorting sort;
  sort.key = r.operand(key);
  sort.descending = descending;
  if (sort.key.dtype.isPointer())
    r.fail("cannot {} {}; keys are numbers; pointers move along as a payload", verb, describe(sort.key));
  if (rankOf(sort.key) == 0)
    r.fail("cannot {} {}; a scalar has no axes", verb, describe(sort.key));
  sort.axis = checkAxis(axis, rankOf(sort.key), r.at);
  if (valid.isPresent()) {
    const Typed lanes = r.condition(valid, "`valid`");
    if (!Recorder::broadcasts(shapeOf(lanes), shapeOf(sort.key)))
      r.fail("`valid` is {} for {}; it must broadcast to the shape of the key", describe(lanes), describe(sort.key));
    sort.valid = r.broadcast(lanes, shapeOf(sort.key)).value;
  }
  return sort;
}

/// The sorted key and the payloads moved along.
static SmallVector<Typed> sorted(Recorder &r, const Sorting &sort, ArrayRef<Typed> payload) {
  const Typed key = r.computeForm(sort.key);
  SmallVector<Value> moved;
  for (const Typed &value : payload)
    moved.push_back(value.value);
  const bool isUnsigned = key.dtype.isUnsigned() || key.dtype.isBool();
  auto op =
      tile::SortOp::create(r.builder(), r.loc, key.value, moved, sort.axis, sort.descending, isUnsigned, sort.valid);
  SmallVector<Typed> results{r.convert({op.getSorted(), key.dtype}, sort.key.dtype)};
  for (std::size_t i = 0; i < payload.size(); ++i)
    results.push_back({op.getMoved()[static_cast<unsigned>(i)], payload[i].dtype});
  return results;
}

} // namespace tessera::ir

namespace tessera {

using ir::Recorder;
using ir::SmallVector;
using ir::Typed;
namespace tile = ir::tile;

Tile sort(Operand key, SortOptions options, std::source_location at) {
  Recorder r(at);
  const ir::Sorting sort = ir::sorting(r, key, options.axis, options.descending, options.valid, "sort");
  return r.tile(ir::sorted(r, sort, {})[0]);
}

std::vector<detail::Snapshot> detail::sort(std::span<const Operand> tiles, const SortOptions &options,
                                           std::source_location at) {
  Recorder r(at);
  const ir::Sorting sort = ir::sorting(r, tiles[0], options.axis, options.descending, options.valid, "sort");
  SmallVector<Typed> payload;
  for (const Operand &operand : tiles.subspan(1)) {
    const Typed value = r.operand(operand);
    if (!Recorder::broadcasts(ir::shapeOf(value), ir::shapeOf(sort.key)))
      r.fail("the payload is {} for {}; it must broadcast to the shape of the key", ir::describe(value),
             ir::describe(sort.key));
    payload.push_back(r.broadcast(value, ir::shapeOf(sort.key)));
  }
  std::vector<Snapshot> results;
  for (const Typed &value : ir::sorted(r, sort, payload))
    results.push_back(r.snapshot(value));
  return results;
}

Tile argsort(Operand key, SortOptions options, std::source_location at) {
  Recorder r(at);
  const ir::Sorting sort = ir::sorting(r, key, options.axis, options.descending, options.valid, "argsort");
  return r.tile(ir::sorted(r, sort, ir::indicesAlong(r, ir::shapeOf(sort.key), sort.axis))[1]);
}

TopK topk(Operand x, int k, TopKOptions options, std::source_location at) {
  Recorder r(at);
  const ir::Sorting sort = ir::sorting(r, x, options.axis, !options.smallest, options.valid, "topk");
  SmallVector<std::int64_t> shape(ir::shapeOf(sort.key));
  std::int64_t &extent = shape[static_cast<std::size_t>(sort.axis)];
  if (k < 1 || k > extent)
    r.fail("topk of {} elements along axis {} of {}; k is 1 to {}", k, sort.axis, ir::describe(sort.key), extent);
  SmallVector<Typed> ranked = ir::sorted(r, sort, ir::indicesAlong(r, ir::shapeOf(sort.key), sort.axis));
  const std::int64_t kept = ir::nextPowerOfTwo(k);
  if (kept != extent) {
    extent = kept;
    const SmallVector<std::int64_t> start(shape.size(), 0);
    for (Typed &value : ranked)
      value.value = tile::SliceOp::create(r.builder(), r.loc, value.value, start, shape);
  }
  return {r.tile(ranked[0]), r.tile(ranked[1])};
}

Tile histogram(Operand x, std::int64_t bins, HistogramOptions options, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("histogram");
  const Typed value = r.operand(x);
  if (!value.dtype.isInt() || ir::rankOf(value) == 0)
    r.fail("cannot count {}; histogram takes a tile of integers; {}", ir::describe(value),
           value.dtype.isFloat()  ? "scale it and convert with .to(i32)"
           : value.dtype.isBool() ? "use sum, which counts true elements"
                                  : "reshape a scalar to {1}");
  ir::checkBlock({bins}, "the histogram", at);
  ir::Value mask;
  if (options.mask.isPresent()) {
    const Typed lanes = r.condition(options.mask, "the mask");
    if (!Recorder::broadcasts(ir::shapeOf(lanes), ir::shapeOf(value)))
      r.fail("the mask is {} for {}; it must broadcast to the shape of the tile", ir::describe(lanes),
             ir::describe(value));
    mask = r.broadcast(lanes, ir::shapeOf(value)).value;
  }
  return r.tile(
      {tile::HistogramOp::create(r.builder(), r.loc, value.value, bins, mask, value.dtype.isUnsigned()), i32});
}

} // namespace tessera
