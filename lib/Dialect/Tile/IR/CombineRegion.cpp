//===- CombineRegion.cpp - the combine regions of reductions and scans -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/CombineRegion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// Well-known regions
//===----------------------------------------------------------------------===//

namespace {

struct CombineName {
  CombineKind kind;
  StringRef op;
};

constexpr CombineName kCombineNames[] = {
    {CombineKind::AddF, "arith.addf"},         {CombineKind::MulF, "arith.mulf"},
    {CombineKind::MaxNum, "tile.maxnum"},      {CombineKind::MinNum, "tile.minnum"},
    {CombineKind::MaximumF, "arith.maximumf"}, {CombineKind::MinimumF, "arith.minimumf"},
    {CombineKind::AddI, "arith.addi"},         {CombineKind::MulI, "arith.muli"},
    {CombineKind::MaxSI, "arith.maxsi"},       {CombineKind::MinSI, "arith.minsi"},
    {CombineKind::MaxUI, "arith.maxui"},       {CombineKind::MinUI, "arith.minui"},
    {CombineKind::And, "arith.andi"},          {CombineKind::Or, "arith.ori"},
    {CombineKind::Xor, "arith.xori"},
};

} // namespace

StringRef combineOpName(CombineKind kind) {
  const auto *entry = llvm::find_if(kCombineNames, [&](const CombineName &name) { return name.kind == kind; });
  return entry == std::end(kCombineNames) ? StringRef() : entry->op;
}

/// Whether \p op has no attribute that changes what it computes or prints.
static bool isPlain(Operation *op) {
  return llvm::all_of(op->getAttrDictionary(), [](NamedAttribute attr) {
    if (auto flags = dyn_cast<mlir::arith::FastMathFlagsAttr>(attr.getValue()))
      return flags.getValue() == mlir::arith::FastMathFlags::none;
    if (auto flags = dyn_cast<mlir::arith::IntegerOverflowFlagsAttr>(attr.getValue()))
      return flags.getValue() == mlir::arith::IntegerOverflowFlags::none;
    return false;
  });
}

std::optional<CombineKind> matchCombine(Region &combine) {
  if (!combine.hasOneBlock())
    return std::nullopt;
  Block &block = combine.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return std::nullopt;
  Operation &op = block.front();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield || !yield->getAttrs().empty() || op.getNumResults() != 1 || op.getNumOperands() != 2 || !isPlain(&op))
    return std::nullopt;
  if (op.getOperand(0) != block.getArgument(0) || op.getOperand(1) != block.getArgument(1) ||
      !llvm::equal(yield.getValues(), op.getResults()))
    return std::nullopt;
  const auto *entry =
      llvm::find_if(kCombineNames, [&](const CombineName &name) { return op.getName().getStringRef() == name.op; });
  return entry == std::end(kCombineNames) ? std::nullopt : std::optional(entry->kind);
}

void buildCombine(OpBuilder &builder, Location loc, Region &combine, CombineKind kind, Type element) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&combine, combine.end(), {element, element}, {loc, loc});
  OperationState state(loc, combineOpName(kind));
  state.addOperands(block->getArguments());
  state.addTypes(element);
  Operation *op = builder.create(state);
  YieldOp::create(builder, loc, op->getResults());
}

//===----------------------------------------------------------------------===//
// Printed form
//===----------------------------------------------------------------------===//

ParseResult parseCombine(OpAsmParser &parser, Region &combine, ArrayRef<Type> inputs) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    const auto *entry = llvm::find_if(kCombineNames, [&](const CombineName &name) { return name.op == keyword; });
    if (entry == std::end(kCombineNames))
      return parser.emitError(loc, "expected the name of a combining op or a region, got `") << keyword << "`";
    if (inputs.size() != 1)
      return parser.emitError(loc, "expected a region, since an op's name combines one input, got ")
             << inputs.size() << " inputs";
    OpBuilder builder(parser.getContext());
    buildCombine(builder, parser.getEncodedSourceLoc(loc), combine, entry->kind, elementOf(inputs.front()));
    return success();
  }
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true, /*allowAttrs=*/false) ||
      parser.parseRegion(combine, arguments));
}

void printCombine(OpAsmPrinter &printer, Operation *, Region &combine, TypeRange inputs) {
  if (std::optional<CombineKind> kind = matchCombine(combine); kind && inputs.size() == 1) {
    printer << combineOpName(*kind);
    return;
  }
  printer << "(";
  llvm::interleaveComma(combine.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(combine, /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether \p value is defined outside \p region.
static bool isOutside(Value value, Region &region) { return !region.isAncestor(value.getParentRegion()); }

LogicalResult verifyCombine(Operation *op, Region &combine, ValueRange inputs) {
  SmallVector<Type> elements = llvm::map_to_vector(inputs, [](Value input) { return elementOf(input.getType()); });
  SmallVector<Type> both(elements);
  llvm::append_range(both, elements);
  Block &block = combine.front();
  if (block.getArgumentTypes() != TypeRange(both)) // reduce_c4, scan_c4
    return op->emitOpError("expected the combine region to take (")
           << both << "), got (" << SmallVector<Type>(block.getArgumentTypes()) << ")";
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("expected the combine region to end in `tile.yield`");
  if (yield.getValues().getTypes() != TypeRange(elements)) // reduce_c5, scan_c5
    return op->emitOpError("expected the combine region to yield (")
           << elements << "), got (" << SmallVector<Type>(yield.getValues().getTypes()) << ")";
  const mlir::WalkResult result = combine.walk([&](Operation *inner) { // reduce_c6, scan_c6
    if (!mlir::isMemoryEffectFree(inner)) {
      inner->emitOpError("touches memory or may have other effects, which the combine region of `")
          << op->getName() << "` must not";
      return mlir::WalkResult::interrupt();
    }
    for (Value operand : inner->getOperands())
      if (isOutside(operand, combine) && !isElement(operand.getType())) {
        inner->emitOpError("uses a value of type ") << operand.getType() << " from outside the combine region of `"
                                                    << op->getName() << "`; only scalars may come from outside";
        return mlir::WalkResult::interrupt();
      }
    return mlir::WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace tessera::ir::tile
