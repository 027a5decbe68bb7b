//===- ValueFlow.cpp - where the elements of a value come from -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/ValueFlow.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera::ir::interp {

using namespace mlir;

namespace {

SmallVector<Value, 4> sourcesOfArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  const unsigned i = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (i == 0)
      return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
    return {loop.getInitArgs()[i - 1], loop.getYieldedValues()[i - 1]};
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner() == loop.getBeforeBody())
      return {loop.getInits()[i], loop.getYieldOp().getOperand(i)};
    return {loop.getConditionOp().getArgs()[i]};
  }
  return {};
}

} // namespace

SmallVector<Value, 4> sourcesOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return sourcesOfArgument(argument);
  Operation *op = value.getDefiningOp();
  const unsigned i = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getInitArgs()[i], loop.getYieldedValues()[i]};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getArgs()[i]};
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    SmallVector<Value, 4> sources{branch.thenYield().getOperand(i)};
    if (!branch.getElseRegion().empty())
      sources.push_back(branch.elseYield().getOperand(i));
    return sources;
  }
  if (isa<arith::SelectOp, tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp,
          tile::JoinOp, tile::SplitOp, tile::CatOp, tile::FlipOp, tile::SliceOp, tile::InsertOp, tile::HintOp>(op))
    return SmallVector<Value, 4>(op->getOperands());
  if (auto o = dyn_cast<tile::ExtractAtOp>(op))
    return {o.getSource()};
  if (auto o = dyn_cast<tile::InsertAtOp>(op))
    return {o.getDestination(), o.getSource()};
  if (auto o = dyn_cast<tile::GatherOp>(op))
    return {o.getSource()};
  return {};
}

Roots rootsOf(Value pointer, const DenseMap<Operation *, std::uint32_t> &workspaces) {
  Roots roots;
  SmallVector<Value, 16> open{pointer};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    const Type element = getElementTypeOrSelf(value.getType());
    if (!isa<tile::PtrType, tile::ViewType>(element))
      continue; // the condition of a selection
    Operation *op = value.getDefiningOp();
    if (!op && isa<tile::KernelOp>(value.getParentBlock()->getParentOp())) {
      roots.origins.push_back(cast<BlockArgument>(value).getArgNumber());
    } else if (op && isa<tile::WorkspaceOp>(op)) {
      roots.origins.push_back(workspaces.lookup(op));
    } else if (op && isa<tile::AddPtrOp, tile::PtrCastOp, tile::MakeViewOp>(op)) {
      open.push_back(op->getOperand(0));
    } else {
      const SmallVector<Value, 4> sources = sourcesOf(value);
      roots.unknown |= sources.empty();
      open.append(sources.begin(), sources.end());
    }
  }
  llvm::sort(roots.origins);
  return roots;
}

SmallVector<Operation *, 2> movedLoads(Value stored) {
  constexpr std::size_t most = 4096; // values to look at; kernels have far fewer behind one store
  SmallVector<Operation *, 2> loads;
  SmallVector<std::pair<Value, bool>, 16> open{{stored, false}};
  DenseSet<std::pair<Value, unsigned>> seen;
  while (!open.empty() && seen.size() < most) {
    auto [value, moved] = open.pop_back_val();
    if (!seen.insert({value, moved}).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (op && isa<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp>(op)) {
      if (moved && !llvm::is_contained(loads, op))
        loads.push_back(op);
      continue;
    }
    if (op && isa<tile::ReduceOp, tile::ScanOp, tile::SortOp, tile::DotOp, tile::HistogramOp, tile::AtomicRMWOp,
                  tile::AtomicCASOp, tile::AtomicLoadOp>(op))
      continue;
    moved |= op && isa<tile::TransOp, tile::JoinOp, tile::SplitOp, tile::CatOp, tile::FlipOp, tile::SliceOp,
                       tile::InsertOp, tile::ExtractAtOp, tile::InsertAtOp, tile::GatherOp>(op);
    const SmallVector<Value, 4> sources =
        op && op->getNumRegions() == 0 ? SmallVector<Value, 4>(op->getOperands()) : sourcesOf(value);
    for (Value source : sources)
      open.emplace_back(source, moved);
  }
  return loads;
}

} // namespace tessera::ir::interp
