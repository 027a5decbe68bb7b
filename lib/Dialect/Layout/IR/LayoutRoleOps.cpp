//===- LayoutRoleOps.cpp - verifiers of warps with work of their own -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/IR/Verify.h"

#include "mlir/Transforms/RegionUtils.h"

namespace tessera::ir::layout {

//===----------------------------------------------------------------------===//
// layout.warp_roles
//===----------------------------------------------------------------------===//

/// Whether a thread can be given so many registers.
static bool isRegisterBudget(int32_t registers) { return registers >= 24 && registers <= 256 && registers % 8 == 0; }

LogicalResult WarpRolesOp::verify() {
  const ArrayRef<int32_t> warps = getWarps();
  if (warps.empty() || warps.size() != getRoles().size() ||
      llvm::any_of(warps, [](int32_t count) { return count < 1; })) // warp_roles_c1
    return emitOpError("expected at least one role, and at least one warp for each of ")
           << getRoles().size() << ", got [" << warps << "]";
  if (const std::optional<ArrayRef<int32_t>> registers = getRegisters();
      registers && (registers->size() != warps.size() + 1 || !llvm::all_of(*registers, isRegisterBudget))) // _c2
    return emitOpError("expected `registers` to hold ")
           << warps.size() + 1 << " multiples of 8 from 24 to 256, got [" << *registers << "]";
  return success();
}

LogicalResult WarpRolesOp::verifyRegions() {
  for (Region &role : getRoles()) {
    llvm::SetVector<Value> values;
    mlir::getUsedValuesDefinedAbove(role, values);
    for (const Value value : values)
      if (isa<RankedTensorType>(value.getType())) // warp_roles_c3
        return emitOpError("expected roles to use no tile from outside, got ") << value.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// layout.named_barrier_sync, layout.named_barrier_arrive
//===----------------------------------------------------------------------===//

static LogicalResult verifyThreads(Operation *op, uint32_t threads) {
  if (threads >= 1 && threads <= 1024)
    return success();
  return op->emitOpError("expected `threads` to be 1 to 1024, got ") << static_cast<int32_t>(threads);
}

LogicalResult NamedBarrierSyncOp::verify() { return verifyThreads(*this, getThreads()); }   // named_barrier_sync_c1
LogicalResult NamedBarrierArriveOp::verify() { return verifyThreads(*this, getThreads()); } // named_barrier_arrive_c1

} // namespace tessera::ir::layout
