//===- Views.cpp - views and accesses through them ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A view is never an object: its base, extents and strides are scalars.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;
using arith::CmpIPredicate;

ViewParts Emitter::view(Value view) {
  if (const auto known = s->views.find(view); known != s->views.end())
    return known->second;
  ViewParts parts;
  const unsigned rank = cast<tile::ViewType>(view.getType()).getRank();
  if (auto make = view.getDefiningOp<tile::MakeViewOp>()) {
    parts.base = scalar(make.getBase());
    for (unsigned axis = 0; axis != rank; ++axis) {
      parts.extents.push_back(scalar(make.getExtents()[axis]));
      parts.strides.push_back(scalar(make.getStrides()[axis]));
    }
  } else {
    refuse(*view.getParentBlock()->getParentOp(), "uses a view that nothing has made");
    parts.base = i64(0);
    parts.extents.assign(rank, i64(0));
    parts.strides.assign(rank, i64(0));
  }
  s->views[view] = parts;
  return parts;
}

Type viewAccessType(Operation &op) {
  return llvm::TypeSwitch<Operation *, Type>(&op)
      .Case<tile::ViewStoreOp, tile::ViewStoreRowsOp>([](auto o) { return o.getValue().getType(); })
      .Default([](Operation *o) { return o->getResult(0).getType(); });
}

Value padOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<tile::ViewLoadOp, tile::ViewLoadRowsOp>([](auto o) { return o.getPad(); })
      .Default([](Operation *) { return Value(); });
}

/// Adds \p b to \p a, either of which may be lanes.
static Value sum(Emitter &e, Value a, Value b) {
  const unsigned lanes = std::max(lanesOf(a), lanesOf(b));
  return lanes == 1 ? e.add(a, b)
                    : arith::AddIOp::create(e.builder(), e.loc(), e.splat(a, lanes), e.splat(b, lanes)).getResult();
}

static Value product(Emitter &e, Value a, Value b) {
  const unsigned lanes = std::max(lanesOf(a), lanesOf(b));
  return lanes == 1 ? e.mul(a, b)
                    : arith::MulIOp::create(e.builder(), e.loc(), e.splat(a, lanes), e.splat(b, lanes)).getResult();
}

/// Coordinates in the view of the block's lanes along \p axis: one for all, or one for each.
static Value coordinateAt(Emitter &e, Operation &op, unsigned axis, const LaneBlock &block) {
  const auto counted = [&](Value start) {
    Value first = e.add(e.scalar(start), block.index[axis]);
    return axis == block.axis && block.lanes > 1 ? sum(e, first, e.iota(64, block.lanes)) : first;
  };
  const auto row = [&](Value rows) {
    const LaneBlock alongRows{{block.index[0]}, 0, block.axis == 0 ? block.lanes : 1};
    const Value lanes = e.lanesOrScalar(rows, alongRows);
    return e.math().bitsOf(lanes) == 64 ? lanes : e.math().signExtend(lanes, 64);
  };
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<tile::ViewLoadOp, tile::ViewStoreOp>([&](auto o) { return counted(o.getCoords()[axis]); })
      .Case<tile::ViewLoadRowsOp, tile::ViewStoreRowsOp>(
          [&](auto o) { return axis == 0 ? row(o.getRows()) : counted(o.getCol()); });
}

/// Which of the lanes at \p at lie inside an axis of \p extent elements. A coordinate that overflows is negative, and
/// so outside.
static Value insideAxis(Emitter &e, Value at, Value extent) {
  OpBuilder &b = e.builder();
  const unsigned lanes = lanesOf(at);
  const Value notBefore = arith::CmpIOp::create(b, e.loc(), CmpIPredicate::sge, at, e.splat(e.i64(0), lanes));
  const Value notBehind = arith::CmpIOp::create(b, e.loc(), CmpIPredicate::slt, at, e.splat(extent, lanes));
  return arith::AndIOp::create(b, e.loc(), notBefore, notBehind);
}

void placeInView(Emitter &e, Operation &op, const LaneBlock &block, Access &access) {
  const ViewParts parts = e.view(op.getOperand(0));
  // Lanes along an axis of neighbours need the place of the first one only.
  const bool areRows = block.axis == 0 && isa<tile::ViewLoadRowsOp, tile::ViewStoreRowsOp>(op);
  const bool areNeighbours = block.lanes > 1 && !areRows && parts.strides[block.axis] == e.i64(1);
  bool areTogether = block.lanes == 1 || areNeighbours;
  Value offset = e.i64(0);
  for (unsigned axis = 0; axis != block.index.size(); ++axis) {
    const Value at = coordinateAt(e, op, axis, block);
    const Value inside = insideAxis(e, at, parts.extents[axis]);
    access.mask = both(e, access.mask, inside);
    const Value bytes = e.mul(parts.strides[axis], e.i64(storedBytes(access.element)));
    const bool isCounted = areNeighbours && axis == block.axis;
    const Value place = isCounted ? coordinateAt(e, op, axis, {block.index, 0, 1}) : at;
    offset = sum(e, offset, product(e, place, bytes));
    areTogether &= lanesOf(place) == 1;
  }
  const Value address = sum(e, parts.base, offset);
  if (areTogether)
    access.pointer = e.toPointer(address);
  else
    access.addresses = address;
}

} // namespace tessera::ir::host
