//===- UniformExpr.cpp - integer expressions over scalars -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Nodes are hash-consed. Each carries the range of its value, which is what proves conditions while compiling.
//
//===---------------------------------------------------------------------===//

#include "Analysis/UniformExpr.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tessera::ir {

using mlir::arith::ConstantOp;

//===--- Ranges -------------------------------------------------------------===//

/// No launch has more programs along one axis, so that products with block sizes do not overflow.
static constexpr int64_t kMostPrograms = int64_t(1) << 40;

Range Range::ofSigned(unsigned bits) {
  if (bits >= 64)
    return {};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
}

Range Range::ofUnsigned(unsigned bits) {
  if (bits >= 64)
    return {};
  return {0, (int64_t(1) << bits) - 1};
}

/// The range from \p lo to \p hi, or any number if it does not fit 64 bits, where results wrap.
static Range wrapping(__int128 lo, __int128 hi) {
  const Range all;
  if (lo < all.lo || hi > all.hi)
    return all;
  return {static_cast<int64_t>(lo), static_cast<int64_t>(hi)};
}

static Range addRanges(const Range &a, const Range &b) {
  return wrapping(static_cast<__int128>(a.lo) + b.lo, static_cast<__int128>(a.hi) + b.hi);
}

static Range subRanges(const Range &a, const Range &b) {
  return wrapping(static_cast<__int128>(a.lo) - b.hi, static_cast<__int128>(a.hi) - b.lo);
}

static Range mulRanges(const Range &a, const Range &b) {
  const __int128 corners[] = {static_cast<__int128>(a.lo) * b.lo, static_cast<__int128>(a.lo) * b.hi,
                              static_cast<__int128>(a.hi) * b.lo, static_cast<__int128>(a.hi) * b.hi};
  return wrapping(*std::min_element(std::begin(corners), std::end(corners)),
                  *std::max_element(std::begin(corners), std::end(corners)));
}

static int64_t subSaturating(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::SubOverflow(a, b, result))
    return b > 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return result;
}

//===--- Nodes --------------------------------------------------------------===//

struct UniformExpr::Node : llvm::FoldingSetNode {
  Kind kind;
  int64_t number; ///< a constant or an axis
  Value value;
  UniformExpr lhs, rhs;
  Range range;

  static void profile(llvm::FoldingSetNodeID &id, Kind kind, int64_t number, Value value, UniformExpr lhs,
                      UniformExpr rhs) {
    id.AddInteger(static_cast<int>(kind));
    id.AddInteger(number);
    id.AddPointer(value.getAsOpaquePointer());
    id.AddPointer(lhs.node);
    id.AddPointer(rhs.node);
  }
  void Profile(llvm::FoldingSetNodeID &id) const { profile(id, kind, number, value, lhs, rhs); }
};

UniformExpr::Kind UniformExpr::kind() const { return node->kind; }
int64_t UniformExpr::constant() const { return node->number; }
Value UniformExpr::value() const { return node->value; }
unsigned UniformExpr::axis() const { return static_cast<unsigned>(node->number); }
UniformExpr UniformExpr::lhs() const { return node->lhs; }
UniformExpr UniformExpr::rhs() const { return node->rhs; }
const Range &UniformExpr::range() const { return node->range; }

std::optional<int64_t> UniformExpr::asConstant() const {
  if (node && node->kind == Kind::Constant)
    return node->number;
  return std::nullopt;
}

void UniformExpr::forEachValue(function_ref<void(Value)> visit) const {
  if (!node)
    return;
  if (node->value)
    visit(node->value);
  node->lhs.forEachValue(visit);
  node->rhs.forEachValue(visit);
}

void UniformExpr::print(raw_ostream &os, function_ref<void(raw_ostream &, Value)> printValue) const {
  const auto printBinary = [&](const char *word) {
    os << "(";
    lhs().print(os, printValue);
    os << " " << word << " ";
    rhs().print(os, printValue);
    os << ")";
  };
  switch (kind()) {
  case Kind::Constant:
    os << constant();
    return;
  case Kind::SignExtended:
    return printValue(os, value());
  case Kind::ZeroExtended:
    os << "unsigned ";
    return printValue(os, value());
  case Kind::ViewExtent:
    os << "extent " << axis() << " of ";
    return printValue(os, value());
  case Kind::ViewStride:
    os << "stride " << axis() << " of ";
    return printValue(os, value());
  case Kind::Add:
    return printBinary("+");
  case Kind::Sub:
    return printBinary("-");
  case Kind::Mul:
    return printBinary("*");
  case Kind::SMin:
    return printBinary("min");
  case Kind::SMax:
    return printBinary("max");
  case Kind::SubSat:
    return printBinary("-sat");
  }
}

//===--- Building -----------------------------------------------------------===//

UniformExprs::UniformExprs() = default;
UniformExprs::~UniformExprs() = default;

UniformExpr UniformExprs::make(UniformExpr::Kind kind, int64_t number, Value value, UniformExpr lhs, UniformExpr rhs,
                               Range range) {
  llvm::FoldingSetNodeID id;
  UniformExpr::Node::profile(id, kind, number, value, lhs, rhs);
  void *place = nullptr;
  if (const UniformExpr::Node *old = nodes.FindNodeOrInsertPos(id, place))
    return UniformExpr(old);
  auto *node = new (allocator.Allocate<UniformExpr::Node>()) UniformExpr::Node();
  node->kind = kind;
  node->number = number;
  node->value = value;
  node->lhs = lhs;
  node->rhs = rhs;
  node->range = range;
  nodes.InsertNode(node, place);
  return UniformExpr(node);
}

UniformExpr UniformExprs::constant(int64_t number) {
  return make(UniformExpr::Kind::Constant, number, {}, {}, {}, {number, number});
}

/// The integer that defines \p value, if it is a constant scalar.
static std::optional<APInt> constantOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return integer ? std::optional(integer.getValue()) : std::nullopt;
}

UniformExpr UniformExprs::signExtended(Value value) {
  if (std::optional<APInt> number = constantOf(value))
    return constant(number->getSExtValue());
  return make(UniformExpr::Kind::SignExtended, 0, value, {}, {}, rangeOf(value, 0));
}

UniformExpr UniformExprs::zeroExtended(Value value) {
  if (std::optional<APInt> number = constantOf(value))
    return constant(static_cast<int64_t>(number->getZExtValue()));
  const Range range = rangeOf(value, 0);
  if (range.lo >= 0) // the same number, which other expressions may name already
    return signExtended(value);
  return make(UniformExpr::Kind::ZeroExtended, 0, value, {}, {},
              Range::ofUnsigned(tile::bitsOf(tile::elementOf(value.getType()))));
}

UniformExpr UniformExprs::viewExtent(Value view, unsigned axis) {
  if (auto make = view.getDefiningOp<tile::MakeViewOp>())
    return signExtended(make.getExtents()[axis]);
  return make(UniformExpr::Kind::ViewExtent, axis, view, {}, {}, {});
}

UniformExpr UniformExprs::viewStride(Value view, unsigned axis) {
  if (auto make = view.getDefiningOp<tile::MakeViewOp>())
    return signExtended(make.getStrides()[axis]);
  return make(UniformExpr::Kind::ViewStride, axis, view, {}, {}, {});
}

UniformExpr UniformExprs::add(UniformExpr lhs, UniformExpr rhs) {
  const auto a = lhs.asConstant(), b = rhs.asConstant();
  if (a && b)
    return constant(static_cast<int64_t>(static_cast<uint64_t>(*a) + static_cast<uint64_t>(*b)));
  if (a)
    return add(rhs, lhs);
  if (b == 0)
    return lhs;
  if (b && lhs.kind() == UniformExpr::Kind::Add && lhs.rhs().asConstant())
    return add(lhs.lhs(), add(lhs.rhs(), rhs));
  return make(UniformExpr::Kind::Add, 0, {}, lhs, rhs, addRanges(lhs.range(), rhs.range()));
}

UniformExpr UniformExprs::sub(UniformExpr lhs, UniformExpr rhs) {
  if (lhs == rhs)
    return constant(0);
  if (const auto b = rhs.asConstant())
    return add(lhs, constant(static_cast<int64_t>(-static_cast<uint64_t>(*b))));
  return make(UniformExpr::Kind::Sub, 0, {}, lhs, rhs, subRanges(lhs.range(), rhs.range()));
}

UniformExpr UniformExprs::mul(UniformExpr lhs, UniformExpr rhs) {
  const auto a = lhs.asConstant(), b = rhs.asConstant();
  if (a && b)
    return constant(static_cast<int64_t>(static_cast<uint64_t>(*a) * static_cast<uint64_t>(*b)));
  if (a)
    return mul(rhs, lhs);
  if (b == 0)
    return rhs;
  if (b == 1)
    return lhs;
  if (b && lhs.kind() == UniformExpr::Kind::Mul && lhs.rhs().asConstant())
    return mul(lhs.lhs(), mul(lhs.rhs(), rhs));
  return make(UniformExpr::Kind::Mul, 0, {}, lhs, rhs, mulRanges(lhs.range(), rhs.range()));
}

UniformExpr UniformExprs::smin(UniformExpr lhs, UniformExpr rhs) {
  if (lhs.range().hi <= rhs.range().lo || lhs == rhs)
    return lhs;
  if (rhs.range().hi <= lhs.range().lo)
    return rhs;
  return make(UniformExpr::Kind::SMin, 0, {}, lhs, rhs,
              {std::min(lhs.range().lo, rhs.range().lo), std::min(lhs.range().hi, rhs.range().hi)});
}

UniformExpr UniformExprs::smax(UniformExpr lhs, UniformExpr rhs) {
  if (lhs.range().lo >= rhs.range().hi || lhs == rhs)
    return lhs;
  if (rhs.range().lo >= lhs.range().hi)
    return rhs;
  return make(UniformExpr::Kind::SMax, 0, {}, lhs, rhs,
              {std::max(lhs.range().lo, rhs.range().lo), std::max(lhs.range().hi, rhs.range().hi)});
}

UniformExpr UniformExprs::subSat(UniformExpr lhs, UniformExpr rhs) {
  const auto a = lhs.asConstant(), b = rhs.asConstant();
  if (a && b)
    return constant(subSaturating(*a, *b));
  if (b == 0)
    return lhs;
  const Range range = {subSaturating(lhs.range().lo, rhs.range().hi), subSaturating(lhs.range().hi, rhs.range().lo)};
  return make(UniformExpr::Kind::SubSat, 0, {}, lhs, rhs, range);
}

//===--- What scalars are ---------------------------------------------------===//

/// The result of a wrapping operation of \p bits with the exact result in \p exact.
static Range inWidth(const Range &exact, unsigned bits) {
  const Range all = Range::ofSigned(bits);
  return all.contains(exact) ? exact : all;
}

/// What the counter of a loop lies in, given its bounds.
static Range rangeOfCounter(mlir::scf::ForOp loop, const Range &lower, const Range &upper) {
  const std::optional<APInt> step = constantOf(loop.getStep());
  if (!step || !step->isStrictlyPositive() || upper.hi == std::numeric_limits<int64_t>::min())
    return {};
  int64_t last = upper.hi - 1;
  if (lower.lo == lower.hi && last > lower.lo) { // it also is a whole number of steps away
    const __int128 distance = static_cast<__int128>(last) - lower.lo;
    last = static_cast<int64_t>(lower.lo + distance / step->getSExtValue() * step->getSExtValue());
  }
  return {lower.lo, std::max(lower.lo, last)};
}

/// The quotient or remainder of what lies in \p dividend by a positive constant, signed.
static Range rangeOfDivision(Operation *op, const Range &dividend) {
  const std::optional<APInt> divisor = constantOf(op->getOperand(1));
  if (op->hasAttr("is_unsigned") || !divisor || !divisor->isStrictlyPositive())
    return Range::ofSigned(tile::bitsOf(op->getResult(0).getType()));
  const int64_t by = divisor->getSExtValue();
  if (auto remainder = dyn_cast<tile::IRemOp>(op)) {
    const bool isNegative = remainder.getRounding() == tile::DivRounding::Trunc && dividend.lo < 0;
    return {isNegative ? 1 - by : 0, by - 1};
  }
  // All roundings lie between that of the other two.
  return wrapping(static_cast<__int128>(dividend.lo / by) - (dividend.lo < 0),
                  static_cast<__int128>(dividend.hi / by) + (dividend.hi > 0));
}

/// What a kernel is told to assume of its argument \p value, wherever a program goes.
static Range assumedOf(BlockArgument value) {
  Range range;
  if (!isa<tile::KernelOp>(value.getOwner()->getParentOp()))
    return range;
  for (Operation *user : value.getUsers()) {
    auto compare = dyn_cast<mlir::arith::CmpIOp>(user);
    if (!compare || compare.getLhs() != value || llvm::none_of(compare->getUsers(), [&](Operation *assume) {
          return isa<tile::AssumeOp>(assume) && assume->getBlock() == value.getOwner();
        }))
      continue;
    const std::optional<APInt> number = constantOf(compare.getRhs());
    if (!number)
      continue;
    using enum mlir::arith::CmpIPredicate;
    const int64_t bound = number->getSExtValue();
    if (compare.getPredicate() == sle)
      range.hi = std::min(range.hi, bound);
    else if (compare.getPredicate() == slt && bound != Range().lo)
      range.hi = std::min(range.hi, bound - 1);
    else if (compare.getPredicate() == sge)
      range.lo = std::max(range.lo, bound);
    else if (compare.getPredicate() == sgt && bound != Range().hi)
      range.lo = std::max(range.lo, bound + 1);
  }
  return range;
}

Range UniformExprs::rangeOf(Value value, unsigned depth) {
  constexpr unsigned kDeepest = 8;
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type)
    return {};
  const unsigned bits = type.getWidth();
  const Range all = Range::ofSigned(bits);
  if (depth > kDeepest)
    return all;
  const auto operand = [&](Operation *op, unsigned number) { return rangeOf(op->getOperand(number), depth + 1); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<mlir::scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop) {
      const Range assumed = assumedOf(argument);
      return assumed.lo <= assumed.hi && all.meets(assumed)
                 ? Range{std::max(all.lo, assumed.lo), std::min(all.hi, assumed.hi)}
                 : all;
    }
    if (argument != loop.getInductionVar())
      return all;
    return rangeOfCounter(loop, rangeOf(loop.getLowerBound(), depth + 1), rangeOf(loop.getUpperBound(), depth + 1));
  }
  if (std::optional<APInt> number = constantOf(value))
    return {number->getSExtValue(), number->getSExtValue()};
  Operation *op = value.getDefiningOp();
  if (isa<tile::ProgramIdOp>(op))
    return {0, kMostPrograms - 1};
  if (isa<tile::NumProgramsOp>(op))
    return {1, kMostPrograms};
  if (isa<mlir::arith::AddIOp>(op))
    return inWidth(addRanges(operand(op, 0), operand(op, 1)), bits);
  if (isa<mlir::arith::SubIOp>(op))
    return inWidth(subRanges(operand(op, 0), operand(op, 1)), bits);
  if (isa<mlir::arith::MulIOp>(op))
    return inWidth(mulRanges(operand(op, 0), operand(op, 1)), bits);
  if (isa<mlir::arith::ExtSIOp, tile::HintOp>(op))
    return operand(op, 0);
  if (isa<mlir::arith::TruncIOp>(op))
    return inWidth(operand(op, 0), bits);
  if (isa<mlir::arith::ExtUIOp>(op)) {
    const Range source = operand(op, 0);
    return source.lo >= 0 ? source : Range::ofUnsigned(tile::bitsOf(op->getOperand(0).getType()));
  }
  if (isa<tile::IDivOp, tile::IRemOp>(op))
    return inWidth(rangeOfDivision(op, operand(op, 0)), bits);
  if (isa<mlir::arith::AndIOp>(op)) {
    const Range a = operand(op, 0), b = operand(op, 1);
    if (a.lo >= 0 || b.lo >= 0) // no more bits than in either that is not negative
      return {0, std::min(a.lo >= 0 ? a.hi : all.hi, b.lo >= 0 ? b.hi : all.hi)};
  }
  if (isa<mlir::arith::MinSIOp>(op)) {
    const Range a = operand(op, 0), b = operand(op, 1);
    return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  }
  if (isa<mlir::arith::MaxSIOp>(op)) {
    const Range a = operand(op, 0), b = operand(op, 1);
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  if (isa<mlir::arith::SelectOp>(op)) {
    const Range a = operand(op, 1), b = operand(op, 2);
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  return all;
}

//===--- Conditions ---------------------------------------------------------===//

std::optional<bool> Condition::known() const {
  if (range.contains(expr.range()))
    return true;
  if (!range.meets(expr.range()))
    return false;
  return std::nullopt;
}

Condition atLeast(UniformExpr expr, int64_t least) { return {expr, {least, Range().hi}}; }
Condition atMost(UniformExpr expr, int64_t most) { return {expr, {Range().lo, most}}; }

void require(SmallVectorImpl<Condition> &conditions, const Condition &condition) {
  if (condition.known() != true && !llvm::is_contained(conditions, condition))
    conditions.push_back(condition);
}

} // namespace tessera::ir
