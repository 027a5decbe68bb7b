//===- Operands.cpp - operands of products where they belong --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Operands.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::ir::gpu {

namespace scf = mlir::scf;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

Value withElements(OpBuilder &b, Location loc, Value x, Type element) {
  if (tile::elementOf(x.getType()) == element)
    return x;
  return tile::ConvertFloatOp::create(b, loc, tile::withElement(x.getType(), element), x);
}

Value under(OpBuilder &b, Location loc, Value x, const TileLayout &layout) {
  if (layout::layoutOf(x.getType()) == layout)
    return x;
  return layout::ConvertOp::create(b, loc, layout::withLayout(x.getType(), layout), x);
}

//===----------------------------------------------------------------------===//
// What an operand was before
//===----------------------------------------------------------------------===//

Origin::Origin(Value operand) : value(operand) {
  for (Operation *op = value.getDefiningOp(); isa_and_nonnull<tile::TransOp, tile::ReshapeOp>(op);
       op = value.getDefiningOp()) {
    steps.push_back(op);
    value = op->getOperand(0);
  }
}

bool Origin::isLoaded() const { return isa_and_nonnull<tile::LoadOp, tile::ViewLoadOp>(value.getDefiningOp()); }

/// \p layout, of what \p step gives, as that of what it takes.
static SharedLayout layoutBefore(Operation *step, const SharedLayout &layout) {
  if (auto trans = dyn_cast<tile::TransOp>(step)) {
    SmallVector<int> back(trans.getPermutation().size());
    for (const auto [to, from] : llvm::enumerate(trans.getPermutation()))
      back[static_cast<size_t>(from)] = static_cast<int>(to);
    return transposed(layout, back);
  }
  return reshaped(layout, tile::shapeOf(step->getOperand(0).getType()));
}

SharedLayout Origin::layoutFor(SharedLayout layout) const {
  for (Operation *step : steps)
    layout = layoutBefore(step, layout);
  return layout;
}

Value Origin::asOperand(OpBuilder &b, Location loc, Value buffer) const {
  for (Operation *step : llvm::reverse(steps))
    if (auto trans = dyn_cast<tile::TransOp>(step))
      buffer = layout::SharedTransOp::create(b, loc, buffer, trans.getPermutation());
    else
      buffer = layout::SharedReshapeOp::create(b, loc, buffer, tile::shapeOf(step->getResult(0).getType()));
  return buffer;
}

//===----------------------------------------------------------------------===//
// Operands in shared memory
//===----------------------------------------------------------------------===//

Operation *placeOf(const Origin &origin, tile::DotOp dot) {
  Operation *place = dot;
  for (Operation *parent = dot->getParentOp(); isa<scf::ForOp, scf::WhileOp, scf::IfOp>(parent);
       parent = parent->getParentOp()) {
    if (parent->isAncestor(origin.tile().getParentBlock()->getParentOp()))
      break;
    if (!isa<scf::IfOp>(parent))
      place = parent;
  }
  return place;
}

StoredOperand OperandStores::store(const Origin &origin, const SharedLayout &layout, tile::DotOp dot, Operation *place,
                                   bool isFenced) {
  OpBuilder b(place);
  const Location loc = dot.getLoc();
  const auto type = layout::BufferType::get(tile::elementOf(origin.tile().getType()),
                                            layout::SharedLayoutAttr::get(b.getContext(), origin.layoutFor(layout)));
  StoredOperand result;
  result.place = place;
  for (const Entry &entry : entries)
    if (entry.tile == origin.tile() && entry.allocation.getType() == type && entry.block == place->getBlock())
      result.allocation = entry.allocation;
  if (!result.allocation) {
    result.allocation = layout::SharedAllocOp::create(b, loc, type);
    layout::SharedStoreOp::create(b, loc, result.allocation, origin.tile());
    if (isFenced)
      layout::ProxyFenceOp::create(b, loc, layout::FenceSpace::Shared);
    entries.push_back({origin.tile(), result.allocation, place->getBlock(), {}});
  }
  b.setInsertionPoint(dot);
  result.buffer = origin.asOperand(b, loc, result.allocation);
  return result;
}

void OperandStores::free(OpBuilder &b, ArrayRef<StoredOperand> operands, tile::DotOp dot) {
  for (const StoredOperand &operand : operands) {
    if (!operand.allocation)
      continue;
    OpBuilder::InsertionGuard guard(b);
    if (operand.place != dot)
      b.setInsertionPointAfter(operand.place);
    Entry *const entry =
        llvm::find_if(entries, [&](const Entry &each) { return each.allocation == operand.allocation; });
    if (entry->freed)
      entry->freed.erase(); // it was for a product before this one
    entry->freed = layout::SharedFreeOp::create(b, dot.getLoc(), operand.allocation);
  }
}

void replaceProduct(tile::DotOp dot, Value product) {
  dot.getResult().replaceAllUsesWith(product);
  SmallVector<Value> open(dot->getOperands());
  dot.erase();
  while (!open.empty()) {
    Operation *const op = open.pop_back_val().getDefiningOp();
    if (!op || !mlir::isOpTriviallyDead(op))
      continue;
    llvm::append_range(open, op->getOperands());
    op->erase();
  }
}

} // namespace tessera::ir::gpu
