//===- Elementwise.cpp - ops on lanes ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "Conversion/Common/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;

Value toBitsOf(Emitter &e, Value code) { return toBitsInCode(e.math(), code); }

Value fromBitsOf(Emitter &e, Value bits, Type element) { return fromBitsInCode(e.math(), bits, element); }

SmallVector<Value> Emitter::emitElementwise(Operation &op, ValueRange operands) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return {this->constant(laneConstant(constant.getValue(), constant.getType()))};
  ElementwiseHooks portable;
  SmallVector<Value> results = elementwise(op, operands, {s->b, s->loc, *s->math, s->options.fpContract, portable});
  if (!results.empty())
    return results;
  const Type type = op.getNumOperands() ? op.getOperand(0).getType() : op.getResult(0).getType();
  refuse(op, "cannot be computed on elements of type " + typeText(tile::elementOf(type)));
  const unsigned lanes = operands.empty() ? 1 : lanesOf(operands[0]);
  for (Value result : op.getResults())
    results.push_back(placeholder(laneType(tile::elementOf(result.getType()), lanes)));
  return results;
}

SmallVector<Value> Emitter::inlineRegion(Region &combine, ValueRange arguments) {
  const unsigned lanes = arguments.empty() ? 1 : lanesOf(arguments[0]);
  llvm::DenseMap<Value, Value> inside;
  for (auto [parameter, argument] : llvm::zip_equal(combine.front().getArguments(), arguments))
    inside[parameter] = argument;
  const auto operandsOf = [&](Operation &op) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands()) {
      const Value known = inside.lookup(operand);
      operands.push_back(splat(known ? known : scalar(operand), lanes));
    }
    return operands;
  };
  for (Operation &op : combine.front().without_terminator()) {
    const SmallVector<Value> results = emitElementwise(op, operandsOf(op));
    for (auto [result, code] : llvm::zip_equal(op.getResults(), results))
      inside[result] = code;
  }
  return operandsOf(*combine.front().getTerminator());
}

} // namespace tessera::ir::host
