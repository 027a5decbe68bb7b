//===- Scan.cpp - running sums and their kin -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS R1a.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Scan.h"

#include "Frontend/Reduction.h"

namespace tessera::ir {

static Typed scanAlong(Recorder &r, Typed value, std::int32_t axis, bool reverse, tile::CombineKind kind,
                       Attribute identity, bool deterministic = false) {
  SmallVector<Attribute, 1> start;
  if (identity)
    start.push_back(identity);
  auto op = tile::ScanOp::create(r.builder(), r.loc, value.value, axis, reverse, start, deterministic);
  tile::buildCombine(r.builder(), r.loc, op.getCombine(), kind, elementType(r.context(), value.dtype));
  return {op.getResult(0), value.dtype};
}

/// Begins one of these scans: a tile of rank 1 or more.
static Typed scanned(Recorder &r, const Operand &x, std::string_view verb) {
  r.refuseInCombine(verb);
  const Typed value = r.operand(x);
  if (rankOf(value) == 0)
    r.fail("cannot take the {} of {}; a scalar has no axes", verb, describe(value));
  return value;
}

static Tile cumulative(const Operand &x, const CumulativeOptions &options, bool isProduct, At at) {
  Recorder r(at);
  const std::string_view verb = isProduct ? "cumprod" : "cumsum";
  const Typed value = scanned(r, x, verb);
  const SumTypes types = sumTypes(r, value, options.dtype, isProduct ? "multiply up" : "sum up");
  const std::int32_t axis = checkAxis(options.axis, rankOf(value), at);
  const Type element = elementType(r.context(), types.compute);
  const std::int64_t start = isProduct ? 1 : 0;
  const bool isFloat = types.compute.isFloat();
  Attribute identity;
  if (options.exclusive)
    identity =
        isFloat ? Attribute(FloatAttr::get(element, static_cast<double>(start))) : IntegerAttr::get(element, start);
  const tile::CombineKind kind = isProduct ? (isFloat ? tile::CombineKind::MulF : tile::CombineKind::MulI)
                                           : (isFloat ? tile::CombineKind::AddF : tile::CombineKind::AddI);
  const Typed sums =
      scanAlong(r, r.convert(value, types.compute), axis, options.reverse, kind, identity, options.deterministic);
  return r.tile(r.convert(sums, types.result));
}

/// The least value of \p dtype, or the greatest.
static Attribute extremeOf(Type element, DType dtype, bool least) {
  if (const auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(element, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/least));
  const auto bits = static_cast<unsigned>(dtype.bits());
  if (dtype.isSigned())
    return IntegerAttr::get(element, least ? APInt::getSignedMinValue(bits) : APInt::getSignedMaxValue(bits));
  return IntegerAttr::get(element, least ? APInt::getMinValue(bits) : APInt::getMaxValue(bits));
}

static Tile cumulativeExtreme(const Operand &x, const CumulativeExtremeOptions &options, bool greatest, At at) {
  Recorder r(at);
  const std::string_view verb = greatest ? "cummax" : "cummin";
  const Typed value = scanned(r, x, verb);
  checkNumbers(r, value, verb, "it after .to(i32)");
  const std::int32_t axis = checkAxis(options.axis, rankOf(value), at);
  const Typed wide = r.computeForm(value);
  Attribute identity;
  if (options.exclusive)
    identity = extremeOf(elementType(r.context(), wide.dtype), wide.dtype, /*least=*/greatest);
  const Typed extremes =
      scanAlong(r, wide, axis, options.reverse, extremeKind(wide.dtype, greatest, options.nan), identity);
  return r.tile(r.convert(extremes, value.dtype));
}

} // namespace tessera::ir

namespace tessera {

Tile cumsum(Operand x, CumulativeOptions options, std::source_location at) {
  return ir::cumulative(x, options, false, at);
}
Tile cumprod(Operand x, CumulativeOptions options, std::source_location at) {
  return ir::cumulative(x, options, true, at);
}
Tile cummax(Operand x, CumulativeExtremeOptions options, std::source_location at) {
  return ir::cumulativeExtreme(x, options, true, at);
}
Tile cummin(Operand x, CumulativeExtremeOptions options, std::source_location at) {
  return ir::cumulativeExtreme(x, options, false, at);
}

} // namespace tessera
