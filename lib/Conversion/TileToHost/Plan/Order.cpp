//===- Order.cpp - which ops must stay in order ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS M3: program order holds for every address within the memory of one argument. Different arguments are
// disjoint, or the same places are loaded first and stored later.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/Order.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cstdlib>

namespace tessera::ir::host {

MemoryUse MemoryOrder::useOf(Operation *op) const {
  MemoryUse use;
  use.roots.resize(roots.size());
  const auto isOrdered = [](tile::MemoryOrder order) { return order != tile::MemoryOrder::Relaxed; };
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp>([&](Operation *) { use.reads = true; })
      .Case<tile::StoreOp, tile::ViewStoreOp, tile::ViewStoreRowsOp>([&](Operation *) { use.writes = true; })
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp>([&](auto atomic) {
        use.reads = use.writes = true;
        use.isBarrier = isOrdered(atomic.getOrder());
      })
      .Case<tile::PrintOp, tile::AssertOp>([&](Operation *) { use.isTrace = true; })
      .Case<tile::AssumeOp, tile::WorkspaceOp>([](Operation *) {})
      .Default([&](Operation *op) {
        // Whatever else has an effect, such as assembly, may do anything.
        use.isBarrier = op->getNumRegions() == 0 && !mlir::isMemoryEffectFree(op);
      });
  if (use.reads || use.writes)
    use.roots |= roots.ofOperands(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block) {
        const MemoryUse more = useOf(&inner);
        use.reads |= more.reads;
        use.writes |= more.writes;
        use.isBarrier |= more.isBarrier;
        use.isTrace |= more.isTrace;
        use.roots |= more.roots;
      }
  return use;
}

/// Whether no two lanes touch one byte, for all values of the scalars.
static bool isInjective(const AccessForm &access) {
  if (!access.address || !access.address->isExact())
    return false;
  SmallVector<std::pair<int64_t, int64_t>> axes; // size of the step, extent
  for (auto [extent, stride] : llvm::zip_equal(access.shape, access.address->strides)) {
    if (extent == 1)
      continue;
    const std::optional<int64_t> step = stride.asConstant();
    constexpr int64_t kFarthest = int64_t(1) << 40;
    if (!step || *step > kFarthest || *step < -kFarthest)
      return false;
    axes.emplace_back(std::abs(*step), extent);
  }
  llvm::sort(axes);
  int64_t covered = access.elementBytes;
  for (auto [step, extent] : axes) {
    if (step < covered)
      return false;
    covered += step * (extent - 1);
  }
  return true;
}

bool MemoryOrder::touchesSameLanes(Operation *load, Operation *store) const {
  const auto sameRange = [](mlir::ValueRange a, mlir::ValueRange b) { return llvm::equal(a, b); };
  bool same = false;
  if (auto from = dyn_cast<tile::LoadOp>(load)) {
    auto to = dyn_cast<tile::StoreOp>(store);
    same = to && from.getPtr() == to.getPtr();
  } else if (auto from = dyn_cast<tile::ViewLoadOp>(load)) {
    auto to = dyn_cast<tile::ViewStoreOp>(store);
    same = to && from.getView() == to.getView() && sameRange(from.getCoords(), to.getCoords()) &&
           from.getType() == to.getValue().getType();
  }
  if (!same)
    return false;
  const AccessForm *access = masks.accessOf(load);
  return access && isInjective(*access);
}

Order MemoryOrder::between(Operation *first, const MemoryUse &firstUse, Operation *second,
                           const MemoryUse &secondUse) const {
  const bool firstTouches = firstUse.reads || firstUse.writes || firstUse.isBarrier;
  const bool secondTouches = secondUse.reads || secondUse.writes || secondUse.isBarrier;
  if ((firstUse.isBarrier && secondTouches) || (secondUse.isBarrier && firstTouches))
    return Order::Strict;
  if (firstUse.isTrace && secondUse.isTrace)
    return Order::Strict;
  const bool meet = roots.meet(firstUse.roots, secondUse.roots);
  if (firstUse.writes && (secondUse.reads || secondUse.writes) && meet)
    return Order::Strict;
  if (!firstUse.reads || !secondUse.writes)
    return Order::Free;
  // Between different arguments the order of each lane is kept too: they may be one array, changed in place.
  return !meet || touchesSameLanes(first, second) ? Order::Lanewise : Order::Strict;
}

} // namespace tessera::ir::host
