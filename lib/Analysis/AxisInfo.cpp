//===- AxisInfo.cpp - runs of equal or counting elements ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Facts flow from operands to results and through regions, from "anything may hold" down to a fixed point over loops.
// Numbers count modulo 2^width, so that sums need no proof; only widening does. A run of n that starts at a multiple of
// n never crosses the end of the width, which is what keeps aligned runs alive without one.
//
//===---------------------------------------------------------------------===//

#include "Analysis/AxisInfo.h"

#include "Analysis/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tessera::ir {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// Alignment of the memory that a launcher provides.
static constexpr int64_t kWorkspaceDivisor = 256;

static int64_t bytesInMemory(Type element) { return std::max<int64_t>(1, tile::bitsOf(element) / 8); }

/// The lowest bit of a number, as a divisor of it.
static int64_t lowestBit(uint64_t number) {
  return number == 0 ? kMostDivisor : std::min<int64_t>(kMostDivisor, int64_t(number & (~number + 1)) & ~(1ll << 63));
}

static int64_t product(int64_t a, int64_t b) { return a >= kMostDivisor / b ? kMostDivisor : a * b; }

/// How much the elements of a run grow from one to the next.
static int64_t stepOf(Type type) {
  auto pointer = dyn_cast<tile::PtrType>(tile::elementOf(type));
  return pointer ? bytesInMemory(pointer.getPointee()) : 1;
}

static SmallVector<int64_t, 5> extentsOf(Value value) {
  SmallVector<int64_t, 5> extents(tile::shapeOf(value.getType()));
  if (extents.empty())
    extents.push_back(1);
  return extents;
}

/// What divides the first element of each aligned run of \p length, given that elements grow by \p step in a run.
static int64_t divisorAt(const AxisFacts &facts, int64_t length, int64_t step) {
  return length >= facts.contiguity ? facts.divisor : std::min(facts.divisor, product(length, step));
}

/// The same facts told of runs that are no longer than \p length.
static AxisFacts shortened(AxisFacts facts, int64_t length, int64_t step) {
  facts.divisor = divisorAt(facts, length, step);
  facts.contiguity = std::min(facts.contiguity, length);
  facts.constancy = std::min(facts.constancy, length);
  return facts;
}

/// What divides every element.
static int64_t elementDivisor(const AxisInfo &info) {
  int64_t divisor = 1;
  for (const AxisFacts &facts : info)
    if (facts.contiguity == 1)
      divisor = std::max(divisor, facts.divisor);
  return divisor;
}

/// Facts of the results of one op from those of its operands.
class AxisInfos::Transfer {
public:
  Transfer(const AxisInfos &infos, OpResult result)
      : infos(infos), result(result), op(result.getOwner()), extents(extentsOf(result)),
        step(stepOf(result.getType())) {}

  AxisInfo run() const {
    return llvm::TypeSwitch<Operation *, AxisInfo>(op)
        .Case([&](arith::ConstantOp op) { return constant(op); })
        .Case([&](tile::ArangeOp op) { return arange(op); })
        .Case([&](tile::SplatOp) { return repeated(operand(0).front().divisor); })
        .Case([&](tile::WorkspaceOp) { return AxisInfo{{1, kWorkspaceDivisor, 1}}; })
        .Case([&](tile::HintOp op) { return hint(op); })
        .Case<tile::BroadcastOp>([&](Operation *) { return broadcast(); })
        .Case([&](tile::ExpandDimsOp op) { return expandDims(op); })
        .Case([&](tile::ReshapeOp op) { return reshape(op); })
        .Case([&](tile::TransOp op) { return trans(op); })
        .Case([&](tile::SliceOp op) { return slice(op); })
        .Case<arith::AddIOp, arith::SubIOp>([&](Operation *op) { return sum(isa<arith::SubIOp>(op)); })
        .Case([&](tile::AddPtrOp op) { return moved(op); })
        .Case([&](arith::MulIOp) { return multiplied(); })
        .Case([&](tile::ShlOp) { return shifted(); })
        .Case([&](tile::IDivOp op) { return divided(op); })
        .Case([&](tile::IRemOp op) { return remainder(op); })
        .Case<arith::ExtSIOp, arith::ExtUIOp>([&](Operation *) { return widened(0, isa<arith::ExtSIOp>(op)); })
        .Case<arith::TruncIOp, tile::PtrToIntOp, tile::IntToPtrOp, tile::PtrCastOp>(
            [&](Operation *) { return recast(); })
        .Case([&](arith::CmpIOp op) { return compared(op); })
        .Case([&](arith::SelectOp) { return selected(); })
        .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp,
              arith::MaxUIOp>([&](Operation *op) { return bitwise(isa<arith::AndIOp>(op)); })
        .Default([&](Operation *op) { return isElementwise(op) ? commonRuns(1) : unknown(); });
  }

private:
  AxisInfo operand(unsigned number) const { return infos.of(op->getOperand(number)); }
  Value value(unsigned number) const { return op->getOperand(number); }

  AxisInfo unknown() const { return AxisInfo(extents.size()); }

  /// One number everywhere.
  AxisInfo repeated(int64_t divisor) const {
    AxisInfo info;
    for (int64_t extent : extents)
      info.push_back({1, divisor, extent});
    return info;
  }

  /// Equal where all operands are; every element is divided by \p divisor.
  AxisInfo commonRuns(int64_t divisor) const {
    AxisInfo info = repeated(divisor);
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      for (auto [facts, other] : llvm::zip_equal(info, infos.of(operand)))
        facts.constancy = std::min(facts.constancy, other.constancy);
    }
    return info;
  }

  AxisInfo constant(arith::ConstantOp op) const {
    if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
      return repeated(lowestBit(number.getValue().getZExtValue()));
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!elements)
      return unknown();
    if (!isa<IntegerType>(elements.getElementType()))
      return elements.isSplat() ? repeated(1) : unknown();
    if (elements.isSplat())
      return repeated(lowestBit(elements.getSplatValue<APInt>().getZExtValue()));
    uint64_t bits = 0;
    for (const APInt &number : elements.getValues<APInt>())
      bits |= number.getZExtValue();
    AxisInfo info = unknown();
    for (AxisFacts &facts : info)
      facts.divisor = lowestBit(bits);
    return info;
  }

  AxisInfo arange(tile::ArangeOp op) const {
    return {{extents[0], lowestBit(static_cast<uint64_t>(static_cast<int64_t>(op.getStart()))), 1}};
  }

  /// The user counts elements, and runs may have any length: what is known of one holds for its aligned parts.
  AxisInfo hint(tile::HintOp op) const {
    AxisInfo info = operand(0);
    const std::optional<ArrayRef<int64_t>> multiples = op.getMultipleOf(), runs = op.getMaxContiguous();
    for (auto [axis, facts] : llvm::enumerate(info)) {
      const int64_t run = runs ? (*runs)[axis] : 1;
      AxisFacts told;
      told.contiguity = std::min(lowestBit(run), extents[axis]);
      told.divisor = product(multiples ? lowestBit((*multiples)[axis]) : 1, step);
      if (told.contiguity != run)
        told.divisor = std::min(told.divisor, product(told.contiguity, step));
      AxisFacts both;
      both.contiguity = std::max(facts.contiguity, told.contiguity);
      both.constancy = facts.constancy;
      for (const AxisFacts &known : {facts, told})
        if (known.contiguity <= both.contiguity)
          both.divisor = std::max(both.divisor, known.divisor);
      facts = both;
    }
    return info;
  }

  AxisInfo broadcast() const {
    AxisInfo info = operand(0);
    for (auto [facts, before, after] : llvm::zip_equal(info, extentsOf(value(0)), extents))
      if (before != after)
        facts.constancy = after;
    return info;
  }

  AxisInfo expandDims(tile::ExpandDimsOp op) const {
    AxisInfo info = operand(0);
    info.insert(info.begin() + op.getAxis(), {1, elementDivisor(info), 1});
    return info;
  }

  /// Runs along the last axis stay runs as far as they fit both shapes. Axes of extent 1 come and go.
  AxisInfo reshape(tile::ReshapeOp) const {
    const AxisInfo source = operand(0);
    const auto from = extentsOf(value(0));
    const auto lastLong = [](ArrayRef<int64_t> shape) {
      size_t axis = shape.size() - 1;
      while (axis > 0 && shape[axis] == 1)
        --axis;
      return axis;
    };
    const size_t before = lastLong(from), after = lastLong(extents);
    AxisInfo info = unknown();
    for (AxisFacts &facts : info)
      facts.divisor = elementDivisor(source);
    info[after] = shortened(source[before], std::min(from[before], extents[after]), step);
    return info;
  }

  AxisInfo trans(tile::TransOp op) const {
    const AxisInfo source = operand(0);
    AxisInfo info;
    for (int32_t from : op.getPermutation())
      info.push_back(source[from]);
    return info;
  }

  AxisInfo slice(tile::SliceOp op) const {
    AxisInfo info = operand(0);
    for (auto [facts, offset, extent] : llvm::zip_equal(info, op.getOffsets(), extents))
      facts = shortened(facts, std::min(extent, lowestBit(offset)), step);
    return info;
  }

  /// Where one side counts up and the other stands still.
  AxisInfo added(const AxisInfo &lhs, const AxisInfo &rhs, bool isDifference) const {
    AxisInfo info;
    for (auto [a, b] : llvm::zip_equal(lhs, rhs)) {
      AxisFacts facts;
      facts.contiguity = std::min(a.contiguity, b.constancy);
      if (!isDifference)
        facts.contiguity = std::max(facts.contiguity, std::min(a.constancy, b.contiguity));
      facts.divisor = std::min(divisorAt(a, facts.contiguity, step), divisorAt(b, facts.contiguity, step));
      facts.constancy = std::min(a.constancy, b.constancy);
      info.push_back(facts);
    }
    return info;
  }

  AxisInfo sum(bool isDifference) const { return added(operand(0), operand(1), isDifference); }

  /// \p info with every number times \p factor, told in units of \p factor.
  static AxisInfo scaled(AxisInfo info, int64_t factor) {
    for (AxisFacts &facts : info)
      facts.divisor = product(facts.divisor, factor);
    return info;
  }

  AxisInfo moved(tile::AddPtrOp move) const {
    const bool isNarrow = tile::bitsOf(tile::elementOf(move.getOffset().getType())) < 64;
    return added(operand(0), scaled(isNarrow ? widened(1, true) : operand(1), step), false);
  }

  AxisInfo multiplied() const {
    AxisInfo info;
    for (auto [a, b] : llvm::zip_equal(operand(0), operand(1)))
      info.push_back({1, product(divisorAt(a, 1, 1), divisorAt(b, 1, 1)), std::min(a.constancy, b.constancy)});
    return info;
  }

  std::optional<uint64_t> constantOperand(unsigned number) const {
    APInt constant;
    if (mlir::matchPattern(value(number), mlir::m_ConstantInt(&constant)))
      return constant.getZExtValue();
    if (auto splat = value(number).getDefiningOp<tile::SplatOp>();
        splat && mlir::matchPattern(splat.getSource(), mlir::m_ConstantInt(&constant)))
      return constant.getZExtValue();
    return std::nullopt;
  }

  AxisInfo shifted() const {
    AxisInfo info = commonRuns(1);
    const std::optional<uint64_t> bits = constantOperand(1);
    for (auto [facts, source] : llvm::zip_equal(info, operand(0)))
      facts.divisor = product(divisorAt(source, 1, 1), bits && *bits < 40 ? int64_t(1) << *bits : 1);
    return info;
  }

  /// Whether the integer is at least 0, wherever it is taken.
  bool isNonNegative(Value number) const {
    SmallVector<Condition> needs;
    if (!infos.affine.isExactSigned(number, needs) || !needs.empty())
      return false;
    const AffineForm *form = infos.affine.of(number);
    return form->base.range().lo >= 0 &&
           llvm::all_of(form->strides, [](UniformExpr stride) { return stride.range().lo >= 0; });
  }

  /// Whether quotients stand still and remainders count up within aligned runs, also across zero.
  template <class Op> bool roundsDown(Op op) const {
    if (op.getIsUnsigned())
      return true;
    return op.getRounding() == tile::DivRounding::Floor   ? isNonNegative(op.getRhs())
           : op.getRounding() == tile::DivRounding::Trunc ? isNonNegative(op.getLhs())
                                                          : false;
  }

  /// The longest runs, counting up from a multiple of their length, in which the divisor, also a multiple, stands
  /// still.
  static int64_t runWithin(const AxisFacts &number, const AxisFacts &by) {
    return std::min({number.contiguity, number.divisor, by.constancy, divisorAt(by, 1, 1)});
  }

  AxisInfo divided(tile::IDivOp op) const {
    AxisInfo info = commonRuns(1);
    const std::optional<uint64_t> by = constantOperand(1);
    for (auto [facts, a, b] : llvm::zip_equal(info, operand(0), operand(1))) {
      if (by && llvm::isPowerOf2_64(*by) && divisorAt(a, 1, 1) >= int64_t(*by))
        facts.divisor = divisorAt(a, 1, 1) / int64_t(*by);
      if (roundsDown(op))
        facts.constancy = std::max(facts.constancy, runWithin(a, b));
    }
    return info;
  }

  AxisInfo remainder(tile::IRemOp op) const {
    AxisInfo info = commonRuns(1);
    for (auto [facts, a, b] : llvm::zip_equal(info, operand(0), operand(1))) {
      if (roundsDown(op))
        facts.contiguity = runWithin(a, b);
      facts.divisor = std::min(divisorAt(a, facts.contiguity, 1), divisorAt(b, 1, 1));
    }
    return info;
  }

  /// Runs that may cross the end of the narrow type are cut where they cannot.
  AxisInfo widened(unsigned number, bool isSigned) const {
    AxisInfo info = operand(number);
    SmallVector<Condition> needs;
    const bool isExact = isSigned ? infos.affine.isExactSigned(value(number), needs)
                                  : infos.affine.isExactUnsigned(value(number), needs);
    if (!isExact || !needs.empty())
      for (AxisFacts &facts : info) {
        const int64_t constancy = facts.constancy;
        facts = shortened(facts, std::min(facts.contiguity, facts.divisor), 1);
        facts.constancy = constancy;
      }
    return info;
  }

  /// The same bits, in which a step may count for more or fewer elements.
  AxisInfo recast() const {
    AxisInfo info = operand(0);
    const int64_t before = stepOf(value(0).getType());
    if (before != step)
      for (AxisFacts &facts : info) {
        facts.divisor = divisorAt(facts, 1, before);
        facts.contiguity = 1;
      }
    return info;
  }

  /// Numbers that count up from a multiple of the length of a run cross a bound only between runs, if the bound is a
  /// multiple too.
  AxisInfo compared(arith::CmpIOp op) const {
    using enum arith::CmpIPredicate;
    AxisInfo info = commonRuns(1);
    const AxisInfo lhs = operand(0), rhs = operand(1);
    const arith::CmpIPredicate predicate = op.getPredicate();
    const bool countsLeft = llvm::is_contained({slt, sge, ult, uge}, predicate);
    const bool countsRight = llvm::is_contained({sgt, sle, ugt, ule}, predicate);
    for (auto [facts, a, b] : llvm::zip_equal(info, lhs, rhs)) {
      if (countsLeft)
        facts.constancy = std::max(facts.constancy, runWithin(a, b));
      if (countsRight)
        facts.constancy = std::max(facts.constancy, runWithin(b, a));
    }
    return info;
  }

  AxisInfo selected() const {
    AxisInfo info = unknown(), condition = operand(0);
    if (!isa<RankedTensorType>(value(0).getType()))
      condition = repeated(1);
    for (auto [facts, c, a, b] : llvm::zip_equal(info, condition, operand(1), operand(2))) {
      facts.contiguity = std::min({a.contiguity, b.contiguity, c.constancy});
      facts.divisor = std::min(divisorAt(a, facts.contiguity, step), divisorAt(b, facts.contiguity, step));
      facts.constancy = std::min({a.constancy, b.constancy, c.constancy});
    }
    return info;
  }

  AxisInfo bitwise(bool isAnd) const {
    AxisInfo info = commonRuns(1);
    for (auto [facts, a, b] : llvm::zip_equal(info, operand(0), operand(1))) {
      const int64_t left = divisorAt(a, 1, 1), right = divisorAt(b, 1, 1);
      facts.divisor = isAnd ? std::max(left, right) : std::min(left, right);
    }
    return info;
  }

  const AxisInfos &infos;
  OpResult result;
  Operation *op;
  SmallVector<int64_t, 5> extents;
  int64_t step;
};

AxisInfos::AxisInfos(tile::KernelOp kernel, AffineForms &affine, Assumptions assumed)
    : affine(affine), assumed(std::move(assumed)) {
  for (BlockArgument argument : kernel.getArguments()) {
    int64_t divisor = stepOf(argument.getType());
    if (auto multiple = kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), tile::TileDialect::kMultipleOf))
      divisor = std::max(divisor, lowestBit(multiple.getValue().getZExtValue()));
    meet(argument, {{1, divisor, 1}});
  }
  do {
    changed = false;
    visit(kernel.getBody().front());
  } while (changed);
}

AxisInfo AxisInfos::of(Value value) const {
  if (auto known = infos.find(value); known != infos.end())
    return known->second;
  return AxisInfo(extentsOf(value).size());
}

void AxisInfos::meet(Value value, AxisInfo info) {
  if (auto told = assumed.find(value); told != assumed.end())
    info.front().divisor = std::max(info.front().divisor, told->second);
  const int64_t step = stepOf(value.getType());
  if (auto integer = dyn_cast<IntegerType>(tile::elementOf(value.getType())); integer && integer.getWidth() < 32)
    for (AxisFacts &facts : info) { // runs that are not longer than the type counts
      const int64_t longest = int64_t(1) << (integer.getWidth() - 1);
      facts.divisor = divisorAt(facts, longest, step);
      facts.contiguity = std::min(facts.contiguity, longest);
    }
  auto [known, isNew] = infos.try_emplace(value, info);
  if (isNew) {
    changed = true;
    return;
  }
  for (auto [facts, other] : llvm::zip_equal(known->second, info)) {
    AxisFacts both;
    both.contiguity = std::min(facts.contiguity, other.contiguity);
    both.divisor = std::min(divisorAt(facts, both.contiguity, step), divisorAt(other, both.contiguity, step));
    both.constancy = std::min(facts.constancy, other.constancy);
    changed |= both != facts;
    facts = both;
  }
}

void AxisInfos::meetAll(mlir::ValueRange values, mlir::ValueRange sources) {
  for (auto [value, source] : llvm::zip_equal(values, sources))
    if (infos.contains(source)) // else nothing is known against it yet
      meet(value, infos.find(source)->second);
}

/// Along the edges between an op with regions, their arguments and what they yield.
void AxisInfos::flowThrough(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    meet(loop.getInductionVar(), {{1, std::min(divisorOf(loop.getLowerBound()), divisorOf(loop.getStep())), 1}});
    const auto yielded = loop.getYieldedValues();
    for (mlir::ValueRange sources : {mlir::ValueRange(loop.getInits()), mlir::ValueRange(yielded)}) {
      meetAll(loop.getRegionIterArgs(), sources);
      meetAll(loop.getResults(), sources);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() != 0) {
      meetAll(branch.getResults(), branch.thenYield().getOperands());
      meetAll(branch.getResults(), branch.elseYield().getOperands());
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    meetAll(loop.getBeforeArguments(), loop.getInits());
    meetAll(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    meetAll(loop.getAfterArguments(), loop.getConditionOp().getArgs());
    meetAll(loop.getResults(), loop.getConditionOp().getArgs());
  }
}

void AxisInfos::visit(Block &block) {
  for (Operation &op : block) {
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
      for (Region &region : op.getRegions()) {
        flowThrough(&op);
        for (Block &inner : region)
          visit(inner);
      }
      flowThrough(&op);
      continue;
    }
    for (OpResult result : op.getResults())
      if (isa<IntegerType, tile::PtrType>(tile::elementOf(result.getType())))
        meet(result, Transfer(*this, result).run());
  }
}

} // namespace tessera::ir
