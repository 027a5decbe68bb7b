//===- LayoutDialect.cpp - registration of the dialect and its attributes -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Registers attributes, types and ops, names layouts in printed text, and checks the attributes on kernels.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Layout/IR/RequiredMultiples.h"
#include "tessera-ir/Dialect/Layout/IR/RowFacts.h"

#include "IRSupport/LLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.cpp.inc"

namespace tessera::ir::layout {

namespace {

/// Prints layouts once, above the module, as `#l` and `#s`.
struct LayoutAliases : mlir::OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &os) const final {
    if (!isa<TileLayoutAttr, SharedLayoutAttr>(attribute))
      return AliasResult::NoAlias;
    os << (isa<TileLayoutAttr>(attribute) ? "l" : "s");
    return AliasResult::FinalAlias;
  }
};

} // namespace

void LayoutDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
  addInterfaces<LayoutAliases>();
}

Operation *LayoutDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}

/// What the number in an attribute on a kernel may be.
static bool isKernelNumber(StringRef name, const APInt &number) {
  if (name == LayoutDialect::kSharedBytes)
    return !number.isNegative();
  if (!number.isStrictlyPositive())
    return false;
  return name == LayoutDialect::kProgramsPerBlock || number.isPowerOf2();
}

/// Checks `layout.vector` and `layout.in_bounds`.
static LogicalResult verifyAccessAttribute(Operation *op, NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  const bool isView =
      isa<tile::ViewLoadOp, tile::ViewStoreOp, tile::ViewLoadRowsOp, tile::ViewStoreRowsOp, ViewAsyncCopyOp>(op);
  if (name == LayoutDialect::kInBounds) {
    if (!isView || !isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError("expected `") << name << "` to be a unit on an access of a view";
    return success();
  }
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!isView && !isa<tile::LoadOp, tile::StoreOp, AsyncCopyOp>(op))
    return op->emitOpError("has the attribute `") << name << "`, which stands only on loads, stores and copies";
  if (!number || !number.getType().isInteger(64) || !number.getValue().isStrictlyPositive() ||
      !number.getValue().isPowerOf2())
    return op->emitOpError("expected `") << name << "` to be an i64 that is a power of two, got "
                                         << attribute.getValue();
  return success();
}

static LogicalResult verifyMultiples(tile::KernelOp kernel, Attribute value) {
  auto multiples = dyn_cast<mlir::DenseI64ArrayAttr>(value);
  if (!multiples || multiples.size() != kernel.getNumArguments() ||
      !llvm::all_of(multiples.asArrayRef(), [](int64_t number) { return number > 0 && llvm::isPowerOf2_64(number); }))
    return kernel.emitOpError("expected `") << kRequiredMultiples << "` to be an array of powers of two, "
                                            << kernel.getNumArguments() << " of i64, got " << value;
  return success();
}

/// Checks the facts of rows (RowFacts.h).
static LogicalResult verifyRowFact(Operation *op, NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  const bool isOnExp = name != kPartOfSum;
  if (!isa<UnitAttr>(attribute.getValue()) || !(isOnExp ? isa<mlir::math::ExpOp>(op) : isa<mlir::arith::DivFOp>(op)))
    return op->emitOpError("expected `") << name << "` to be a unit on " << (isOnExp ? "`math.exp`" : "`arith.divf`");
  return success();
}

LogicalResult LayoutDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  if (name == kBesideOne || name == kSeenAsParts || name == kPartOfSum)
    return verifyRowFact(op, attribute);
  if (name == kVector || name == kInBounds)
    return verifyAccessAttribute(op, attribute);
  if (!llvm::is_contained({kNumWarps, kWarpSize, kNumBlocks, kProgramsPerBlock, kSharedBytes, kRequiredMultiples},
                          name))
    return op->emitOpError("has the attribute `") << name << "`, which the layout dialect does not put on ops";
  if (!isa<tile::KernelOp>(op))
    return op->emitOpError("has the attribute `") << name << "`, which stands only on `tile.kernel`";
  if (name == kRequiredMultiples)
    return verifyMultiples(cast<tile::KernelOp>(op), attribute.getValue());
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!number || !number.getType().isInteger(64) || !isKernelNumber(name, number.getValue()))
    return op->emitOpError("expected `") << name << "` to be an i64 that is "
                                         << (name == kSharedBytes        ? "not negative"
                                             : name == kProgramsPerBlock ? "at least 1"
                                                                         : "a power of two")
                                         << ", got " << attribute.getValue();
  if (name == kWarpSize && number.getInt() > 64)
    return op->emitOpError("expected `") << name << "` to be at most 64, got " << number.getInt();
  return success();
}

} // namespace tessera::ir::layout
