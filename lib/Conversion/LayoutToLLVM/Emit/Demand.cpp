//===- Demand.cpp - which tiles need registers ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Tiles of addresses and masks that an access computes from their form, and whatever only they are made of, are never
// made.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::ir::gpu {

namespace {

class Demand {
public:
  explicit Demand(MaskForms &masks) : masks(masks) {}

  llvm::DenseSet<Value> of(tile::KernelOp kernel) {
    kernel.walk([&](Operation *op) {
      if (isRoot(*op))
        needOperands(*op);
    });
    while (!open.empty()) {
      Operation *const op = open.pop_back_val().getDefiningOp();
      if (op && !isRoot(*op))
        needOperands(*op);
    }
    return std::move(wanted);
  }

private:
  /// Whether \p op is emitted even if no tile that it makes is wanted.
  static bool isRoot(Operation &op) {
    if (op.getNumRegions() || op.getNumResults() == 0 || !mlir::isMemoryEffectFree(&op))
      return true;
    return llvm::any_of(op.getResultTypes(), [](Type type) { return !isa<RankedTensorType>(type); });
  }

  void need(Value value) {
    if (value && isa<RankedTensorType>(value.getType()) && wanted.insert(value).second)
      open.push_back(value);
  }

  void needOperands(Operation &op) {
    const AccessForm *const form = masks.accessOf(&op);
    if (!form || !isa<tile::LoadOp, tile::StoreOp>(op)) {
      for (Value operand : op.getOperands())
        need(operand);
      return;
    }
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      needAddress(load.getPtr(), load.getMask(), *form);
      return need(load.getOther());
    }
    auto store = cast<tile::StoreOp>(op);
    needAddress(store.getPtr(), store.getMask(), *form);
    need(store.getValue());
  }

  void needAddress(Value pointers, Value mask, const AccessForm &form) {
    if (!form.address || !form.address->isExact())
      need(pointers);
    if (!form.mask.isExact())
      return need(mask);
    for (Value rest : form.mask.rest)
      need(rest);
  }

  MaskForms &masks;
  llvm::DenseSet<Value> wanted;
  SmallVector<Value> open;
};

} // namespace

llvm::DenseSet<Value> wantedTiles(tile::KernelOp kernel, MaskForms &masks) { return Demand(masks).of(kernel); }

} // namespace tessera::ir::gpu
