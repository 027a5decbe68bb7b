//===- Demand.cpp - which tiles need registers ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Tiles of addresses and masks that an access computes from their form, and whatever only they are made of, are never
// made. Nor are the indices and bounds that a mask compares.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Access.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

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
    const auto access = [&](auto o, ValueRange values) {
      needAddress(op, o.getPtr(), o.getMask());
      for (Value value : values)
        need(value);
    };
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](tile::LoadOp o) { access(o, o.getOther() ? ValueRange(o.getOther()) : ValueRange()); })
        .Case<tile::StoreOp, tile::AtomicRMWOp, tile::AtomicStoreOp>([&](auto o) { access(o, o.getValue()); })
        .Case([&](tile::AtomicCASOp o) { access(o, {o.getExpected(), o.getDesired()}); })
        .Case<tile::AtomicLoadOp, layout::AsyncCopyOp>([&](auto o) { access(o, {}); })
        .Default([&](Operation *) {
          if (const MaskForm *const bounds = op.getNumResults() == 1 ? boundsOf(masks, op.getResult(0)) : nullptr) {
            for (Value rest : bounds->rest)
              need(rest);
            return;
          }
          for (Value operand : op.getOperands())
            need(operand);
        });
  }

  /// Of \p op, which accesses memory at \p pointers where \p mask holds.
  void needAddress(Operation &op, Value pointers, Value mask) {
    const AffineForm *const address = linearAddressOf(masks, op);
    if (!address)
      need(pointers);
    if (!mask || !isa<RankedTensorType>(mask.getType()))
      return;
    const MaskForm &form = masks.of(mask);
    if (!form.isExact())
      return need(mask);
    for (Value rest : form.rest)
      need(rest);
  }

  MaskForms &masks;
  llvm::DenseSet<Value> wanted;
  SmallVector<Value> open;
};

} // namespace

llvm::DenseSet<Value> wantedTiles(tile::KernelOp kernel, MaskForms &masks) { return Demand(masks).of(kernel); }

} // namespace tessera::ir::gpu
