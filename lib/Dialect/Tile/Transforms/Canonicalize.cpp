//===- Canonicalize.cpp - bring a kernel into its canonical form -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  a kernel as it was traced.
// After:   constants folded, dead and equal ops gone, each op in the form its canonicalisation patterns describe.
// Needs:   the tile stage.  Gives: the tile stage; one text for one kernel.
// Place:   first, because the text it leaves is what caches hash.
// Numerics: none, but for two things in the folders we borrow. Elementary functions of constants are taken from the
//          host's C library, within the bounds of SEMANTICS A4. bf16 constants are added, multiplied and divided with
//          one rounding, where the executors round to f32 and then to bf16; the two differ at most for results below
//          2^-126, where f32 has fewer bits than the exact result.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tile-canonicalize"

namespace tessera::ir::tile {

#define GEN_PASS_DEF_CANONICALIZEPASS
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

/// How often rewriting and merging take turns at most; kernels settle after two or three.
constexpr int kMaxRounds = 16;

/// The canonical forms of the dialects that may occur, and of no other that happens to be loaded.
RewritePatternSet canonicalPatterns(MLIRContext *context) {
  RewritePatternSet patterns(context);
  const mlir::Dialect *dialects[] = {
      context->getLoadedDialect<TileDialect>(), context->getLoadedDialect<mlir::arith::ArithDialect>(),
      context->getLoadedDialect<mlir::math::MathDialect>(), context->getLoadedDialect<mlir::scf::SCFDialect>()};
  for (const mlir::Dialect *dialect : dialects)
    dialect->getCanonicalizationPatterns(patterns);
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations()) // in the order of their names
    if (llvm::is_contained(dialects, &op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
  return patterns;
}

struct Canonicalize : impl::CanonicalizePassBase<Canonicalize> {
  using CanonicalizePassBase::CanonicalizePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    patterns = std::make_shared<mlir::FrozenRewritePatternSet>(canonicalPatterns(context));
    return success();
  }

  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      if (failed(checkRegions(kernel)))
        return signalPassFailure();
      canonicalize(kernel);
    }
  }

  /// Folders never end on an op that uses its own result, which is valid in regions without dominance and in blocks
  /// that nothing reaches. The tile stage has neither.
  static LogicalResult checkRegions(KernelOp kernel) {
    const mlir::WalkResult result = kernel.walk([](Operation *op) {
      for (Region &region : op->getRegions())
        if (!region.hasOneBlock() ? !region.empty() : !mlir::mayHaveSSADominance(region)) {
          op->emitError("`") << op->getName() << "` does not belong to the tile stage";
          return mlir::WalkResult::interrupt();
        }
      return mlir::WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  void canonicalize(KernelOp kernel) {
    const mlir::GreedyRewriteConfig config =
        mlir::GreedyRewriteConfig().setUseTopDownTraversal(true).setRegionSimplificationLevel(
            mlir::GreedySimplifyRegionLevel::Normal);
    for (int round = 0; round < kMaxRounds; ++round) {
      bool rewritten = false, merged = false;
      // Patterns that do not settle within the driver's own limit leave valid IR: the next round goes on from there.
      (void)mlir::applyPatternsGreedily(kernel, *patterns, config, &rewritten);
      mlir::IRRewriter rewriter(&getContext());
      mlir::DominanceInfo dominance(kernel);
      mlir::eliminateCommonSubExpressions(rewriter, dominance, kernel, &merged);
      LDBG() << "round " << round << ": rewritten " << rewritten << ", merged " << merged;
      if (!rewritten && !merged)
        return;
    }
  }

  std::shared_ptr<const mlir::FrozenRewritePatternSet> patterns;
};

} // namespace

} // namespace tessera::ir::tile
