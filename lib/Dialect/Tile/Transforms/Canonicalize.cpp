//===- Canonicalize.cpp - bring a kernel into its canonical form -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  a kernel as it was traced.
// After:   constants folded, dead and equal ops gone, each op in the form its canonicalisation patterns describe.
// Needs:   the tile stage.  Gives: the tile stage; one text for one kernel.
// Place:   first, because the text it leaves is what caches hash.
// Numerics: none, but for one thing in the folders we borrow: bf16 constants are added, multiplied and divided with one
//          rounding, where the executors round to f32 and then to bf16; the two differ at most for results below
//          2^-126, where f32 has fewer bits than the exact result. Elementary functions of constants are left alone:
//          the folders would take them from the host's C library, and the text would depend on the host.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
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

/// Whether the bounds of \p loop are constants further apart than i64 can say.
bool spansMoreThanI64(mlir::scf::ForOp loop) {
  APInt low, high;
  if (!matchPattern(loop.getLowerBound(), mlir::m_ConstantInt(&low)) ||
      !matchPattern(loop.getUpperBound(), mlir::m_ConstantInt(&high)))
    return false;
  bool overflows = false;
  (void)high.ssub_ov(low, overflows);
  return overflows;
}

/// A borrowed pattern of `scf.for`, but not for loops whose trips it would count with a signed difference that wraps.
struct OnOrdinaryRange : mlir::RewritePattern {
  explicit OnOrdinaryRange(std::unique_ptr<mlir::RewritePattern> borrowed, MLIRContext *context)
      : mlir::RewritePattern(mlir::scf::ForOp::getOperationName(), borrowed->getBenefit(), context),
        borrowed(std::move(borrowed)) {
    setDebugName(this->borrowed->getDebugName());
    addDebugLabels(this->borrowed->getDebugLabels());
    setHasBoundedRewriteRecursion(this->borrowed->hasBoundedRewriteRecursion());
  }
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (spansMoreThanI64(cast<mlir::scf::ForOp>(op)))
      return rewriter.notifyMatchFailure(op, "the range is longer than i64 can say");
    return borrowed->matchAndRewrite(op, rewriter);
  }
  std::unique_ptr<mlir::RewritePattern> borrowed;
};

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
  for (std::unique_ptr<mlir::RewritePattern> &pattern : patterns.getNativePatterns())
    if (pattern->getRootKind() == mlir::OperationName(mlir::scf::ForOp::getOperationName(), context))
      pattern = std::make_unique<OnOrdinaryRange>(std::move(pattern), context);
  return patterns;
}

/// Keeps the operands of elementary functions from their folders while it lives: the folders see values of a type they
/// know nothing of.
class HiddenOperands {
public:
  explicit HiddenOperands(KernelOp kernel) : kernel(kernel) {
    const Type hidden = mlir::NoneType::get(kernel.getContext());
    SmallVector<Operation *> inexact;
    kernel.walk([&](Operation *op) {
      if (isInexact(op))
        inexact.push_back(op);
    });
    for (Operation *op : inexact) {
      OpBuilder builder(op);
      for (mlir::OpOperand &operand : op->getOpOperands())
        operand.set(
            mlir::UnrealizedConversionCastOp::create(builder, op->getLoc(), hidden, operand.get()).getResult(0));
    }
  }
  ~HiddenOperands() {
    SmallVector<mlir::UnrealizedConversionCastOp> casts;
    kernel.walk([&](mlir::UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    for (mlir::UnrealizedConversionCastOp cast : casts) {
      cast.getResult(0).replaceAllUsesWith(cast.getOperand(0));
      cast.erase();
    }
  }
  HiddenOperands(const HiddenOperands &) = delete;
  HiddenOperands &operator=(const HiddenOperands &) = delete;

private:
  /// Whether \p op is a function whose last bits the C library is free to choose.
  static bool isInexact(Operation *op) {
    namespace math = mlir::math;
    return isa<math::Atan2Op, math::CosOp, math::ErfOp, math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
               math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp, math::RsqrtOp, math::SinOp, math::TanOp,
               math::TanhOp>(op);
  }

  KernelOp kernel;
};

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
    const HiddenOperands hidden(kernel);
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
