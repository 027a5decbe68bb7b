//===- Elementwise.cpp - ops on elements ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Access.h"
#include "Conversion/LayoutToLLVM/Emit/Core.h"

#include "Conversion/Common/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::gpu {

namespace {

/// Asks the vendor.
class VendorElementwise final : public ElementwiseHooks {
public:
  explicit VendorElementwise(Emitter &e) : e(e) {}

  Value compute(Operation &op, ValueRange wide) override { return e.hooks().compute(e, op, wide); }

  Value convert(MathBuilder &m, Value stored, Type from, Type to, const numbers::Narrowing &how) override {
    const SmallVector<Value> converted = e.hooks().convertFloats(e, {stored}, from, to, how);
    return converted.empty() ? ElementwiseHooks::convert(m, stored, from, to, how) : converted[0];
  }

private:
  Emitter &e;
};

} // namespace

SmallVector<Value> Emitter::emitElementwise(Operation &op, ValueRange operands, bool mayContract) {
  VendorElementwise hooks(*this);
  SmallVector<Value> results =
      elementwise(op, operands, {s->b, s->loc, s->math, s->options.fpContract && mayContract, hooks});
  if (!results.empty())
    return results;
  const Type type = op.getNumOperands() ? op.getOperand(0).getType() : Type();
  if (type && tile::isElement(tile::elementOf(type)))
    refuse(op, "cannot be computed on elements of type " + typeText(tile::elementOf(type)));
  else
    refuse(op, "is not an operation of this target");
  for (Value result : op.getResults()) {
    const Type element = tile::elementOf(result.getType());
    results.push_back(zero(tile::isElement(element) ? laneElement(element) : s->b.getI32Type()));
  }
  return results;
}

SmallVector<Value> Emitter::inlineRegion(Region &combine, ValueRange arguments, bool mayContract) {
  llvm::DenseMap<Value, Value> inside;
  for (auto [parameter, argument] : llvm::zip_equal(combine.front().getArguments(), arguments))
    inside[parameter] = argument;
  const auto operandsOf = [&](Operation &op) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands()) {
      const Value known = inside.lookup(operand);
      operands.push_back(known ? known : scalar(operand));
    }
    return operands;
  };
  for (Operation &op : combine.front().without_terminator()) {
    if (auto constant = dyn_cast<mlir::arith::ConstantOp>(op)) {
      inside[constant] = this->constant(laneConstant(constant.getValue(), constant.getType()));
      continue;
    }
    const SmallVector<Value> results = emitElementwise(op, operandsOf(op), mayContract);
    for (auto [result, code] : llvm::zip_equal(op.getResults(), results))
      inside[result] = code;
  }
  return operandsOf(*combine.front().getTerminator());
}

/// Narrowing and widening casts of a whole tile, which chips do two at a time; empty where they do not.
static SmallVector<Value> convertTogether(tile::ConvertFloatOp op, Emitter &e) {
  if (op->getNumOperands() != 1)
    return {};
  return e.hooks().convertFloats(e, e.registers(op->getOperand(0)), tile::elementOf(op->getOperand(0).getType()),
                                 tile::elementOf(op.getType()), {op.getRounding(), op.getSaturate(), Value()});
}

bool emitBounds(Operation &op, Emitter &e) {
  if (op.getNumResults() != 1 || !boundsOf(e.state().masks, op.getResult(0)))
    return false;
  SmallVector<Value> registers;
  const TileLayout &layout = e.layoutOf(op.getResult(0));
  Masks masks(e, op, op.getResult(0), layout);
  for (std::uint32_t reg = 0; reg != layout.size(::tessera::layout::Dim::Register); ++reg) {
    const Value mask = masks.at(reg);
    registers.push_back(mask ? mask : e.integer(1, 1));
  }
  e.setRegisters(op.getResult(0), registers);
  return true;
}

void emitElementwiseOp(Operation &op, Emitter &e) {
  const auto hasTile = [](TypeRange types) {
    return llvm::any_of(types, [](Type type) { return isa<RankedTensorType>(type); });
  };
  const bool isTile = hasTile(op.getResultTypes());
  if (op.getNumResults() == 0 || (!isTile && hasTile(op.getOperandTypes()))) {
    e.refuse(op, "is not an operation of this target");
    return e.setPlaceholders(op);
  }
  if (!isTile) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(e.scalar(operand));
    for (auto [result, code] : llvm::zip_equal(op.getResults(), e.emitElementwise(op, operands)))
      e.setScalar(result, code);
    return;
  }
  if (auto convert = dyn_cast<tile::ConvertFloatOp>(op))
    if (const SmallVector<Value> registers = convertTogether(convert, e); !registers.empty())
      return e.setRegisters(convert, registers);
  if (emitSharedDivision(op, e) || emitExponentials(op, e))
    return;
  SmallVector<SmallVector<Value>> operands; // of each operand
  for (Value operand : op.getOperands())
    operands.push_back(e.registers(operand));
  const std::uint32_t count = e.layoutOf(op.getResult(0)).size(::tessera::layout::Dim::Register);
  SmallVector<SmallVector<Value>, 1> results(op.getNumResults());
  for (std::uint32_t reg = 0; reg != count; ++reg) {
    SmallVector<Value> elements;
    for (const SmallVector<Value> &registers : operands) {
      if (registers.size() != 1 && registers.size() != count) {
        e.refuse(op, "has tiles of different layouts");
        return e.setPlaceholders(op);
      }
      elements.push_back(registers[registers.size() == 1 ? 0 : reg]);
    }
    for (auto [result, code] : llvm::zip_equal(results, e.emitElementwise(op, elements)))
      result.push_back(code);
  }
  for (auto [result, registers] : llvm::zip_equal(op.getResults(), results))
    e.setRegisters(result, registers);
}

} // namespace tessera::ir::gpu
