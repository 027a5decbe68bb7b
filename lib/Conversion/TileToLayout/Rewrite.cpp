//===- Rewrite.cpp - writes chosen layouts into a kernel ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/Rewrite.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

#include <algorithm>

namespace tessera::ir::layout {

namespace algebra = ::tessera::layout;

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Gives an op the result types that its results now have where its attributes repeat them.
static void retypeConstant(Operation *op) {
  auto constant = dyn_cast<mlir::arith::ConstantOp>(op);
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!elements)
    return;
  const auto type = cast<RankedTensorType>(constant.getType());
  constant.setValueAttr(elements.isSplat() ? elements.resizeSplat(type)
                                           : DenseElementsAttr::getFromRawBuffer(type, elements.getRawData()));
}

namespace {

class Rewriter {
public:
  Rewriter(tile::KernelOp kernel, const LayoutGraph &graph, const llvm::DenseMap<Operation *, Access> &accesses)
      : kernel(kernel), graph(graph), accesses(accesses), builder(kernel.getContext()) {}

  void run() {
    // Conversions and copies of cheap tiles come after their source, where an iteration would meet them.
    SmallVector<Operation *> ops;
    kernel.getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      setLayouts(op);
    for (Operation *op : ops)
      for (OpOperand &operand : op->getOpOperands())
        if (isTile(operand.get()) && !isCheapOp(op))
          operand.set(valueAs(operand.get(), graph.layoutAt(operand)));
    for (Operation *op : llvm::reverse(ops))
      if (isCheapOp(op) && op->use_empty())
        op->erase();
  }

private:
  bool isCheapOp(Operation *op) const { return op->getNumResults() == 1 && graph.isCheapTile(op->getResult(0)); }

  TileLayoutAttr attributeOf(const TileLayout &layout) { return TileLayoutAttr::get(kernel.getContext(), layout); }

  void setLayouts(Operation *op) {
    if (isCheapOp(op))
      return;
    const auto set = [&](Value value) {
      if (isTile(value))
        value.setType(withLayout(value.getType(), graph.layoutOf(value)));
    };
    for (Value result : op->getResults())
      set(result);
    retypeConstant(op);
    if (!isa<tile::ReduceOp, tile::ScanOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            set(argument);
    if (auto access = accesses.find(op); access != accesses.end())
      setVector(op, access->second);
  }

  void setVector(Operation *op, const Access &access) {
    if (access.wide.axis == -1)
      return;
    // The tile that is read or written has the layout of all others.
    OpOperand *operand = nullptr;
    TileLayout layout;
    for (OpOperand &candidate : op->getOpOperands())
      if (isTile(candidate.get()) && tile::shapeOf(candidate.get().getType()) == ArrayRef<int64_t>(access.shape))
        operand = &candidate;
    layout = operand ? graph.layoutAt(*operand) : graph.layoutOf(op->getResult(0));
    const auto vector = std::min<int64_t>(access.wide.elements, algebra::contiguousRegisters(layout, access.wide.axis));
    if (vector > 1)
      op->setAttr(LayoutDialect::kVector, builder.getI64IntegerAttr(vector));
  }

  Value valueAs(Value value, const TileLayout &layout) {
    const TileLayoutAttr attribute = attributeOf(layout);
    if (graph.isCheapTile(value))
      return cheapAs(value, attribute);
    if (encodingOf(value.getType()) == attribute)
      return value;
    Value &converted = made[{value, attribute}];
    if (!converted) {
      builder.setInsertionPointAfterValue(value);
      converted = ConvertOp::create(builder, value.getLoc(), withLayout(value.getType(), attribute), value);
    }
    return converted;
  }

  /// A copy of the op of \p value under \p layout.
  Value cheapAs(Value value, TileLayoutAttr layout) {
    if (Value known = made.lookup({value, layout}))
      return known;
    Operation *op = value.getDefiningOp();
    const OpLayouts layouts = layoutsOf(op);
    mlir::IRMapping mapping;
    for (auto [operand, place] : llvm::zip_equal(op->getOperands(), layouts.operands))
      if (isTile(operand))
        mapping.map(operand, valueAs(operand, place.map.apply(layout.getLayout())));
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op, mapping);
    copy->getResult(0).setType(withLayout(value.getType(), layout));
    retypeConstant(copy);
    return made[{value, layout}] = copy->getResult(0);
  }

  tile::KernelOp kernel;
  const LayoutGraph &graph;
  const llvm::DenseMap<Operation *, Access> &accesses;
  OpBuilder builder;
  llvm::DenseMap<std::pair<Value, TileLayoutAttr>, Value> made;
};

} // namespace

void applyLayouts(tile::KernelOp kernel, const LayoutGraph &graph,
                  const llvm::DenseMap<Operation *, Access> &accesses) {
  Rewriter(kernel, graph, accesses).run();
}

} // namespace tessera::ir::layout
