//===- TensorMapUses.cpp - the descriptors of a kernel --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/TensorMapUses.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::gpu {

void TensorMapUses::collect(tile::KernelOp kernel, UniformExprs &exprs) {
  kernel.walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<TensorMapPlan> plan = llvm::TypeSwitch<Operation *, std::optional<TensorMapPlan>>(op)
                                            .Case<layout::TensorLoadOp, layout::TensorStoreOp>([&](auto copy) {
                                              return tensorMapOf(copy.getView(), copy.getCoords(),
                                                                 copy.getBuffer().getType(), exprs, /*infos=*/nullptr);
                                            })
                                            .Default([](Operation *) { return std::nullopt; });
    if (!plan)
      return;
    for (const rt::Expr &need : plan->requirements)
      if (!llvm::is_contained(needs, need))
        needs.push_back(need);
    auto *known = llvm::find(all, plan->recipe);
    const auto number = static_cast<size_t>(known - all.begin());
    if (known == all.end())
      all.push_back(plan->recipe);
    uses.insert({op, {std::move(*plan), number}});
  });
}

const TensorMapUse *TensorMapUses::find(Operation *op) const {
  const auto found = uses.find(op);
  return found == uses.end() ? nullptr : &found->second;
}

} // namespace tessera::ir::gpu
