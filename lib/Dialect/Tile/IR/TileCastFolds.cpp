//===- TileCastFolds.cpp - folders and canonical forms of casts ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Constants are folded only where the result is an ordinary number of the new type or plainly a zero, an infinity or
// NaN of it; what overflows is left to the executors.
//
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Constants.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// tile.convert_float
//===----------------------------------------------------------------------===//

/// Whether every value of \p from is a value of \p to.
static bool isExactWidening(Type from, Type to) {
  auto rank = [](Type type) { // fp8 < f16, bf16 < f32 < f64; neither of f16 and bf16 holds the other
    const unsigned bits = cast<FloatType>(type).getWidth();
    return bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
  };
  return from == to || rank(from) < rank(to);
}

/// \p value in \p semantics, or nothing where the conversion overflows or the result would depend on `saturate`.
static std::optional<APFloat> convertConstant(APFloat value, const llvm::fltSemantics &semantics,
                                              FloatRounding rounding, bool saturate) {
  if (rounding == FloatRounding::Stochastic || (value.isInfinity() && saturate))
    return std::nullopt;
  const bool special = !value.isFinite();
  const bool infinite = value.isInfinity();
  const auto mode = rounding == FloatRounding::Nearest ? APFloat::rmNearestTiesToEven : APFloat::rmTowardZero;
  bool losesInfo = false;
  value.convert(semantics, mode, &losesInfo);
  if (special ? infinite != value.isInfinity() : !value.isFinite())
    return std::nullopt;
  return value;
}

OpFoldResult ConvertFloatOp::fold(FoldAdaptor adaptor) {
  const bool plain = getRounding() != FloatRounding::Stochastic && !getSaturate();
  if (getSource().getType() == getType() && plain)
    return getSource();
  std::optional<APFloat> value = uniformFloat(adaptor.getSource());
  auto type = dyn_cast<FloatType>(elementOf(getType()));
  if (!value || !type)
    return {};
  std::optional<APFloat> converted = convertConstant(*value, type.getFloatSemantics(), getRounding(), getSaturate());
  return converted ? OpFoldResult(splatConstant(getType(), *converted)) : OpFoldResult();
}

namespace {

/// %w = tile.convert_float %x : A -> B (exact);  %r = tile.convert_float %w : B -> C
///   -> %r = tile.convert_float %x : A -> C
/// Numerics: none, since B holds every value of A. Stochastic rounding is left alone: its bits depend on B.
struct ConvertOfExactWidening : OpRewritePattern<ConvertFloatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertFloatOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<ConvertFloatOp>();
    if (!inner || op.getRounding() == FloatRounding::Stochastic || inner.getSaturate() || inner.getRandomBits())
      return rewriter.notifyMatchFailure(op, "source is not a plain conversion");
    if (!isExactWidening(elementOf(inner.getSource().getType()), elementOf(inner.getType())))
      return rewriter.notifyMatchFailure(op, "the first conversion may round");
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(inner.getSource()); });
    return success();
  }
};

} // namespace

void ConvertFloatOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ConvertOfExactWidening>(context);
}

//===----------------------------------------------------------------------===//
// tile.float_to_int
//===----------------------------------------------------------------------===//

OpFoldResult FloatToIntOp::fold(FoldAdaptor adaptor) {
  std::optional<APFloat> value = uniformFloat(adaptor.getSource());
  auto type = dyn_cast<IntegerType>(elementOf(getType()));
  if (!value || !type)
    return {};
  APSInt integer(type.getWidth(), getIsUnsigned());
  bool exact = false;
  // Out of range this gives the nearest end of the range (SEMANTICS C2).
  if (!value->isNaN())
    value->convertToInteger(integer, APFloat::rmTowardZero, &exact);
  return splatConstant(getType(), static_cast<const APInt &>(integer));
}

//===----------------------------------------------------------------------===//
// tile.bitcast
//===----------------------------------------------------------------------===//

OpFoldResult BitcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<BitcastOp>(); inner && inner.getSource().getType() == getType())
    return inner.getSource();
  Attribute element = uniformElement(adaptor.getSource());
  const Type type = elementOf(getType());
  if (!element || bitsOf(cast<TypedAttr>(element).getType()) != bitsOf(type))
    return {};
  const APInt bits = isa<IntegerAttr>(element) ? cast<IntegerAttr>(element).getValue()
                                               : cast<FloatAttr>(element).getValue().bitcastToAPInt();
  if (auto real = dyn_cast<FloatType>(type))
    return splatConstant(getType(), APFloat(real.getFloatSemantics(), bits));
  return splatConstant(getType(), bits);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<IntToPtrOp>();
  return inner && inner.getSource().getType() == getType() ? OpFoldResult(inner.getSource()) : OpFoldResult();
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<PtrToIntOp>();
  return inner && inner.getSource().getType() == getType() ? OpFoldResult(inner.getSource()) : OpFoldResult();
}

OpFoldResult PtrCastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto inner = getSource().getDefiningOp<PtrCastOp>();
  if (!inner)
    return {};
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

} // namespace tessera::ir::tile
