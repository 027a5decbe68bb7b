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

/// A value to look behind, and how its bits are read.
struct Item {
  Value value;
  OverflowMode mode;
};

class Walk {
public:
  explicit Walk(DenseMap<Operation *, OverflowMode> &modes) : modes(modes) {}

  void seed(Value value, OverflowMode mode) { items.push_back({value, mode}); }

  void run() {
    while (!items.empty()) {
      const Item item = items.pop_back_val();
      if (!item.value || !seen.insert({item.value, static_cast<unsigned>(item.mode)}).second)
        continue;
      visit(item);
    }
  }

private:
  void visit(Item item) {
    Operation *op = item.value.getDefiningOp();
    if (op && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
      if (!getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)) {
        // Read as signed here and as unsigned there: report what is wrong in both.
        OverflowMode &mode = modes[op];
        mode = mode == OverflowMode::None || mode == item.mode ? item.mode : OverflowMode::Either;
      }
      seed(op->getOperand(0), item.mode);
      seed(op->getOperand(1), item.mode);
      return;
    }
    if (op && isa<arith::ExtSIOp, arith::TruncIOp>(op))
      return seed(op->getOperand(0), isa<arith::ExtSIOp>(op) ? OverflowMode::Signed : item.mode);
    if (op && isa<arith::ExtUIOp>(op))
      return seed(op->getOperand(0), OverflowMode::Unsigned);
    if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
      const OverflowMode mode = modeOf(compare.getPredicate());
      seed(compare.getLhs(), mode);
      seed(compare.getRhs(), mode);
      return;
    }
    // Masks are combined with bit operations on i1.
    if (op && isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
        getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)) {
      seed(op->getOperand(0), item.mode);
      seed(op->getOperand(1), item.mode);
      return;
    }
    if (op && isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op)) {
      const OverflowMode mode = isa<arith::MinSIOp, arith::MaxSIOp>(op) ? OverflowMode::Signed : OverflowMode::Unsigned;
      seed(op->getOperand(0), mode);
      seed(op->getOperand(1), mode);
      return;
    }
    for (Value source : sourcesOf(item.value))
      seed(source, item.mode);
  }

  static OverflowMode modeOf(arith::CmpIPredicate predicate) {
    switch (predicate) {
    case arith::CmpIPredicate::eq:
    case arith::CmpIPredicate::ne:
      return OverflowMode::Either;
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::sge:
      return OverflowMode::Signed;
    default:
      return OverflowMode::Unsigned;
    }
  }

  DenseMap<Operation *, OverflowMode> &modes;
  SmallVector<Item, 32> items;
  DenseSet<std::pair<Value, unsigned>> seen;
};

} // namespace

IndexOverflow::IndexOverflow(Operation *kernel) {
  Walk walk(modes);
  kernel->walk([&](Operation *op) {
    const auto signedIndex = [&](Value value) { walk.seed(value, OverflowMode::Signed); };
    const auto mask = [&](Value value) {
      if (value)
        walk.seed(value, OverflowMode::Signed);
    };
    if (auto o = dyn_cast<tile::AddPtrOp>(op)) {
      signedIndex(o.getOffset());
    } else if (auto o = dyn_cast<tile::LoadOp>(op)) {
      mask(o.getMask());
    } else if (auto o = dyn_cast<tile::StoreOp>(op)) {
      mask(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicRMWOp>(op)) {
      mask(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicCASOp>(op)) {
      mask(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicLoadOp>(op)) {
      mask(o.getMask());
    } else if (auto o = dyn_cast<tile::AtomicStoreOp>(op)) {
      mask(o.getMask());
    } else if (auto o = dyn_cast<tile::MakeViewOp>(op)) {
      llvm::for_each(o.getExtents(), signedIndex);
      llvm::for_each(o.getStrides(), signedIndex);
    } else if (auto o = dyn_cast<tile::ViewLoadOp>(op)) {
      llvm::for_each(o.getCoords(), signedIndex);
    } else if (auto o = dyn_cast<tile::ViewStoreOp>(op)) {
      llvm::for_each(o.getCoords(), signedIndex);
    } else if (auto o = dyn_cast<tile::ViewLoadRowsOp>(op)) {
      signedIndex(o.getRows());
      signedIndex(o.getCol());
    } else if (auto o = dyn_cast<tile::ViewStoreRowsOp>(op)) {
      signedIndex(o.getRows());
      signedIndex(o.getCol());
    } else if (auto o = dyn_cast<tile::ExtractAtOp>(op)) {
      signedIndex(o.getIndex());
    } else if (auto o = dyn_cast<tile::InsertAtOp>(op)) {
      signedIndex(o.getIndex());
    } else if (auto o = dyn_cast<tile::GatherOp>(op)) {
      signedIndex(o.getIndex());
    }
  });
  walk.run();
}

} // namespace tessera::ir::interp
