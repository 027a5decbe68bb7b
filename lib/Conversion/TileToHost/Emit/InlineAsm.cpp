//===- InlineAsm.cpp - a target's own instructions ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Emitter.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "Conversion/Common/InlineAsmCode.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::host {

namespace {

void emitInlineAsm(Operation &operation, Emitter &e) {
  auto op = cast<tile::InlineAsmOp>(operation);
  const auto refuse = [&](const Twine &why) {
    e.refuse(operation, why);
    for (Value result : op.getResults())
      if (!isa<RankedTensorType>(result.getType()))
        e.setScalar(result, e.placeholder(laneElement(result.getType())));
  };
  const DictionaryAttr body = asmBodyFor(op, e.options().target);
  if (!body)
    return refuse(whyNoAsmBody(op, e.options().target));
  ArrayRef<int64_t> shape;
  for (Value value : op->getOperands())
    if (isa<RankedTensorType>(value.getType()))
      shape = tile::shapeOf(value.getType());
  for (Value value : op->getResults())
    if (isa<RankedTensorType>(value.getType()))
      shape = tile::shapeOf(value.getType());
  const int64_t last = shape.empty() ? 1 : shape.back();
  if (op.getPack() > last)
    return refuse("packs " + Twine(op.getPack()) + " elements, and the last axis has " + Twine(last));
  e.forDomain(domainOf(shape, static_cast<unsigned>(op.getPack())), 1, [&](ArrayRef<LaneBlock> blocks) {
    SmallVector<SmallVector<Value>> runs;
    for (Value operand : op.getOperands()) {
      const Value lanes = e.lanes(operand, blocks[0]);
      SmallVector<Value> &run = runs.emplace_back();
      for (int64_t lane = 0; lane != op.getPack(); ++lane)
        run.push_back(e.extractLane(lanes, lane));
    }
    const auto results = evaluateAsm(e.builder(), e.loc(), e.math(), op, body, runs);
    for (auto [result, run] : llvm::zip_equal(op.getResults(), results)) {
      if (!isa<RankedTensorType>(result.getType())) {
        e.setScalar(result, run[0]);
      } else if (e.hasBuffer(result)) {
        const auto type = mlir::VectorType::get({op.getPack()}, run[0].getType());
        const Value lanes = op.getPack() == 1
                                ? run[0]
                                : mlir::vector::FromElementsOp::create(e.builder(), e.loc(), type, run).getResult();
        e.writeBuffer(e.bufferOf(result), lanes, blocks[0]);
      }
    }
  });
}

} // namespace

void registerInlineAsm(OpTable &table) { table.add<tile::InlineAsmOp>(emitInlineAsm); }

} // namespace tessera::ir::host
