//===- TileDialect.cpp - registration of the dialect and its attributes -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Registers types, attributes and ops, and checks the attributes this dialect puts on loops and kernel parameters.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "IRSupport/LLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FoldInterfaces.h"

#include "tessera-ir/Dialect/Tile/IR/TileDialect.cpp.inc"

namespace tessera::ir::tile {

namespace {

/// Keeps the constants of a combine region inside it, so that it stays readable alone.
struct KeepCombineConstants : mlir::DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final { return isa<ReduceOp, ScanOp>(region->getParentOp()); }
};

} // namespace

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerOps();
  addInterfaces<KeepCombineConstants>();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}

/// Whether \p attr is an i64 of at least 1.
static bool isPositiveInt(Attribute attr) {
  auto number = dyn_cast<IntegerAttr>(attr);
  return number && number.getType().isInteger(64) && number.getValue().isStrictlyPositive();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  if (name == kUnsigned) {
    if (!isa<mlir::arith::AddIOp, mlir::arith::SubIOp, mlir::arith::MulIOp>(op))
      return op->emitOpError("has the attribute `")
             << name << "`, which stands only on `arith.addi`, `arith.subi` and `arith.muli`";
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError("expected `") << name << "` to have no value, got " << attribute.getValue();
    return success();
  }
  const bool count = name == kNumStages || name == kUnroll;
  if (!count && name != kWarpSpecialize)
    return op->emitOpError("has the attribute `") << name << "`, which the tile dialect does not put on ops";
  if (!isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op))
    return op->emitOpError("has the attribute `") << name << "`, which stands only on `scf.for` and `scf.while`";
  if (count && !isPositiveInt(attribute.getValue()))
    return op->emitOpError("expected `") << name << "` to be an i64 of at least 1, got " << attribute.getValue();
  if (!count && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("expected `") << name << "` to have no value, got " << attribute.getValue();
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex,
                                                    NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel || argIndex >= kernel.getFunctionType().getNumInputs())
    return op->emitOpError("has the attribute `") << name << "` on an argument that is no parameter of a kernel";
  const Type type = kernel.getFunctionType().getInput(argIndex);
  if (name == kMultipleOf) { // kernel_c3
    if (!isPositiveInt(attribute.getValue()))
      return op->emitOpError("expected `tile.multiple_of` of parameter ")
             << argIndex << " to be an i64 of at least 1, got " << attribute.getValue();
    if (!isa<IntegerType, PtrType>(type))
      return op->emitOpError("expected `tile.multiple_of` on an integer or pointer, got parameter ")
             << argIndex << " of type " << type;
    return success();
  }
  if (name == kMayAlias || name == kZeroed) { // kernel_c4
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError("expected `")
             << name << "` of parameter " << argIndex << " to have no value, got " << attribute.getValue();
    if (!isa<PtrType>(type))
      return op->emitOpError("expected `")
             << name << "` on a pointer, got parameter " << argIndex << " of type " << type;
    return success();
  }
  // kernel_c5
  return op->emitOpError("has the attribute `") << name << "`, which the tile dialect does not put on parameters";
}

} // namespace tessera::ir::tile
