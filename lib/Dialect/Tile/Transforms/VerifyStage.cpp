//===- VerifyStage.cpp - check that a module is at the tile stage ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  any module.
// After:   the same module, or an error on the first op of each kind that does not belong.
// Needs:   nothing.  Gives: what stage_c1 to stage_c8 in Passes.td state.
// Place:   after tracing and after every pass before layouts are chosen.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::ir::tile {

#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

/// The borrowed ops: those whose every result SEMANTICS defines.
constexpr StringRef kBorrowed[] = {
    "arith.addf",     "arith.addi",    "arith.andi",     "arith.cmpf",     "arith.cmpi",  "arith.constant",
    "arith.divf",     "arith.extsi",   "arith.extui",    "arith.maximumf", "arith.maxsi", "arith.maxui",
    "arith.minimumf", "arith.minsi",   "arith.minui",    "arith.mulf",     "arith.muli",  "arith.negf",
    "arith.ori",      "arith.remf",    "arith.select",   "arith.sitofp",   "arith.subf",  "arith.subi",
    "arith.trunci",   "arith.uitofp",  "arith.xori",     "math.absf",      "math.absi",   "math.atan2",
    "math.ceil",      "math.copysign", "math.cos",       "math.ctlz",      "math.ctpop",  "math.erf",
    "math.exp",       "math.exp2",     "math.expm1",     "math.floor",     "math.fma",    "math.isfinite",
    "math.isinf",     "math.isnan",    "math.log",       "math.log10",     "math.log1p",  "math.log2",
    "math.powf",      "math.round",    "math.roundeven", "math.rsqrt",     "math.sin",    "math.sqrt",
    "math.tan",       "math.tanh",     "math.trunc",     "scf.condition",  "scf.for",     "scf.if",
    "scf.while",      "scf.yield",
};

/// What to use instead of an op that is not borrowed; empty if nothing is close.
StringRef replacementOf(StringRef op) {
  static constexpr std::pair<StringRef, StringRef> kReplacements[] = {
      {"arith.bitcast", "tile.bitcast"},
      {"arith.ceildivsi", "tile.idiv"},
      {"arith.ceildivui", "tile.idiv"},
      {"arith.divsi", "tile.idiv"},
      {"arith.divui", "tile.idiv"},
      {"arith.extf", "tile.convert_float"},
      {"arith.floordivsi", "tile.idiv"},
      {"arith.fptosi", "tile.float_to_int"},
      {"arith.fptoui", "tile.float_to_int"},
      {"arith.maxnumf", "tile.maxnum"},
      {"arith.minnumf", "tile.minnum"},
      {"arith.remsi", "tile.irem"},
      {"arith.remui", "tile.irem"},
      {"arith.shli", "tile.shl"},
      {"arith.shrsi", "tile.shr"},
      {"arith.shrui", "tile.shr"},
      {"arith.truncf", "tile.convert_float"},
  };
  for (const auto &[from, to] : kReplacements)
    if (from == op)
      return to;
  return {};
}

/// Walks a module and emits an error for each op that does not belong.
class StageVerifier {
public:
  explicit StageVerifier(ModuleOp module) : module(module) {
    borrowed.insert(std::begin(kBorrowed), std::end(kBorrowed));
  }

  LogicalResult verify() {
    KernelOp kernel = verifyModule();
    if (!kernel)
      return failure();
    kernel->walk([&](Operation *op) {
      if (op != kernel.getOperation())
        check(op);
    });
    check(kernel);
    return failure(wrong);
  }

private:
  /// stage_c1: the only op of the module, if it is a kernel.
  KernelOp verifyModule() {
    SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
    if (kernels.size() != 1) {
      module.emitError("expected exactly one `tile.kernel` in the module, got ") << kernels.size();
      return {};
    }
    for (Operation &op : *module.getBody())
      if (&op != kernels.front().getOperation()) {
        op.emitError("`") << op.getName() << "` stands beside the kernel, where nothing may at the tile stage";
        return {};
      }
    return kernels.front();
  }

  void check(Operation *op) {
    if (!checkName(op))
      return;
    checkFlags(op);
    checkNumbers(op);
    if (auto loop = dyn_cast<mlir::scf::ForOp>(op); loop && !loop.getInductionVar().getType().isInteger(64)) // stage_c7
      error(op) << "counts in " << loop.getInductionVar().getType() << ", but loops count in i64";
    if (auto constant = dyn_cast<mlir::arith::ConstantOp>(op);
        constant && !isa<IntegerAttr, FloatAttr, DenseElementsAttr>(constant.getValue())) // stage_c8
      error(op) << "does not hold its elements";
    for (Value result : op->getResults())
      checkType(op, result.getType());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          checkType(op, type);
  }

  /// stage_c2
  bool checkName(Operation *op) {
    const StringRef name = op->getName().getStringRef();
    if (isa_and_nonnull<TileDialect>(op->getDialect()) || borrowed.contains(name))
      return true;
    InFlightDiagnostic diagnostic = error(op);
    diagnostic << "does not belong to the tile stage";
    if (const StringRef instead = replacementOf(name); !instead.empty())
      diagnostic << "; use `" << instead << "`";
    return false;
  }

  /// stage_c3
  void checkFlags(Operation *op) {
    using mlir::arith::FastMathFlags;
    if (auto math = dyn_cast<mlir::arith::ArithFastMathInterface>(op)) {
      mlir::arith::FastMathFlagsAttr flags = math.getFastMathFlagsAttr();
      const auto allowed = FastMathFlags::afn | FastMathFlags::arcp | FastMathFlags::contract;
      if (flags && (flags.getValue() & ~allowed) != FastMathFlags::none)
        error(op) << "carries " << flags << "; only afn, arcp and contract are defined";
    }
    if (auto arith = dyn_cast<mlir::arith::ArithIntegerOverflowFlagsInterface>(op)) {
      mlir::arith::IntegerOverflowFlagsAttr flags = arith.getOverflowAttr();
      if (flags && flags.getValue() != mlir::arith::IntegerOverflowFlags::none)
        error(op) << "carries " << flags << ", but integers wrap";
    }
  }

  /// stage_c6
  void checkNumbers(Operation *op) {
    if (isa<mlir::arith::ConstantOp, mlir::arith::SelectOp, mlir::arith::SIToFPOp, mlir::arith::UIToFPOp>(op) ||
        !isa<mlir::arith::ArithDialect, mlir::math::MathDialect>(op->getDialect()))
      return;
    for (Type type : op->getOperandTypes())
      if (Type element = elementOf(type); isa<FloatType>(element) && bitsOf(element) == 8) {
        error(op) << "computes on " << element << ", which is only moved and converted";
        return;
      }
  }

  /// stage_c4, stage_c5
  void checkType(Operation *op, Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding())
      error(op) << "has a value with the layout " << tensor.getEncoding() << "; layouts come after the tile stage";
    else if (!isValueType(type))
      error(op) << "has a value of type " << type << ", which is no scalar, tile or view";
  }

  InFlightDiagnostic error(Operation *op) {
    wrong = true;
    return op->emitError() << "`" << op->getName() << "` ";
  }

  ModuleOp module;
  llvm::StringSet<> borrowed;
  bool wrong = false;
};

struct VerifyStage : impl::VerifyStagePassBase<VerifyStage> {
  using VerifyStagePassBase::VerifyStagePassBase;
  void runOnOperation() override {
    if (failed(StageVerifier(getOperation()).verify()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace

} // namespace tessera::ir::tile
