//===- PipelineLoops.cpp - copy what loops load beside them --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  scf.for { %x = tile.load …;  %b = layout.shared_alloc;  layout.shared_store %b, %x;  … layout.shared_dot %b
// … } After:   %ring = layout.shared_alloc, of `num_stages` slots;  the first rounds' layout.async_copy into it
//          scf.for { layout.async_wait;  layout.async_copy of a later round into %ring[…];  … layout.shared_dot
//          %ring[…] … }
// Needs:   layouts; products have their operands in buffers where they read them there.
// Gives:   rings that are filled `num_stages - 1` rounds ahead, by copies of boxes where view, buffer and chip allow,
//          by copies of threads or whole warps, or by loads one round ahead into registers; asynchronous products that
//          are waited for a round later.
// Place:   before shared memory gets its places, and barriers theirs.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Dialect/Layout/Transforms/PipelineLoops/Budget.h"
#include "Dialect/Layout/Transforms/PipelineLoops/LoopRewriter.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <optional>

namespace tessera::ir::layout {

#define GEN_PASS_DEF_PIPELINELOOPSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using mlir::scf::ForOp;

/// So many stages are the most: parities of barriers are bits of a word, and more copies at once help nobody.
static constexpr int64_t kMostStages = 16;

/// How often \p loop runs, if that is known.
static std::optional<APInt> roundsOf(ForOp loop) { return loop.getStaticTripCount(); }

/// Whether the tiles that a thread carries for loads into registers are few enough.
static bool fitRegisters(ArrayRef<CopiedLoad> loads) {
  constexpr int64_t kMostBytes = 128; // of a thread
  int64_t bytes = 0;
  for (const CopiedLoad &load : loads)
    if (!load.hasRing()) {
      const auto type = cast<RankedTensorType>(load.op->getResult(0).getType());
      bytes += int64_t{layoutOf(type).size(::tessera::layout::Dim::Register)} *
               std::max<int64_t>(1, tile::bitsOf(type.getElementType()) / 8);
    }
  return bytes <= kMostBytes;
}

/// Loads into registers what was to be copied straight, if nothing then needs a ring and registers are enough.
static bool useRegisters(LoopPlan &plan) {
  SmallVector<CopiedLoad> loads = plan.loads;
  for (CopiedLoad &load : loads)
    if (load.way == CopyWay::Straight) {
      load.way = CopyWay::Registers;
      load.slot = {};
    }
  if (llvm::any_of(loads, [](const CopiedLoad &load) { return load.hasRing(); }) || !fitRegisters(loads))
    return false;
  plan.loads = std::move(loads);
  return true;
}

namespace {

struct PipelineLoops : impl::PipelineLoopsPassBase<PipelineLoops> {
  using PipelineLoopsPassBase::PipelineLoopsPassBase;

  void runOnOperation() override {
    const arch::Chip *const chip = arch::findChip(target.getValue());
    if (!chip) {
      getOperation().emitError("there is no chip `") << target << "`";
      return signalPassFailure();
    }
    SmallVector<ForOp> loops;
    getOperation()->walk([&](ForOp loop) { loops.push_back(loop); }); // inner ones first
    llvm::DenseSet<Operation *> around;                               // loops around those that are pipelines
    for (ForOp loop : loops) {
      if (around.contains(loop))
        continue;
      std::optional<LoopPlan> plan = planOf(loop, *chip);
      if (!plan)
        continue;
      for (Operation *outer = loop->getParentOp(); outer; outer = outer->getParentOp())
        around.insert(outer);
      rewriteLoop(std::move(*plan));
    }
  }

  std::optional<LoopPlan> planOf(ForOp loop, const arch::Chip &chip) const {
    const auto asked = loop->getAttrOfType<IntegerAttr>(tile::TileDialect::kNumStages);
    int64_t stages = std::min(asked ? asked.getInt() : int64_t{numStages}, kMostStages);
    if (const std::optional<APInt> rounds = roundsOf(loop); rounds && rounds->ult(static_cast<uint64_t>(stages)))
      stages = static_cast<int64_t>(rounds->getZExtValue());
    auto kernel = loop->getParentOfType<tile::KernelOp>();
    // Rings are those of one block.
    if (stages < 2 || loop.getUnsignedCmp() || !kernel || kernelShapeOf(kernel).value_or(KernelShape()).numBlocks != 1)
      return std::nullopt;
    LoopPlan plan{loop, stages, copiedLoads(loop, meansOf(chip), asked != nullptr), {}};
    if (!fitRegisters(plan.loads))
      llvm::erase_if(plan.loads, [](const CopiedLoad &load) { return !load.hasRing(); });
    if (plan.loads.empty())
      return std::nullopt;
    plan.flying = flyingProducts(loop, plan.loads);
    if (!fitShared(plan, chip))
      return std::nullopt;
    return plan;
  }

  CopyMeans meansOf(const arch::Chip &chip) const {
    return {.threads = chip.has(arch::Feature::AsyncCopy),
            .boxes = boxes && chip.has(arch::Feature::TensorMemoryAccess),
            .loadBanks = chip.sharedBanks,
            .straightBytes = chip.directToSharedBytes};
  }

  /// Takes fewer stages where the chip has no room for all; false if there is none for two.
  static bool fitShared(LoopPlan &plan, const arch::Chip &chip) {
    const int64_t bytes = bytesOfStage(plan.loads);
    if (bytes == 0 || chip.sharedBytesOfProgram == 0)
      return true;
    int64_t room = bytesForRings(plan.loop, plan.loads, chip);
    for (SharedAllocOp buffer : plan.flying.doubled)
      room -= buffer.getResult().getType().bytesOfSlot();
    const int64_t stages = std::clamp<int64_t>(room / (bytes + 8), 0, plan.stages);
    if (stages < 2 && useRegisters(plan))
      return true;
    if (stages < plan.stages)
      plan.loop.emitRemark(stages < 2 ? "copies nothing ahead"
                                      : "copies " + std::to_string(stages - 1) + " rounds ahead")
          << " instead of " << plan.stages - 1 << ": a stage takes " << bytes << " bytes of shared memory, and "
          << StringRef(chip.name) << " has " << room << " for all";
    plan.stages = stages;
    return stages >= 2;
  }
};

} // namespace

} // namespace tessera::ir::layout
