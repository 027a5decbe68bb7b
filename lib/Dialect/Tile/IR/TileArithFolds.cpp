//===- TileArithFolds.cpp - folders and canonical forms of elementwise maths and hints -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What SEMANTICS leaves unspecified is never folded, so that checked execution still reports it: division by zero,
// INT_MIN / -1, and shifts by the width or more.
//
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Two uniform integer constants, or nothing. i1 has no division or shift worth folding.
static std::optional<std::pair<APInt, APInt>> uniformInts(Attribute lhs, Attribute rhs) {
  std::optional<APInt> left = uniformInt(lhs), right = uniformInt(rhs);
  if (!left || !right || left->getBitWidth() != right->getBitWidth() || left->getBitWidth() == 1)
    return std::nullopt;
  return std::pair(*left, *right);
}

/// Whether \p lhs / \p rhs has a specified value.
static bool isSpecifiedDivision(const APInt &lhs, const APInt &rhs, bool isUnsigned) {
  return !rhs.isZero() && (isUnsigned || !lhs.isMinSignedValue() || !rhs.isAllOnes());
}

static APInt divide(const APInt &lhs, const APInt &rhs, DivRounding rounding, bool isUnsigned) {
  const APInt quotient = isUnsigned ? lhs.udiv(rhs) : lhs.sdiv(rhs);
  const APInt remainder = isUnsigned ? lhs.urem(rhs) : lhs.srem(rhs);
  if (rounding == DivRounding::Trunc || remainder.isZero())
    return quotient;
  const bool positive = isUnsigned || lhs.isNegative() == rhs.isNegative();
  if (rounding == DivRounding::Floor)
    return positive ? quotient : quotient - 1;
  return positive ? quotient + 1 : quotient;
}

static APInt remainderOf(const APInt &lhs, const APInt &rhs, DivRounding rounding, bool isUnsigned) {
  const APInt remainder = isUnsigned ? lhs.urem(rhs) : lhs.srem(rhs);
  const bool otherSign = !isUnsigned && !remainder.isZero() && remainder.isNegative() != rhs.isNegative();
  return rounding == DivRounding::Floor && otherSign ? remainder + rhs : remainder;
}

OpFoldResult IDivOp::fold(FoldAdaptor adaptor) {
  if (std::optional<APInt> rhs = uniformInt(adaptor.getRhs()); rhs && rhs->getBitWidth() > 1 && rhs->isOne())
    return getLhs();
  auto both = uniformInts(adaptor.getLhs(), adaptor.getRhs());
  if (!both || !isSpecifiedDivision(both->first, both->second, getIsUnsigned()))
    return {};
  return splatConstant(getType(), divide(both->first, both->second, getRounding(), getIsUnsigned()));
}

OpFoldResult IRemOp::fold(FoldAdaptor adaptor) {
  if (std::optional<APInt> rhs = uniformInt(adaptor.getRhs()); rhs && rhs->getBitWidth() > 1 && rhs->isOne())
    return zeroConstant(getType());
  auto both = uniformInts(adaptor.getLhs(), adaptor.getRhs());
  if (!both || !isSpecifiedDivision(both->first, both->second, getIsUnsigned()))
    return {};
  return splatConstant(getType(), remainderOf(both->first, both->second, getRounding(), getIsUnsigned()));
}

namespace {

/// tile.idiv %a, %b rounding floor unsigned   ->   tile.idiv %a, %b unsigned
/// An unsigned quotient rounded down is one rounded toward zero.
template <typename Op> struct UnsignedFloorIsTrunc : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getIsUnsigned() || op.getRounding() != DivRounding::Floor)
      return rewriter.notifyMatchFailure(op, "not an unsigned floor");
    rewriter.modifyOpInPlace(op, [&] { op.setRounding(DivRounding::Trunc); });
    return success();
  }
};

} // namespace

void IDivOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<UnsignedFloorIsTrunc<IDivOp>>(context);
}

void IRemOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<UnsignedFloorIsTrunc<IRemOp>>(context);
}

/// A shift of \p lhs by a uniform constant below the width.
static OpFoldResult foldShift(Type type, Value lhs, Attribute lhsConstant, Attribute rhsConstant,
                              function_ref<APInt(const APInt &, unsigned)> shift) {
  std::optional<APInt> amount = uniformInt(rhsConstant);
  if (!amount || amount->uge(amount->getBitWidth()))
    return {};
  if (amount->isZero())
    return lhs;
  std::optional<APInt> value = uniformInt(lhsConstant);
  if (!value)
    return {};
  return splatConstant(type, shift(*value, static_cast<unsigned>(amount->getZExtValue())));
}

OpFoldResult ShlOp::fold(FoldAdaptor adaptor) {
  return foldShift(getType(), getLhs(), adaptor.getLhs(), adaptor.getRhs(),
                   [](const APInt &value, unsigned by) { return value.shl(by); });
}

OpFoldResult ShrOp::fold(FoldAdaptor adaptor) {
  return foldShift(getType(), getLhs(), adaptor.getLhs(), adaptor.getRhs(),
                   [&](const APInt &value, unsigned by) { return getIsUnsigned() ? value.lshr(by) : value.ashr(by); });
}

OpFoldResult UMulHiOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> lhs = uniformInt(adaptor.getLhs()), rhs = uniformInt(adaptor.getRhs());
  if (rhs && (rhs->isZero() || rhs->isOne())) // both have an upper half of zero
    return zeroConstant(getType());
  if (!lhs || !rhs || lhs->getBitWidth() != rhs->getBitWidth())
    return {};
  const unsigned width = lhs->getBitWidth();
  return splatConstant(getType(), (lhs->zext(2 * width) * rhs->zext(2 * width)).extractBits(width, width));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// The larger or smaller of two constants by IEEE maximumNumber and minimumNumber.
static OpFoldResult foldExtremum(Type type, Value lhs, Value rhs, Attribute lhsConstant, Attribute rhsConstant,
                                 APFloat (*extremum)(const APFloat &, const APFloat &)) {
  if (lhs == rhs)
    return lhs;
  std::optional<APFloat> left = uniformFloat(lhsConstant), right = uniformFloat(rhsConstant);
  if (right && right->isNaN())
    return lhs;
  if (left && left->isNaN())
    return rhs;
  return left && right ? OpFoldResult(splatConstant(type, extremum(*left, *right))) : OpFoldResult();
}

OpFoldResult MaxNumOp::fold(FoldAdaptor adaptor) {
  return foldExtremum(getType(), getLhs(), getRhs(), adaptor.getLhs(), adaptor.getRhs(), llvm::maximumnum);
}

OpFoldResult MinNumOp::fold(FoldAdaptor adaptor) {
  return foldExtremum(getType(), getLhs(), getRhs(), adaptor.getLhs(), adaptor.getRhs(), llvm::minimumnum);
}

OpFoldResult LdexpOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> exponent = uniformInt(adaptor.getExponent());
  if (!exponent)
    return {};
  if (exponent->isZero())
    return getSource();
  std::optional<APFloat> value = uniformFloat(adaptor.getSource());
  if (!value || !value->isFinite())
    return {};
  // Beyond this every f64 has over- or underflowed; the clamp keeps the sum of exponents in range.
  const int by = static_cast<int>(std::clamp<int64_t>(exponent->getSExtValue(), -5000, 5000));
  return splatConstant(getType(), llvm::scalbn(*value, by, APFloat::rmNearestTiesToEven));
}

OpFoldResult ILogBOp::fold(FoldAdaptor adaptor) {
  std::optional<APFloat> value = uniformFloat(adaptor.getSource());
  if (!value)
    return {};
  const int32_t exponent = value->isZero()      ? std::numeric_limits<int32_t>::min()
                           : !value->isFinite() ? std::numeric_limits<int32_t>::max()
                                                : llvm::ilogb(*value);
  return splatConstant(getType(), APInt(32, static_cast<uint32_t>(exponent)));
}

//===----------------------------------------------------------------------===//
// Facts about values
//===----------------------------------------------------------------------===//

/// A hint that says nothing is its operand.
OpFoldResult HintOp::fold(FoldAdaptor) {
  auto saysNothing = [](std::optional<ArrayRef<int64_t>> list) {
    return !list || llvm::all_of(*list, [](int64_t entry) { return entry == 1; });
  };
  return saysNothing(getMultipleOf()) && saysNothing(getMaxContiguous()) ? OpFoldResult(getSource()) : OpFoldResult();
}

namespace {

/// What two lists of facts say together, axis by axis; the outer one alone where that has no 64-bit form.
SmallVector<int64_t> together(std::optional<ArrayRef<int64_t>> outer, std::optional<ArrayRef<int64_t>> inner,
                              function_ref<int64_t(int64_t, int64_t)> join) {
  if (!outer || !inner)
    return SmallVector<int64_t>(outer ? *outer : inner ? *inner : ArrayRef<int64_t>());
  SmallVector<int64_t> both;
  for (const auto [left, right] : llvm::zip_equal(*outer, *inner))
    both.push_back(join(left, right));
  return both;
}

/// The least common multiple of two positive numbers; \p left alone if it has no 64-bit form.
int64_t commonMultiple(int64_t left, int64_t right) {
  int64_t multiple = 0;
  return llvm::MulOverflow(left / std::gcd(left, right), right, multiple) ? left : multiple;
}

/// %h = tile.hint %x <facts>;  %r = tile.hint %h <more facts>   ->   %r = tile.hint %x <both>
struct MergeHints : OpRewritePattern<HintOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(HintOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<HintOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "source is not a hint");
    rewriter.replaceOpWithNewOp<HintOp>(op, inner.getSource(),
                                        together(op.getMultipleOf(), inner.getMultipleOf(), commonMultiple),
                                        together(op.getMaxContiguous(), inner.getMaxContiguous(),
                                                 [](int64_t left, int64_t right) { return std::max(left, right); }));
    return success();
  }
};

} // namespace

void HintOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeHints>(context);
}

LogicalResult AssumeOp::canonicalize(AssumeOp op, PatternRewriter &rewriter) {
  if (!isAllTrue(constantOf(op.getCondition())))
    return rewriter.notifyMatchFailure(op, "condition is not known to be true");
  rewriter.eraseOp(op);
  return success();
}

} // namespace tessera::ir::tile
