//===- Reduce.cpp - combining elements along axes ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS R1, R1a, R2. Several axes are reduced one after the other, the last first, and rounded once at the end.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Reduce.h"

#include "Frontend/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir {

namespace arith = mlir::arith;

//===----------------------------------------------------------------------===//
// Shared with scans and sorts
//===----------------------------------------------------------------------===//

/// What a sum of elements of \p dtype is formed in.
static DType accumulatorOf(DType dtype) {
  if (dtype.isBool())
    return i32;
  if (dtype.bits() >= 32)
    return dtype;
  return dtype.isFloat() ? f32 : dtype.isUnsigned() ? u32 : i32;
}

SumTypes sumTypes(const Recorder &r, Typed value, DType wanted, std::string_view verb) {
  if (value.dtype.isPointer())
    r.fail("cannot {} {}; load the elements first", verb, describe(value));
  const DType compute = accumulatorOf(value.dtype);
  if (wanted == DType{})
    return {compute, value.dtype.isFloat() ? value.dtype : compute};
  if (!wanted.isInt() && !wanted.isFloat())
    r.fail("cannot {} {} with dtype = {}; the dtype is an integer or float type{}", verb, describe(value),
           nameOf(wanted), wanted.isBool() ? "; any, all and xor_sum give i1" : "");
  const DType accumulator = accumulatorOf(wanted), wider = tessera::promote(compute, accumulator);
  if (wider == DType{}) // signed and unsigned: equal modulo 2^n
    return {compute.bits() > accumulator.bits() ? compute : accumulator, wanted};
  return {wider, wanted};
}

tile::CombineKind extremeKind(DType dtype, bool greatest, Nan nan) {
  using tile::CombineKind;
  if (dtype.isSigned())
    return greatest ? CombineKind::MaxSI : CombineKind::MinSI;
  if (!dtype.isFloat())
    return greatest ? CombineKind::MaxUI : CombineKind::MinUI;
  if (nan == Nan::propagate)
    return greatest ? CombineKind::MaximumF : CombineKind::MinimumF;
  return greatest ? CombineKind::MaxNum : CombineKind::MinNum;
}

void checkNumbers(const Recorder &r, Typed value, std::string_view verb, std::string_view hint) {
  if (value.dtype.isPointer())
    r.fail("cannot take the {} of {}; load the elements first", verb, describe(value));
  if (value.dtype.isBool())
    r.fail("cannot take the {} of {}; it works on integers and floats; use {}", verb, describe(value), hint);
}

Typed indicesAlong(Recorder &r, ArrayRef<std::int64_t> shape, std::int32_t axis) {
  const auto where = static_cast<std::size_t>(axis);
  Value index = tile::ArangeOp::create(r.builder(), r.loc, 0, static_cast<std::int32_t>(shape[where]));
  for (std::size_t behind = where + 1; behind < shape.size(); ++behind)
    index = tile::ExpandDimsOp::create(r.builder(), r.loc, index, 1);
  return r.broadcast({index, i32}, shape);
}

Typed withAxis(Recorder &r, Typed reduced, std::int32_t axis) {
  if (rankOf(reduced) == 0)
    return r.broadcast(reduced, {1});
  return {tile::ExpandDimsOp::create(r.builder(), r.loc, reduced.value, axis), reduced.dtype};
}

//===----------------------------------------------------------------------===//
// Reductions by one operation
//===----------------------------------------------------------------------===//

/// The axes to reduce, ascending.
static SmallVector<std::int32_t> axesOf(const Recorder &r, const Axes &axes, Typed value) {
  SmallVector<std::int32_t> list;
  if (axes.isAll()) {
    for (std::size_t axis = 0; axis < rankOf(value); ++axis)
      list.push_back(static_cast<std::int32_t>(axis));
    return list;
  }
  for (const std::int64_t axis : axes.list()) {
    const std::int32_t place = checkAxis(axis, rankOf(value), r.at);
    if (llvm::is_contained(list, place))
      r.fail("axis {} of {} is named twice; a reduction names each axis once", place, describe(value));
    list.push_back(place);
  }
  llvm::sort(list);
  return list;
}

static Typed reduceAxes(Recorder &r, Typed value, ArrayRef<std::int32_t> axes, bool keepDims, tile::CombineKind kind,
                        bool deterministic = false) {
  for (const std::int32_t axis : llvm::reverse(axes)) {
    auto op = tile::ReduceOp::create(r.builder(), r.loc, value.value, axis, deterministic);
    tile::buildCombine(r.builder(), r.loc, op.getCombine(), kind, elementType(r.context(), value.dtype));
    value.value = op.getResult(0);
  }
  if (keepDims)
    for (const std::int32_t axis : axes)
      value = withAxis(r, value, axis);
  return value;
}

static Tile sumOf(const Operand &x, const SumOptions &options, bool isProduct, At at) {
  Recorder r(at);
  const std::string_view verb = isProduct ? "multiply up" : "sum up";
  r.refuseInCombine(isProduct ? "prod" : "sum");
  const Typed value = r.operand(x);
  const SumTypes types = sumTypes(r, value, options.dtype, verb);
  const SmallVector<std::int32_t> axes = axesOf(r, options.axis, value);
  const bool isFloat = types.compute.isFloat();
  const tile::CombineKind kind = isProduct ? (isFloat ? tile::CombineKind::MulF : tile::CombineKind::MulI)
                                           : (isFloat ? tile::CombineKind::AddF : tile::CombineKind::AddI);
  const Typed reduced =
      reduceAxes(r, r.convert(value, types.compute), axes, options.keep_dims, kind, options.deterministic);
  return r.tile(r.convert(reduced, types.result));
}

static Tile extremeOf(const Operand &x, const ExtremeOptions &options, bool greatest, At at) {
  Recorder r(at);
  r.refuseInCombine(greatest ? "max" : "min");
  const Typed value = r.operand(x);
  checkNumbers(r, value, greatest ? "max" : "min", greatest ? "any" : "all");
  const SmallVector<std::int32_t> axes = axesOf(r, options.axis, value);
  const Typed wide = r.computeForm(value);
  const Typed reduced = reduceAxes(r, wide, axes, options.keep_dims, extremeKind(wide.dtype, greatest, options.nan));
  return r.tile(r.convert(reduced, value.dtype));
}

static Tile logicOf(const Operand &x, const ReduceOptions &options, tile::CombineKind kind, std::string_view verb,
                    At at) {
  Recorder r(at);
  r.refuseInCombine(verb);
  const Typed value = r.operand(x);
  if (kind == tile::CombineKind::Xor) {
    if (!value.dtype.isInt() && !value.dtype.isBool())
      r.fail("cannot take the {} of {}; it works on integers and i1; use sum, or bitcast floats to integers", verb,
             describe(value));
  } else if (!value.dtype.isBool()) {
    r.fail("cannot take {} of {}; it works on i1, as a comparison gives it; compare with != 0", verb, describe(value));
  }
  return r.tile(reduceAxes(r, value, axesOf(r, options.axis, value), options.keep_dims, kind));
}

//===----------------------------------------------------------------------===//
// Places of extremes (SEMANTICS R2)
//===----------------------------------------------------------------------===//

/// Whether the left of two candidates wins: a strict order over (NaN, value, index), since indices differ.
static Value leftWins(OpBuilder &b, Location loc, Block &block, DType dtype, bool greatest, Nan nan) {
  const Value left = block.getArgument(0), leftIndex = block.getArgument(1);
  const Value right = block.getArgument(2), rightIndex = block.getArgument(3);
  const Value first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, leftIndex, rightIndex);
  const auto both = [&](Value x, Value y) -> Value { return arith::AndIOp::create(b, loc, x, y); };
  const auto either = [&](Value x, Value y) -> Value { return arith::OrIOp::create(b, loc, x, y); };
  if (!dtype.isFloat()) {
    using enum arith::CmpIPredicate;
    const auto order = dtype.isSigned() ? (greatest ? sgt : slt) : (greatest ? ugt : ult);
    const Value better = arith::CmpIOp::create(b, loc, order, left, right);
    const Value equal = arith::CmpIOp::create(b, loc, eq, left, right);
    return either(better, both(equal, first));
  }
  using enum arith::CmpFPredicate;
  const Value better = arith::CmpFOp::create(b, loc, greatest ? OGT : OLT, left, right);
  const Value equal = arith::CmpFOp::create(b, loc, OEQ, left, right);
  const Value leftNan = arith::CmpFOp::create(b, loc, UNO, left, left);
  const Value rightNan = arith::CmpFOp::create(b, loc, UNO, right, right);
  const Value tie = either(equal, both(leftNan, rightNan));
  // exactly one NaN: it loses, or wins with propagate
  const Value differ = arith::XOrIOp::create(b, loc, leftNan, rightNan);
  const Value byNan = both(differ, nan == Nan::propagate ? leftNan : rightNan);
  return either(either(better, byNan), both(tie, first));
}

static Tile placeOf(const Operand &x, const ExtremeOptions &options, bool greatest, At at) {
  Recorder r(at);
  OpBuilder &b = r.builder();
  const std::string_view verb = greatest ? "argmax" : "argmin";
  r.refuseInCombine(verb);
  Typed value = r.operand(x);
  checkNumbers(r, value, verb, "it after .to(i32)");
  const SmallVector<std::int32_t> axes = axesOf(r, options.axis, value);
  const std::size_t rank = rankOf(value);
  if (rank == 0)
    return r.tile(r.constantInt(i32, 0));
  if (axes.size() != 1 && axes.size() != rank)
    r.fail("{} along {} of the {} axes of {}; it works along one axis, or along all with the place in row-major order; "
           "reshape the axes into one first",
           verb, axes.size(), rank, describe(value));
  value = r.computeForm(value);
  std::int32_t axis = axes[0];
  if (axes.size() > 1) {
    const std::int64_t elements = tile::elementCountOf(value.value.getType());
    value.value = tile::ReshapeOp::create(b, r.loc, value.value, elements);
    axis = 0;
  }
  const Typed index = indicesAlong(r, shapeOf(value), axis);
  auto op = tile::ReduceOp::create(b, r.loc, ValueRange{value.value, index.value}, axis);
  {
    OpBuilder::InsertionGuard guard(b);
    const Type element = elementType(r.context(), value.dtype), position = b.getI32Type();
    Block *block = b.createBlock(&op.getCombine(), op.getCombine().end(), {element, position, element, position},
                                 {r.loc, r.loc, r.loc, r.loc});
    const Value left = leftWins(b, r.loc, *block, value.dtype, greatest, options.nan);
    const Value best = arith::SelectOp::create(b, r.loc, left, block->getArgument(0), block->getArgument(2));
    const Value where = arith::SelectOp::create(b, r.loc, left, block->getArgument(1), block->getArgument(3));
    tile::YieldOp::create(b, r.loc, ValueRange{best, where});
  }
  Typed place{op.getResult(1), i32};
  if (options.keep_dims)
    for (const std::int32_t kept : axes)
      place = withAxis(r, place, kept);
  return r.tile(place);
}

} // namespace tessera::ir

namespace tessera {

Tile sum(Operand x, SumOptions options, std::source_location at) { return ir::sumOf(x, options, false, at); }
Tile prod(Operand x, SumOptions options, std::source_location at) { return ir::sumOf(x, options, true, at); }
Tile max(Operand x, ExtremeOptions options, std::source_location at) { return ir::extremeOf(x, options, true, at); }
Tile min(Operand x, ExtremeOptions options, std::source_location at) { return ir::extremeOf(x, options, false, at); }
Tile argmax(Operand x, ExtremeOptions options, std::source_location at) { return ir::placeOf(x, options, true, at); }
Tile argmin(Operand x, ExtremeOptions options, std::source_location at) { return ir::placeOf(x, options, false, at); }

Tile all(Operand x, ReduceOptions options, std::source_location at) {
  return ir::logicOf(x, options, ir::tile::CombineKind::And, "all", at);
}
Tile xor_sum(Operand x, ReduceOptions options, std::source_location at) {
  return ir::logicOf(x, options, ir::tile::CombineKind::Xor, "xor_sum", at);
}
Tile AnyDType::operator()(Operand x) const { return (*this)(x, {}); }
Tile AnyDType::operator()(Operand x, ReduceOptions options) const {
  return ir::logicOf(x, options, ir::tile::CombineKind::Or, "any", x.at);
}

} // namespace tessera
