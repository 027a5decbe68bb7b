//===- Budget.cpp - shared memory for rings ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/Budget.h"

#include "Analysis/SharedMemory.h"
#include "Layout/AxisBits.h"
#include "Layout/Conversion.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <algorithm>

namespace tessera::ir::layout {

using mlir::scf::ForOp;

int64_t bytesOfStage(ArrayRef<CopiedLoad> loads) {
  int64_t bytes = 0;
  for (const CopiedLoad &load : loads)
    bytes += load.hasRing() ? load.slot.bytesOfSlot() : 0;
  return bytes;
}

static int64_t bytesOf(Type tile) {
  const int64_t elements = cast<RankedTensorType>(tile).getNumElements();
  return elements * std::max<int64_t>(1, tile::bitsOf(tile::elementOf(tile)) / 8);
}

/// What \p reduce exchanges between warps: each of those along its axis has a part of every result.
static int64_t bytesOfExchange(tile::ReduceOp reduce) {
  int64_t bytes = 0, warps = 1;
  for (const Value result : reduce->getResults())
    if (isa<RankedTensorType>(result.getType()))
      bytes += bytesOf(result.getType());
  const TileLayout layout = layoutOf(reduce->getOperand(0).getType());
  for (const uint32_t column : layout.bases(::tessera::layout::Dim::Warp))
    warps *= (column & layout.axisMask(static_cast<int>(reduce.getAxis()))) != 0 ? 2 : 1;
  return warps == 1 ? 0 : warps * bytes;
}

/// The most that one op in \p loop will take for moving elements between warps.
static int64_t bytesOfMoves(ForOp loop) {
  int64_t most = 0;
  loop.getBody()->walk([&](Operation *op) {
    if (auto convert = dyn_cast<ConvertOp>(op)) {
      const auto kind =
          ::tessera::layout::conversionKind(layoutOf(convert.getSource().getType()), layoutOf(convert.getType()));
      if (kind >= ::tessera::layout::ConversionKind::Warp) // within warps it may take a buffer, too
        most = std::max(most, bytesOf(convert.getType()));
      return;
    }
    if (auto reduce = dyn_cast<tile::ReduceOp>(op); reduce && layoutOf(reduce->getOperand(0).getType()).rank() > 1) {
      most = std::max(most, bytesOfExchange(reduce));
      return;
    }
    // Others need at most what all their tiles take.
    const bool moves = isa<tile::ReduceOp, tile::ScanOp, tile::SortOp, tile::CatOp, tile::FlipOp, tile::SliceOp,
                           tile::InsertOp, tile::JoinOp, tile::SplitOp, tile::GatherOp, tile::ExtractAtOp,
                           tile::InsertAtOp, tile::HistogramOp, tile::BitcastOp>(op);
    int64_t all = 0;
    for (const Value value : op->getOperands())
      all += moves && isa<RankedTensorType>(value.getType()) ? bytesOf(value.getType()) : 0;
    most = std::max(most, all);
  });
  return most;
}

/// Whether what \p alloc makes is there during the whole of \p loop.
static bool livesThrough(Operation *alloc, ForOp loop) {
  if (isa<MBarrierAllocOp>(alloc))
    return true;
  Operation *const around = alloc->getBlock()->findAncestorOpInBlock(*loop);
  return around && alloc->isBeforeInBlock(around) && llvm::any_of(alloc->getUsers(), [&](Operation *user) {
           return isa<SharedFreeOp>(user) && around->isBeforeInBlock(user);
         });
}

int64_t bytesForRings(ForOp loop, ArrayRef<CopiedLoad> loads, const arch::Chip &chip) {
  auto kernel = loop->getParentOfType<tile::KernelOp>();
  const FailureOr<SmallVector<SharedObject>> objects = sharedObjects(kernel);
  if (failed(objects))
    return 0;
  llvm::DenseSet<Operation *> rings;
  for (const CopiedLoad &load : loads)
    if (load.hasRing() && load.buffer)
      rings.insert(load.buffer.getDefiningOp());

  // Buffers that are there at some time of the loop.
  constexpr int64_t kAlignment = 1024; // of a ring, at most
  int64_t beside = bytesOfMoves(loop) + kAlignment;
  for (const SharedObject &object : *objects) {
    if (rings.contains(object.alloc))
      continue;
    if (loop->isProperAncestor(object.alloc) || livesThrough(object.alloc, loop))
      beside += static_cast<int64_t>(llvm::alignTo(object.life.bytes, object.life.alignment));
  }
  const int64_t programs = kernelShapeOf(kernel).value_or(KernelShape()).programsPerBlock;
  return std::max<int64_t>(0, chip.sharedBytesOfProgram / programs - beside);
}

} // namespace tessera::ir::layout
