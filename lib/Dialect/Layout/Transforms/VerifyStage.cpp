//===- VerifyStage.cpp - check that a module is at the layout stage ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  any module.
// After:   the same module, or an error on each op that does not belong.
// Needs:   nothing.  Gives: what stage_c1 to stage_c9 in Passes.td state.
// Place:   before code is emitted for threads.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Analysis/MemoryHazards.h"
#include "Analysis/SharedMemory.h"
#include "IRSupport/LLVM.h"
#include "Layout/AxisBits.h"
#include "Layout/Conversion.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

namespace {

using ::tessera::layout::Dim;

class StageVerifier {
public:
  StageVerifier(tile::KernelOp kernel, const KernelShape &shape, bool onlyLayouts)
      : kernel(kernel), shape(shape), onlyLayouts(onlyLayouts) {}

  LogicalResult verify() {
    kernel->walk([&](Operation *op) {
      if (op != kernel.getOperation())
        checkOp(op);
    });
    if (!onlyLayouts)
      checkShared();
    if (!onlyLayouts && !wrong) { // what is above is what these facts rest on
      const MemoryHazards memory(kernel);
      checkOrder(memory, ThreadScope::Cluster, "layout.cluster_barrier");
      checkOrder(memory, ThreadScope::Block, "layout.barrier");
      checkOrder(memory, ThreadScope::Warp, "layout.warp_sync");
    }
    return failure(wrong);
  }

private:
  void checkOp(Operation *op) {
    if (!isa_and_nonnull<tile::TileDialect, LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                         mlir::scf::SCFDialect>(op->getDialect())) { // stage_c2
      error(op) << "does not belong to the layout stage";
      return;
    }
    if (failed(verifyLayoutRule(op))) { // stage_c3, stage_c5
      wrong = true;
      return;
    }
    for (const Type type : op->getResultTypes())
      checkThreads(op, type);
    if (onlyLayouts)
      return;
    if (auto convert = dyn_cast<ConvertOp>(op))
      checkConversion(convert);
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      checkAxis(op, reduce.getInputs().front(), reduce.getAxis(), "-layout-split-reductions");
    if (auto scan = dyn_cast<tile::ScanOp>(op))
      checkAxis(op, scan.getInputs().front(), scan.getAxis(), "-layout-split-reductions");
  }

  /// stage_c4
  void checkThreads(Operation *op, Type type) {
    const TileLayoutAttr attribute = encodingOf(type);
    if (!attribute)
      return;
    const TileLayout &layout = attribute.getLayout();
    if (layout.size(Dim::Lane) > shape.warpSize || layout.size(Dim::Warp) > shape.numWarps ||
        layout.size(Dim::Block) > shape.numBlocks)
      error(op) << "has a tile over " << layout.size(Dim::Lane) << " lanes, " << layout.size(Dim::Warp) << " warps and "
                << layout.size(Dim::Block) << " blocks, but the kernel has " << shape.warpSize << ", " << shape.numWarps
                << " and " << shape.numBlocks;
  }

  /// stage_c6
  void checkConversion(ConvertOp op) {
    const auto kind = ::tessera::layout::conversionKind(layoutOf(op.getSource().getType()), layoutOf(op.getType()));
    if (kind == ::tessera::layout::ConversionKind::Shared)
      error(op) << "moves elements between warps, which takes a buffer by now";
  }

  /// stage_c7
  void checkAxis(Operation *op, Value input, uint32_t axis, StringRef pass) {
    if (::tessera::layout::spansWarps(layoutOf(input.getType()), static_cast<int>(axis)))
      error(op) << "goes along an axis that spans warps; " << pass << " splits it";
  }

  /// stage_c8
  void checkShared() {
    const std::optional<int64_t> bytes = sharedBytesOf(kernel);
    if (!bytes) {
      error(kernel) << "has no `layout.shared_bytes`; -layout-allocate-shared sets it";
      return;
    }
    const FailureOr<SmallVector<SharedObject>> objects = sharedObjects(kernel);
    if (failed(objects)) {
      wrong = true;
      return;
    }
    for (const auto [index, object] : llvm::enumerate(*objects))
      checkPlace(object, ArrayRef(*objects).take_front(index), *bytes / shape.programsPerBlock);
  }

  void checkPlace(const SharedObject &object, ArrayRef<SharedObject> others, int64_t bytes) {
    const std::optional<int64_t> offset = object.offset();
    if (!offset) {
      error(object.alloc) << "has no place; -layout-allocate-shared gives it";
      return;
    }
    if (*offset % object.life.alignment != 0 || *offset + object.life.bytes > bytes)
      error(object.alloc) << "has a place at " << *offset << " that is not a multiple of " << object.life.alignment
                          << " or ends after the " << bytes << " bytes of the program";
    for (const SharedObject &other : others)
      if (const std::optional<int64_t> at = other.offset();
          at && other.life.meets(object.life) && *at < *offset + object.life.bytes && *offset < *at + other.life.bytes)
        error(object.alloc) << "lies where another buffer lives, at " << *offset << " and " << *at;
  }

  /// stage_c9
  void checkOrder(const MemoryHazards &memory, ThreadScope scope, StringRef barrier) {
    BarrierSteps steps = memory.steps(scope);
    placeBarriers(steps, memory.hazards(scope));
    reportMissing(steps, barrier);
  }

  void reportMissing(const BarrierSteps &steps, StringRef barrier) {
    for (const auto [index, step] : llvm::enumerate(steps)) {
      if (step.kind == BarrierStep::Kind::Barrier && !step.op)
        error(steps[index + 1].op) << "may meet an earlier access of another thread; a `" << barrier
                                   << "` must come between, which -layout-insert-barriers places";
      reportMissing(step.body, barrier);
      reportMissing(step.other, barrier);
    }
  }

  InFlightDiagnostic error(Operation *op) {
    wrong = true;
    return op->emitError() << "`" << op->getName() << "` ";
  }

  tile::KernelOp kernel;
  const KernelShape shape;
  const bool onlyLayouts;
  bool wrong = false;
};

struct VerifyStage : impl::VerifyStagePassBase<VerifyStage> {
  using VerifyStagePassBase::VerifyStagePassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verify(getOperation())))
      signalPassFailure();
  }

  /// stage_c1
  LogicalResult verify(ModuleOp module) const {
    SmallVector<tile::KernelOp> kernels(module.getOps<tile::KernelOp>());
    if (kernels.size() != 1)
      return module.emitError("expected exactly one `tile.kernel` in the module, got ") << kernels.size();
    for (Operation &op : *module.getBody())
      if (&op != kernels.front().getOperation())
        return op.emitError("`") << op.getName() << "` stands beside the kernel, where nothing may at the layout stage";
    const std::optional<KernelShape> shape = kernelShapeOf(kernels.front());
    if (!shape)
      return kernels.front().emitError("expected `layout.num_warps` and `layout.warp_size` on the kernel; "
                                       "-tile-to-layout sets them");
    return StageVerifier(kernels.front(), *shape, onlyLayouts).verify();
  }
};

} // namespace

} // namespace tessera::ir::layout
