//===- Create.cpp - constants and counters --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::gpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using ::tessera::layout::Dim;

/// A global with the elements of \p elements, in row-major order and their form in memory.
static Value constantMemory(Emitter &e, DenseElementsAttr elements) {
  Emitter::State &s = e.state();
  LLVM::GlobalOp &global = s.globals[elements];
  if (!global) {
    const Type element = elements.getElementType(), stored = storedType(element);
    SmallVector<Attribute> numbers;
    for (Attribute number : elements.getValues<Attribute>()) {
      if (element.isInteger(1))
        number = s.b.getI8IntegerAttr(cast<IntegerAttr>(number).getValue().getBoolValue());
      numbers.push_back(laneConstant(number, element));
    }
    OpBuilder::InsertionGuard guard(s.b);
    s.b.setInsertionPoint(s.function);
    const auto type = RankedTensorType::get({elements.getNumElements()}, stored);
    global = LLVM::GlobalOp::create(s.b, s.loc, LLVM::LLVMArrayType::get(stored, static_cast<unsigned>(numbers.size())),
                                    true, LLVM::Linkage::Internal,
                                    (s.kernel.getSymName() + "_constant_" + Twine(s.globals.size() - 1)).str(),
                                    DenseElementsAttr::get(type, numbers), 16, border::kGlobalSpace);
  }
  return LLVM::AddressOfOp::create(s.b, s.loc, global);
}

static void emitConstant(Operation &op, Emitter &e) {
  auto constant = cast<arith::ConstantOp>(op);
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements)
    return e.setScalar(constant, e.constant(laneConstant(constant.getValue(), constant.getType())));
  const Type element = elements.getElementType();
  const TileLayout &layout = e.layoutOf(constant);
  const std::uint32_t count = layout.size(Dim::Register);
  if (elements.isSplat())
    return e.setRegisters(
        constant, SmallVector<Value>(count, e.constant(laneConstant(elements.getSplatValue<Attribute>(), element))));
  const Value base = constantMemory(e, elements);
  SmallVector<Value> registers;
  for (std::uint32_t reg = 0; reg != count; ++reg) {
    const Value index = e.bitXor(e.flatIndex(layout), e.i32(layout.at(reg, 0, 0)));
    const Value pointer = e.bytePointer(base, e.mul(index, e.i32(storedBytes(element))));
    const Value stored = LLVM::LoadOp::create(e.builder(), e.loc(), storedType(element), pointer);
    registers.push_back(element.isInteger(1) ? e.math().neI(stored, e.integer(8, 0)) : stored);
  }
  e.setRegisters(constant, registers);
}

static void emitArange(Operation &op, Emitter &e) {
  auto arange = cast<tile::ArangeOp>(op);
  const TileLayout &layout = e.layoutOf(arange);
  // What threads and registers contribute may be added where their bits differ, and all then starts at `start`.
  const bool adds = Emitter::isSeparable(layout, 0);
  const Value first = adds ? e.add(e.axisIndex(layout, 0), e.i32(arange.getStart())) : Value();
  SmallVector<Value> registers;
  for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg) {
    const Value own = e.i32(Emitter::registerIndex(layout, 0, reg));
    registers.push_back(adds ? e.add(first, own)
                             : e.add(e.bitXor(e.axisIndex(layout, 0), own), e.i32(arange.getStart())));
  }
  e.setRegisters(arange, registers);
}

static void emitSplat(Operation &op, Emitter &e) {
  auto splat = cast<tile::SplatOp>(op);
  const std::uint32_t count = e.layoutOf(splat).size(Dim::Register);
  e.setRegisters(splat, SmallVector<Value>(count, e.scalar(splat.getSource())));
}

void registerCreateOps(OpTable &table) {
  table.add<arith::ConstantOp>(emitConstant);
  table.add<tile::ArangeOp>(emitArange);
  table.add<tile::SplatOp>(emitSplat);
}

} // namespace tessera::ir::gpu
