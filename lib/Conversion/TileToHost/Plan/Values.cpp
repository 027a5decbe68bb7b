//===- Values.cpp - what kind of value each one is ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Backward: what is needed at all, and what somebody must find in memory. Forward: the kind of each value from those of
// its operands.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;
namespace math = mlir::math;
namespace scf = mlir::scf;

/// The most vector ops and buffer reads that are repeated for each reader rather than done once.
static constexpr unsigned kCheapOps = 6;
static constexpr unsigned kCheapBuffers = 2;

static bool isTileValue(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Whether an index of the result gives that of the source by sums and products: each axis of the source is made of
/// neighbouring axes of the result.
static bool isMappable(Operation *op) {
  if (isa<tile::BroadcastOp, tile::ExpandDimsOp>(op))
    return true;
  if (!isa<tile::ReshapeOp>(op))
    return false;
  ArrayRef<int64_t> from = tile::shapeOf(op->getOperand(0).getType());
  const ArrayRef<int64_t> to = tile::shapeOf(op->getResult(0).getType());
  int64_t product = 1;
  for (int64_t extent : to) {
    while (!from.empty() && product == from.front()) {
      from = from.drop_front();
      product = 1;
    }
    product *= extent;
    if (product > 1 && (from.empty() || product > from.front()))
      return false;
  }
  return true;
}

/// Vector ops that one elementwise op takes; nothing if it is too much to repeat.
static std::optional<unsigned> opCost(Operation *op) {
  if (!mlir::isMemoryEffectFree(op))
    return std::nullopt;
  const Type element = tile::elementOf(op->getResult(0).getType());
  const auto isNarrow = [](Type type) { return isa<FloatType>(type) && tile::bitsOf(type) < 32; };
  using Cost = std::optional<unsigned>;
  return llvm::TypeSwitch<Operation *, Cost>(op)
      .Case<arith::DivFOp, arith::RemFOp>([](Operation *) { return Cost(); })
      .Case<arith::SelectOp, arith::CmpFOp, math::AbsFOp, arith::NegFOp, math::CopySignOp>(
          [](Operation *) { return Cost(1); })
      .Case<arith::SIToFPOp, arith::UIToFPOp>(
          [&](Operation *) { return isNarrow(element) || element.isF64() ? Cost() : Cost(2); })
      .Case([&](arith::MulIOp) { return Cost(element.isInteger(64) ? 3 : 1); })
      .Case<math::AbsIOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>([](Operation *) { return Cost(2); })
      .Case<tile::ArangeOp, tile::ShlOp, tile::ShrOp, tile::AddPtrOp>([](Operation *) { return Cost(1); })
      .Case<tile::HintOp, tile::PtrToIntOp, tile::IntToPtrOp, tile::PtrCastOp, tile::BitcastOp>(
          [](Operation *) { return Cost(0); })
      .Case<tile::MaxNumOp, tile::MinNumOp>([&](Operation *) { return isNarrow(element) ? Cost(5) : Cost(2); })
      .Case([&](tile::ConvertFloatOp convert) {
        const Type source = tile::elementOf(convert.getSource().getType());
        return tile::bitsOf(source) == 16 && tile::bitsOf(element) >= 32 ? Cost(2) : Cost();
      })
      .Default([&](Operation *op) {
        if (!isa<arith::ArithDialect>(op->getDialect()))
          return Cost();
        return isNarrow(element) ? Cost(5) : Cost(1);
      });
}

OpClass Values::classOf(Operation *op) const {
  if (isa<tile::ReturnOp, tile::YieldOp, scf::YieldOp, scf::ConditionOp>(op))
    return OpClass::Terminator;
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
    return OpClass::Region;
  if (isa<tile::AssumeOp>(op) || (isa<tile::AssertOp>(op) && !plan.options.checks))
    return OpClass::Ignored;
  if (llvm::none_of(op->getOperands(), isTileValue) && llvm::none_of(op->getResults(), isTileValue))
    return OpClass::Scalar;
  return llvm::TypeSwitch<Operation *, OpClass>(op)
      .Case([](arith::ConstantOp constant) {
        return cast<DenseElementsAttr>(constant.getValue()).isSplat() ? OpClass::Source : OpClass::Structured;
      })
      .Case([](tile::SplatOp) { return OpClass::Source; })
      .Case<tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp, tile::SliceOp, tile::FlipOp,
            tile::SplitOp>([](Operation *) { return OpClass::Shape; })
      .Case([](tile::BitcastOp op) {
        const bool sameShape = tile::shapeOf(op.getSource().getType()) == tile::shapeOf(op.getType());
        return sameShape ? OpClass::Elementwise : OpClass::Shape;
      })
      .Case([](tile::ReduceOp) { return OpClass::Reduce; })
      .Case([](tile::StoreOp) { return OpClass::Store; })
      .Case<tile::ViewStoreOp, tile::ViewStoreRowsOp>([](Operation *) { return OpClass::ViewStore; })
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp>(
          [](Operation *) { return OpClass::Atomic; })
      .Case<tile::ScanOp, tile::SortOp, tile::HistogramOp, tile::JoinOp, tile::CatOp, tile::InsertOp, tile::ExtractAtOp,
            tile::InsertAtOp, tile::GatherOp, tile::DotOp, tile::InlineAsmOp, tile::PrintOp, tile::AssertOp>(
          [](Operation *) { return OpClass::Structured; })
      .Default([](Operation *) { return OpClass::Elementwise; });
}

Values::Values(PlanContents &plan) : plan(plan) {
  SmallVector<Operation *> ops;
  plan.kernel.getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  findLive(ops);
  findForced(ops);
  for (Operation *op : ops)
    classify(op);
}

//===--- Backward -----------------------------------------------------------===//

/// Whether something happens when the op runs, beside its results.
static bool hasLastingEffect(Operation *op) {
  if (auto effects = dyn_cast<mlir::MemoryEffectOpInterface>(op))
    return effects.hasEffect<mlir::MemoryEffects::Write>();
  return !op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>();
}

void Values::findLive(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    const OpClass opClass = classOf(op);
    if (opClass == OpClass::Ignored)
      continue;
    const bool isRoot = opClass == OpClass::Terminator || opClass == OpClass::Region || hasLastingEffect(op);
    if (!isRoot && llvm::none_of(op->getResults(), [&](Value result) { return needed.contains(result); }))
      continue;
    live.insert(op);
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      needed.insert(packSourceOf(dot, 0).value);
      needed.insert(packSourceOf(dot, 1).value);
      needed.insert(dot.getAcc());
      continue;
    }
    for (Value operand : op->getOperands())
      needed.insert(operand);
  }
}

void Values::force(Value value) {
  if (isTileValue(value))
    forced.insert(value);
}

void Values::findForced(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    if (!isLive(op))
      continue;
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      force(dot.getAcc());
    } else if (classOf(op) == OpClass::Structured) {
      for (Value operand : op->getOperands())
        force(operand);
    } else if (classOf(op) == OpClass::Shape) {
      for (Value result : op->getResults())
        if (!isTileValue(result) || forced.contains(result) || (!isMappable(op) && !hasExactForm(result)))
          force(op->getOperand(0));
    }
  }
}

//===--- Forward ------------------------------------------------------------===//

bool Values::hasExactForm(Value value) const {
  const AffineForm *form = plan.affine.of(value);
  return form && form->isExact();
}

ValueKind Values::setKind(Value value, ValueKind kind) { return infos[value].kind = kind; }

void Values::setOwn(Value value) {
  if (!isTileValue(value))
    return;
  setKind(value, ValueKind::Own);
  plan.homes[value] = {HomeKind::Buffer, plan.addBuffer(value.getType())};
}

void Values::classify(Operation *op) {
  if (!isLive(op))
    return;
  switch (classOf(op)) {
  case OpClass::Shape:
    return classifyShape(op);
  case OpClass::Elementwise:
    return classifyElementwise(op);
  case OpClass::Reduce:
  case OpClass::Structured:
  case OpClass::Atomic:
    for (Value result : op->getResults())
      if (needed.contains(result))
        setOwn(result);
    return;
  case OpClass::Region:
    break;
  default:
    return;
  }
  for (Value result : op->getResults())
    setOwn(result);
  // What a loop takes in, carries and gives shares memory as far as it is one variable.
  const auto share = [&](mlir::ValueRange values, mlir::ValueRange with) {
    for (auto [value, other] : llvm::zip_equal(values, with))
      if (isTileValue(value)) {
        setKind(value, ValueKind::Own);
        plan.homes[value] = plan.homes[other];
      }
  };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    share(loop.getRegionIterArgs(), loop.getResults());
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (Value argument : loop.getBeforeArguments())
      setOwn(argument);
    share(loop.getAfterArguments(), loop.getResults());
  }
}

void Values::classifyShape(Operation *op) {
  const Value source = op->getOperand(0);
  const ValueKind kind = kindOf(source);
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    if (!isTileValue(result) || !needed.contains(result))
      continue;
    if (kind == ValueKind::Uniform) {
      // Wider and narrower elements are other numbers, and the parts of one number differ.
      setKind(result, isa<tile::BitcastOp>(op) ? ValueKind::Node : ValueKind::Uniform);
      continue;
    }
    if (plan.options.fuse && !forced.contains(result) && hasExactForm(result)) {
      setKind(result, ValueKind::Cheap);
      continue;
    }
    if (kind == ValueKind::Cheap) {
      const Info from = infos[source];
      infos[result] = from;
      continue;
    }
    const bool isView = kind == ValueKind::View;
    const Value base = isView ? infos[source].base : source;
    const BufferView from = isView ? infos[source].view : denseView(source.getType());
    if (std::optional<BufferView> view = viewThrough(op, number, from)) {
      Info &info = infos[result];
      info.kind = ValueKind::View;
      info.base = base;
      info.view = *view;
    } else {
      copied.insert(op);
      setOwn(result);
    }
  }
}

void Values::classifyElementwise(Operation *op) {
  const bool fuse = plan.options.fuse;
  const bool isForced = !fuse || llvm::any_of(op->getResults(), [&](Value result) { return forced.contains(result); });
  const auto setAll = [&](ValueKind kind) {
    for (Value result : op->getResults())
      setKind(result, kind);
  };
  const auto isUniform = [&](Value operand) { return kindOf(operand) == ValueKind::Uniform; };
  if (fuse && op->getNumOperands() && mlir::isMemoryEffectFree(op) && llvm::all_of(op->getOperands(), isUniform))
    return setAll(ValueKind::Uniform);
  if (isForced || op->getNumResults() != 1)
    return setAll(ValueKind::Node);
  const Value result = op->getResult(0);
  if (hasExactForm(result)) {
    setKind(result, ValueKind::Cheap);
    return;
  }
  const std::optional<unsigned> own = opCost(op);
  Info info;
  info.kind = own ? ValueKind::Cheap : ValueKind::Node;
  info.cost = own.value_or(0);
  for (Value operand : op->getOperands()) {
    const auto addBuffer = [&](Value value) {
      if (!llvm::is_contained(info.buffersRead, value))
        info.buffersRead.push_back(value);
    };
    switch (kindOf(operand)) {
    case ValueKind::Uniform:
      break;
    case ValueKind::Node:
      info.kind = ValueKind::Node;
      break;
    case ValueKind::Own:
    case ValueKind::View:
      addBuffer(operand);
      // Views may be of what is computed in this block, and then better computed once.
      if (kindOf(operand) == ValueKind::View && kindOf(infos[operand].base) == ValueKind::Node)
        info.kind = ValueKind::Node;
      break;
    case ValueKind::Cheap:
      info.cost += infos[operand].cost;
      for (Value value : infos[operand].buffersRead)
        addBuffer(value);
      break;
    }
  }
  if (info.cost > kCheapOps || info.buffersRead.size() > kCheapBuffers)
    info.kind = ValueKind::Node;
  infos[result] = info;
}

void Values::addHomes() const {
  for (const auto &[value, info] : infos) {
    if (info.kind == ValueKind::Cheap)
      plan.homes[value] = {};
    if (info.kind != ValueKind::View)
      continue;
    Home home = plan.homes.lookup(info.base);
    const unsigned slot = home.buffer.slot;
    home.buffer = info.view;
    home.buffer.slot = slot;
    plan.homes[value] = home;
  }
}

//===--- Questions ----------------------------------------------------------===//

ValueKind Values::kindOf(Value tile) const {
  auto known = infos.find(tile);
  return known == infos.end() ? ValueKind::Uniform : known->second.kind;
}

std::pair<Value, const BufferView *> Values::baseOf(Value view) const {
  const Info &info = infos.find(view)->second;
  return {info.base, &info.view};
}

unsigned Values::costOf(Value cheap) const {
  auto known = infos.find(cheap);
  return known == infos.end() ? 0 : known->second.cost;
}

bool Values::hasScalarStep(Operation *op) const {
  switch (classOf(op)) {
  case OpClass::Scalar:
    return true;
  case OpClass::Elementwise:
    return kindOf(op->getResult(0)) == ValueKind::Uniform;
  case OpClass::Shape: // to scalars
    return !isTileValue(op->getResult(0)) && kindOf(op->getOperand(0)) == ValueKind::Uniform;
  default:
    return false;
  }
}

void Values::forEachRead(Value value, bool lanewise, function_ref<void(Read)> found) const {
  if (!isTileValue(value))
    return found({value, true});
  Operation *op = value.getDefiningOp();
  switch (kindOf(value)) {
  case ValueKind::Node:
  case ValueKind::Own:
    return found({value, lanewise});
  case ValueKind::View:
    return found({infos.find(value)->second.base, false});
  case ValueKind::Uniform:
    if (hasScalarStep(op))
      return found({value, true});
    if (op->getNumOperands())
      forEachRead(op->getOperand(0), true, found);
    return;
  case ValueKind::Cheap:
    break;
  }
  if (const AffineForm *form = plan.affine.of(value); form && form->isExact()) {
    const auto visit = [&](Value scalar) { found({scalar, true}); };
    form->base.forEachValue(visit);
    for (UniformExpr stride : form->strides)
      stride.forEachValue(visit);
    if (form->pointer)
      visit(form->pointer);
    return;
  }
  for (Value operand : op->getOperands())
    forEachRead(operand, lanewise && classOf(op) == OpClass::Elementwise, found);
}

void Values::forEachReadOfAccess(Operation *op, function_ref<void(Read)> found) const {
  const AccessForm *access = plan.masks.accessOf(op);
  if (!access)
    return;
  const auto visit = [&](Value scalar) { found({scalar, true}); };
  const auto visitAll = [&](ArrayRef<Condition> conditions) {
    for (const Condition &condition : conditions)
      condition.expr.forEachValue(visit);
  };
  if (access->address) {
    access->address->base.forEachValue(visit);
    for (UniformExpr stride : access->address->strides)
      stride.forEachValue(visit);
    visitAll(access->address->needs);
    if (access->address->pointer)
      visit(access->address->pointer);
  }
  for (const Interval &interval : access->mask.box) {
    interval.lo.forEachValue(visit);
    interval.hi.forEachValue(visit);
  }
  visitAll(access->mask.needs);
  for (Value scalar : access->mask.scalars)
    visit(scalar);
  for (Value tile : access->mask.rest)
    forEachRead(tile, true, found);
}

PackSource Values::packSourceOf(tile::DotOp dot, unsigned operand) const {
  PackSource source = {dot->getOperand(operand), false, dot->getBlock()};
  if (auto trans = source.value.getDefiningOp<tile::TransOp>(); trans && plan.options.fuse) {
    SmallVector<int32_t> swapped = {1, 0};
    if (trans.getPermutation().size() == 3)
      swapped = {0, 2, 1};
    if (trans.getPermutation() == ArrayRef(swapped)) {
      source.value = trans.getSource();
      source.transposed = true;
    }
  }
  const ValueKind kind = kindOf(source.value);
  if (kind != ValueKind::Uniform && kind != ValueKind::Cheap)
    source.block = source.value.getParentBlock();
  return source;
}

} // namespace tessera::ir::host
