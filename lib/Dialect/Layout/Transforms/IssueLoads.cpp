//===- IssueLoads.cpp - loads early, wide numbers late --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %x = tile.load;  %s = tile.reduce %x;  %w = tile.load;  %f = tile.convert_float %w to f32;  … %s, %f
// After:   %x = tile.load;  %w = tile.load;  %s = tile.reduce %x;  %f = tile.convert_float %w to f32;  … %s, %f
// Needs:   layouts.  Gives: nothing new.
// Place:   before reductions are split, so that it sees them as one op.
// Numerics: none.
//
// Threads meet at a reduction and the like: what is loaded behind it comes a memory's latency later than it could. A
// load moves up to the load before it, past ops that neither write memory nor order it, if what it holds until it is
// used is little; and the widening of narrow numbers moves down to its first user, past the same ops.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <optional>

namespace tessera::ir::layout {

#define GEN_PASS_DEF_ISSUELOADSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using ::tessera::layout::Dim;

namespace {

/// Words of registers in which a thread may keep what was loaded early.
constexpr int64_t kMostWords = 32;

/// Whether threads meet in \p op, or wait for each other's results.
bool isMeeting(Operation *op) {
  return isa<tile::ReduceOp, tile::ScanOp, tile::SortOp, tile::DotOp, tile::GatherOp, tile::HistogramOp, ConvertOp>(op);
}

bool isTileLoad(Operation *op) {
  return isa<tile::LoadOp, tile::ViewLoadOp>(op) && isa<RankedTensorType>(op->getResult(0).getType());
}

/// Words of a thread's registers that \p tile takes.
int64_t wordsOf(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return (static_cast<int64_t>(layoutOf(type).size(Dim::Register)) * tile::bitsOf(type.getElementType()) + 31) / 32;
}

/// What \p op needs of those behind \p anchor in its block, \p op last; nothing if one of them must stay.
std::optional<llvm::SetVector<Operation *>> needsBehind(Operation *anchor, Operation *op) {
  llvm::SetVector<Operation *> needs;
  const std::function<bool(Operation *)> collect = [&](Operation *user) {
    for (Value operand : user->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || source->getBlock() != op->getBlock() || !anchor->isBeforeInBlock(source) || needs.contains(source))
        continue;
      if (!mlir::isPure(source) || source->getNumRegions() || isMeeting(source) || !collect(source))
        return false;
    }
    needs.insert(user);
    return true;
  };
  return collect(op) ? std::optional(std::move(needs)) : std::nullopt;
}

struct IssueLoads : impl::IssueLoadsPassBase<IssueLoads> {
  using IssueLoadsPassBase::IssueLoadsPassBase;

  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      if (isa_and_nonnull<tile::ReduceOp, tile::ScanOp>(block->getParentOp()))
        return;
      raiseLoads(*block);
      lowerWidenings(*block);
    });
  }

private:
  static void raiseLoads(Block &block) {
    Operation *anchor = nullptr; // the last load
    bool hasMet = false;         // whether threads met behind it
    int64_t words = 0;           // of loads that were raised to it
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isTileLoad(&op)) {
        const int64_t more = wordsOf(op.getResult(0));
        if (anchor && hasMet && words + more <= kMostWords)
          if (const auto needs = needsBehind(anchor, &op)) {
            for (Operation *need : *needs) {
              need->moveAfter(anchor);
              anchor = need;
            }
            words += more;
            continue;
          }
        anchor = &op;
        hasMet = false;
        words = 0;
      } else if (isMeeting(&op)) {
        hasMet = true;
      } else if (!mlir::isPure(&op)) {
        anchor = nullptr; // writes memory, orders it, or has ops inside that do
      }
    }
  }

  static void lowerWidenings(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      auto convert = dyn_cast<tile::ConvertFloatOp>(op);
      if (!convert || !isa<RankedTensorType>(convert.getType()) ||
          tile::bitsOf(tile::elementOf(convert.getType())) <=
              tile::bitsOf(tile::elementOf(convert.getSource().getType())))
        continue;
      Operation *first = nullptr; // user
      for (Operation *user : convert->getUsers()) {
        Operation *here = block.findAncestorOpInBlock(*user);
        if (!first || here->isBeforeInBlock(first))
          first = here;
      }
      if (first && first->getNumRegions() == 0)
        convert->moveBefore(first);
    }
  }
};

} // namespace

} // namespace tessera::ir::layout
