//===- Combine.cpp - the user's combine functions ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS R3. The function is traced into a detached block of scalars while no op of ours is half made; the reduction
// or scan is built around it at the end.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Combine.h"

#include "Frontend/Reduction.h"
#include "IRSupport/Locations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::ir {

/// Where an operation was written, as in messages.
static std::string placeOf(Location loc) {
  const std::string place = locationText(loc);
  return place.empty() ? "combine function" : place;
}

/// What may not stand in a combine function about \p op; empty if it may.
static std::string_view whyNotInCombine(Operation &op) {
  if (op.getNumRegions() != 0)
    return "control flow, a reduction or a scan";
  if (!mlir::isMemoryEffectFree(&op))
    return "an operation with an effect";
  for (const Type type : op.getResultTypes())
    if (!tile::isElement(type))
      return "a tile";
  return {};
}

static void checkCombine(Block &block, std::string_view verb) {
  for (Operation &op : block)
    if (const std::string_view why = whyNotInCombine(op); !why.empty())
      throw UsageError(fmt::format("{}: the combine function of {} holds {}; it combines single elements, so it holds "
                                   "elementwise operations on scalars only; use where in place of if_",
                                   placeOf(op.getLoc()), verb, why));
}

/// The function's results, each a scalar of its tile's dtype.
static SmallVector<Value> combinedValues(Recorder &r, std::span<const Operand> results, ArrayRef<Typed> inputs,
                                         std::string_view verb) {
  SmallVector<Value> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const DType dtype = inputs[i].dtype;
    const std::string which = inputs.size() == 1 ? std::string() : fmt::format(" number {}", i);
    if (results[i].isLiteral()) {
      values.push_back(r.literal(results[i], dtype).value);
      continue;
    }
    const Typed value = r.operand(results[i]);
    if (rankOf(value) != 0 || value.dtype != dtype)
      r.fail("the combine function of {} gives {} for {}; result{} must be a scalar of {}; convert with .to({}), or "
             "convert "
             "the tile before",
             verb, describe(value), describe(inputs[i]), which, nameOf(dtype), nameOf(dtype));
    values.push_back(value.value);
  }
  return values;
}

/// Ends the combine function that was traced: its block, with its results.
static std::unique_ptr<Block> closeCombine(Recorder &r, std::span<const Operand> results, ArrayRef<Typed> inputs,
                                           std::string_view verb) {
  checkCombine(*r.builder().getInsertionBlock(), verb);
  const SmallVector<Value> values = combinedValues(r, results, inputs, verb);
  tile::YieldOp::create(r.builder(), r.loc, values);
  return r.trace.endCombine();
}

/// The numbers an exclusive scan starts with, as attributes of the tiles' dtypes.
static SmallVector<Attribute> identityOf(Recorder &r, bool exclusive, std::span<const Operand> identity,
                                         ArrayRef<Typed> inputs) {
  SmallVector<Attribute> attributes;
  if (!exclusive && !identity.empty())
    r.fail("a scan has an identity but is not exclusive; the identity is what an exclusive scan starts with; set "
           ".exclusive = true or leave it out");
  if (exclusive && identity.size() != inputs.size())
    r.fail("an exclusive scan of {} tile{} has {} identit{}; it starts with one number for each tile; give .identity",
           inputs.size(), inputs.size() == 1 ? "" : "s", identity.size(), identity.size() == 1 ? "y" : "ies");
  for (std::size_t i = 0; i < identity.size(); ++i) {
    if (!identity[i].isLiteral())
      r.fail("the identity of a scan is {}; it must be a C++ number", describe(identity[i]));
    if (inputs[i].dtype.isPointer())
      r.fail("an exclusive scan of {}; pointers have no identity", describe(inputs[i]));
    auto constant = r.literal(identity[i], inputs[i].dtype).value.getDefiningOp<mlir::arith::ConstantOp>();
    attributes.push_back(constant.getValue());
    constant.erase();
  }
  return attributes;
}

static SmallVector<Typed> valuesOf(const std::vector<tessera::detail::Snapshot> &snapshots) {
  SmallVector<Typed> values;
  for (const tessera::detail::Snapshot &snapshot : snapshots)
    values.push_back({Value::getFromOpaquePointer(snapshot.value), snapshot.dtype});
  return values;
}

} // namespace tessera::ir

namespace tessera::detail {

using ir::Recorder;
using ir::SmallVector;
using ir::Typed;
using ir::Value;

CombineScope::CombineScope(std::span<const Operand> tiles, int axis, const char *verb, std::source_location at)
    : verb(verb), at(at) {
  Recorder r(at);
  r.refuseInCombine(verb);
  SmallVector<Typed> values;
  for (const Operand &tile : tiles)
    values.push_back(r.operand(tile));
  const ir::Operands equal = r.broadcastAll(verb, values);
  if (ir::rankOf(equal[0]) == 0)
    r.fail("{}; a scalar has no axes", ir::cannot(verb, equal));
  this->axis = ir::checkAxis(axis, ir::rankOf(equal[0]), at);
  SmallVector<DType> dtypes;
  for (const Typed &value : equal) {
    inputs.push_back(r.snapshot(value));
    dtypes.push_back(value.dtype);
  }
  dtypes.append(dtypes.begin(), dtypes.end());
  open();
  for (const Typed &argument : r.trace.beginCombine(dtypes, at))
    arguments.push_back(r.snapshot(argument));
}

Tile CombineScope::argument(std::size_t index) const { return Tile(arguments[index], at); }

std::vector<Snapshot> CombineScope::reduce(std::span<const Operand> results, bool keepDims, bool deterministic) {
  close(at);
  Recorder r(at);
  const SmallVector<Typed> values = ir::valuesOf(inputs);
  std::unique_ptr<ir::Block> block = ir::closeCombine(r, results, values, verb);
  trace = 0;
  SmallVector<Value> operands;
  for (const Typed &value : values)
    operands.push_back(value.value);
  auto op = ir::tile::ReduceOp::create(r.builder(), r.loc, operands, axis, deterministic);
  op.getCombine().push_back(block.release());
  std::vector<Snapshot> reduced;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Typed result{op.getResult(static_cast<unsigned>(i)), values[i].dtype};
    reduced.push_back(r.snapshot(keepDims ? ir::withAxis(r, result, axis) : result));
  }
  return reduced;
}

std::vector<Snapshot> CombineScope::scan(std::span<const Operand> results, bool reverse, bool exclusive,
                                         std::span<const Operand> identity, bool deterministic) {
  close(at);
  Recorder r(at);
  const SmallVector<Typed> values = ir::valuesOf(inputs);
  std::unique_ptr<ir::Block> block = ir::closeCombine(r, results, values, verb);
  trace = 0;
  const SmallVector<ir::Attribute> start = ir::identityOf(r, exclusive, identity, values);
  SmallVector<Value> operands;
  for (const Typed &value : values)
    operands.push_back(value.value);
  auto op = ir::tile::ScanOp::create(r.builder(), r.loc, operands, axis, reverse, start, deterministic);
  op.getCombine().push_back(block.release());
  std::vector<Snapshot> scanned;
  for (std::size_t i = 0; i < values.size(); ++i)
    scanned.push_back(r.snapshot({op.getResult(static_cast<unsigned>(i)), values[i].dtype}));
  return scanned;
}

} // namespace tessera::detail
