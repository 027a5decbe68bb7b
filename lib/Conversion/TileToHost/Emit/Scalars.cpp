//===- Scalars.cpp - scalars and uniform tiles -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A tile whose elements are all equal is one scalar.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;

/// The one element of a constant whose elements are equal; null if they are not.
static Attribute elementOfConstant(arith::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return op.getValue();
  return elements.isSplat() ? elements.getSplatValue<Attribute>() : Attribute();
}

/// The value whose elements are those of \p value, where that is a splat or a shape op; else null.
static Value sourceOfUniform(Value value) {
  Operation *const op = value.getDefiningOp();
  if (!isa_and_nonnull<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp,
                       tile::SliceOp, tile::FlipOp, tile::SplitOp>(op))
    return {};
  return op->getOperand(0);
}

Value Emitter::scalar(Value value) {
  if (const Value known = s->scalars.lookup(value))
    return known;
  const Value source = sourceOfUniform(value);
  if (source && (!isa<RankedTensorType>(source.getType()) || s->plan.home(source).kind == HomeKind::Uniform))
    return scalar(source);
  if (auto op = value.getDefiningOp<arith::ConstantOp>())
    if (const Attribute element = elementOfConstant(op))
      return constant(laneConstant(element, tile::elementOf(op.getType())));
  Operation *const op = value.getDefiningOp();
  refuse(op ? *op : *value.getParentBlock()->getParentOp(), "gives a scalar that was not computed");
  return placeholder(laneElement(tile::elementOf(value.getType())));
}

void Emitter::setScalar(Value value, Value code) { s->scalars[value] = code; }

Value Emitter::uniform(const UniformExpr &expr) {
  return s->uniforms.emit(expr, [&](Value value) { return scalar(value); }, [&](Value value) { return view(value); });
}

/// The one element of a tile of one element, or of a tile whose elements are equal.
static Value firstElement(Emitter &e, Value tile) {
  const LaneBlock first{SmallVector<Value, 5>(tile::shapeOf(tile.getType()).size(), e.i64(0)), 0, 1};
  return e.lanes(tile, first);
}

static void emitStore(Emitter &e, Operation &op) {
  const LaneBlock scalar;
  const Value lanes = e.lanes(storedValueOf(op), scalar);
  writeAccess(e, accessAt(e, op, scalar), lanes);
}

static void emitSelectOfViews(Emitter &e, arith::SelectOp op) {
  const ViewParts parts =
      e.state().code.select(e.scalar(op.getCondition()), e.view(op.getTrueValue()), e.view(op.getFalseValue()));
  e.state().views[op.getResult()] = parts;
}

/// An op with a form of its own; false if it is elementwise.
static bool emitSpecial(Emitter &e, Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case<arith::ConstantOp, tile::AssumeOp, tile::ReturnOp>([](auto) { return true; })
      .Case([&](tile::ProgramIdOp o) { return e.setScalar(o, e.programId(o.getAxis())), true; })
      .Case([&](tile::NumProgramsOp o) { return e.setScalar(o, e.numPrograms(o.getAxis())), true; })
      .Case([&](tile::WorkspaceOp o) { return e.setScalar(o, e.state().workspaces.lookup(o)), true; })
      .Case([&](tile::MakeViewOp o) { return e.view(o), true; })
      .Case<tile::LoadOp>([&](auto o) { return e.setScalar(o, loadLanes(e, *o, LaneBlock())), true; })
      .Case<tile::StoreOp>([&](auto o) { return emitStore(e, *o), true; })
      .Case<tile::ReshapeOp>([&](auto o) { return e.setScalar(o, firstElement(e, o.getSource())), true; })
      .Case([&](tile::SplitOp o) {
        LaneBlock part{SmallVector<Value, 5>(tile::shapeOf(o.getSource().getType()).size(), e.i64(0)), 0, 1};
        e.setScalar(o.getLhs(), e.lanes(o.getSource(), part));
        part.index.back() = e.i64(1);
        e.setScalar(o.getRhs(), e.lanes(o.getSource(), part));
        return true;
      })
      .Case([&](arith::SelectOp o) {
        if (!isa<tile::ViewType>(o.getType()))
          return false;
        return emitSelectOfViews(e, o), true;
      })
      .Default([](Operation *) { return false; });
}

void emitScalarStep(Emitter &e, Operation &op) {
  if (emitSpecial(e, op))
    return;
  if (const EmitFn emit = e.state().table.find(op.getName().getStringRef()))
    return emit(op, e);
  if (isa<tile::BitcastOp>(op) && tile::shapeOf(op.getOperand(0).getType()) != tile::shapeOf(op.getResult(0).getType()))
    return e.setScalar(op.getResult(0), define(e, op.getResult(0), LaneBlock()));
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(e.scalar(operand));
  for (auto [result, code] : llvm::zip_equal(op.getResults(), e.emitElementwise(op, operands)))
    e.setScalar(result, code);
}

} // namespace tessera::ir::host
