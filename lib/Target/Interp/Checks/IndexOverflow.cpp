//===- IndexOverflow.cpp - which arithmetic reaches an address or a mask ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/IndexOverflow.h"

#include "Target/Interp/ValueFlow.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::ir::interp {

using namespace mlir;

namespace {

/// The walk back from values that are indices or masks.
class Walk {
public:
  explicit Walk(DenseSet<Operation *> &watched) : watched(watched) {}

  void seed(Value value) {
    if (value)
      open.push_back(value);
  }

  void run() {
    while (!open.empty()) {
      const Value value = open.pop_back_val();
      if (seen.insert(value).second)
        visit(value);
    }
  }

private:
  void visit(Value value) {
    Operation *op = value.getDefiningOp();
    const bool isBit = getElementTypeOrSelf(value.getType()).isInteger(1);
    if (op && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) && !isBit)
      watched.insert(op);
    // Masks are combined with bit operations on i1.
    if (op && (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
                   arith::CmpIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op) ||
               (isBit && isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)))) {
      for (Value operand : op->getOperands())
        seed(operand);
      return;
    }
    for (Value source : sourcesOf(value))
      seed(source);
  }

  DenseSet<Operation *> &watched;
  SmallVector<Value, 32> open;
  DenseSet<Value> seen;
};

} // namespace

OverflowMode IndexOverflow::modeOf(Operation *op) const {
  if (!watched.contains(op))
    return OverflowMode::None;
  return op->hasAttr(tile::TileDialect::kUnsigned) ? OverflowMode::Unsigned : OverflowMode::Signed;
}

IndexOverflow::IndexOverflow(Operation *kernel) {
  Walk walk(watched);
  const auto seed = [&](Value value) { walk.seed(value); };
  kernel->walk([&](Operation *op) {
    if (auto o = dyn_cast<tile::AddPtrOp>(op)) {
      seed(o.getOffset());
    } else if (auto o = dyn_cast<tile::LoadOp>(op)) {
      seed(o.getMask());
    } else if (auto o = dyn_cast<tile::StoreOp>(op)) {
      seed(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicRMWOp>(op)) {
      seed(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicCASOp>(op)) {
      seed(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicLoadOp>(op)) {
      seed(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicStoreOp>(op)) {
      seed(o.getMask());
    } else if (auto o = dyn_cast<tile::MakeViewOp>(op)) {
      llvm::for_each(o.getExtents(), seed);
      llvm::for_each(o.getStrides(), seed);
    } else if (auto o = dyn_cast<tile::ViewLoadOp>(op)) {
      llvm::for_each(o.getCoords(), seed);
    } else if (auto o = dyn_cast<tile::ViewStoreOp>(op)) {
      llvm::for_each(o.getCoords(), seed);
    } else if (auto o = dyn_cast<tile::ViewLoadRowsOp>(op)) {
      seed(o.getRows());
      seed(o.getCol());
    } else if (auto o = dyn_cast<tile::ViewStoreRowsOp>(op)) {
      seed(o.getRows());
      seed(o.getCol());
    } else if (auto o = dyn_cast<tile::ExtractAtOp>(op)) {
      seed(o.getIndex());
    } else if (auto o = dyn_cast<tile::InsertAtOp>(op)) {
      seed(o.getIndex());
    } else if (auto o = dyn_cast<tile::GatherOp>(op)) {
      seed(o.getIndex());
    }
  });
  walk.run();
}

} // namespace tessera::ir::interp
