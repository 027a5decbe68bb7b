//===- Program.cpp - the grid, workspaces, views --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A view is never an object: its base, extents and strides are scalars.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::gpu {

namespace arith = mlir::arith;

static void emitProgramId(Operation &op, Emitter &e) {
  auto id = cast<tile::ProgramIdOp>(op);
  e.setScalar(id, e.programId(id.getAxis()));
}

static void emitNumPrograms(Operation &op, Emitter &e) {
  auto count = cast<tile::NumProgramsOp>(op);
  e.setScalar(count, e.numPrograms(count.getAxis()));
}

static void emitWorkspace(Operation &op, Emitter &e) { e.setScalar(op.getResult(0), e.state().workspaces.lookup(&op)); }

static void emitMakeView(Operation &op, Emitter &e) {
  auto make = cast<tile::MakeViewOp>(op);
  ViewParts parts;
  parts.base = e.scalar(make.getBase());
  for (Value extent : make.getExtents())
    parts.extents.push_back(e.scalar(extent));
  for (Value stride : make.getStrides())
    parts.strides.push_back(e.scalar(stride));
  e.setView(make, parts);
}

/// Of views only their scalars are chosen; everything else is elementwise.
static void emitSelect(Operation &op, Emitter &e) {
  auto select = cast<arith::SelectOp>(op);
  if (!isa<tile::ViewType>(select.getType()))
    return emitElementwiseOp(op, e);
  e.setView(select, e.state().code.select(e.scalar(select.getCondition()), e.view(select.getTrueValue()),
                                          e.view(select.getFalseValue())));
}

void registerProgramOps(OpTable &table) {
  table.add<tile::ProgramIdOp>(emitProgramId);
  table.add<tile::NumProgramsOp>(emitNumPrograms);
  table.add<tile::WorkspaceOp>(emitWorkspace);
  table.add<tile::MakeViewOp>(emitMakeView);
  table.add<arith::SelectOp>(emitSelect);
  table.add<tile::AssumeOp>([](Operation &, Emitter &) {});
}

} // namespace tessera::ir::gpu
