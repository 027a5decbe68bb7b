//===- Pipeline.cpp - run the stages of a compilation ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Pipeline/Pipeline.h"

#include "IRSupport/DiagnosticLog.h"
#include "Pipeline/Reproducer.h"
#include "Support/Milliseconds.h"
#include "Support/Options.h"
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>

namespace tessera::ir {

using support::Clock;
using support::msSince;

ArrayRef<StringRef> knownStages() {
  static constexpr StringRef names[] = {"tile", "host", "layout", "llvm", "asm", "sass", "binary"};
  return names;
}

namespace {

/// Watches a run of passes: which one failed and how, and the program after each.
class PassWatch final : public mlir::PassInstrumentation {
public:
  PassWatch(Dump *dump, std::string &failedPass, bool &broken) : dump(dump), failedPass(failedPass), broken(broken) {}

  void runAfterPass(mlir::Pass *pass, Operation *op) override {
    if (dump && dump->wantsPasses() && !pass->getArgument().empty())
      dump->pass(pass->getArgument(), enclosingModule(op));
  }
  void runAfterPassFailed(mlir::Pass *pass, Operation *op) override {
    if (!failedPass.empty())
      return; // an enclosing adaptor
    failedPass = pass->getArgument().empty() ? pass->getName().str() : pass->getArgument().str();
    // A pass may decline a kernel; it may not leave invalid IR. Whoever checks a border finds a defect, too.
    DiagnosticLog muted(*op->getContext());
    broken = failed(mlir::verify(op)) || StringRef(failedPass).contains("verify");
  }

private:
  static ModuleOp enclosingModule(Operation *op) {
    while (Operation *parent = op->getParentOp())
      op = parent;
    return cast<ModuleOp>(op);
  }

  Dump *dump;
  std::string &failedPass;
  bool &broken;
};

/// One stage's run. Keeps what its failure needs.
class StageRunner {
public:
  StageRunner(ModuleOp module, const CompileRequest &request, Dump *dump, PipelineOutcome &outcome)
      : module(module), request(request), dump(dump), outcome(outcome) {}

  template <class AddPasses> void passes(StringRef stage, AddPasses addPasses) {
    mlir::PassManager manager(module.getContext(), ModuleOp::getOperationName());
    addPasses(manager);
    std::string pipeline;
    llvm::raw_string_ostream stream(pipeline);
    manager.printAsTextualPipeline(stream);

    std::string failedPass;
    bool broken = false;
    manager.addInstrumentation(std::make_unique<PassWatch>(dump, failedPass, broken));
    OwningOpRef<ModuleOp> before = cast<ModuleOp>(module->clone());
    DiagnosticLog log(*module.getContext());
    const bool worked = succeeded(manager.run(module));
    note(log);
    if (worked)
      return;
    outcome.pass = failedPass;
    fail(stage, log, broken || !log.hasErrors(), *before, pipeline);
  }
  template <class Step> void step(StringRef stage, Step run, bool border) {
    DiagnosticLog log(*module.getContext());
    const bool worked = succeeded(run());
    note(log);
    if (!worked)
      fail(stage, log, border || !log.hasErrors(), module, "builtin.module()");
  }

private:
  void note(const DiagnosticLog &log) {
    outcome.notes.insert(outcome.notes.end(), log.notes().begin(), log.notes().end());
  }
  void fail(StringRef stage, const DiagnosticLog &log, bool ours, ModuleOp before, StringRef pipeline) {
    outcome.blame = ours ? PipelineOutcome::Library : PipelineOutcome::Kernel;
    outcome.stage = stage.str();
    outcome.words = log.hasErrors() ? log.text() : "no diagnostic was given";
    if (ours)
      outcome.reproducer = writeReproducer(
          before, pipeline,
          fmt::format("stage {} for target {}, options {}: {}", std::string_view(stage), request.target.str(),
                      support::optionKey(request.options), outcome.words.substr(0, outcome.words.find('\n'))));
  }

  ModuleOp module;
  const CompileRequest &request;
  Dump *dump;
  PipelineOutcome &outcome;
};

} // namespace

PipelineOutcome runTileStage(ModuleOp module, const CompileRequest &request, Dump *dump) {
  PipelineOutcome outcome;
  const Clock::time_point start = Clock::now();
  StageRunner(module, request, dump, outcome).passes(kTileStage, [](mlir::OpPassManager &manager) {
    tile::buildTilePipeline(manager);
  });
  outcome.times.push_back({kTileStage.str(), msSince(start)});
  if (outcome.ok() && dump && dump->wantsStage(kTileStage))
    dump->stage(kTileStage, printModule(module, true));
  return outcome;
}

static std::string printStage(const Stage &stage, Compilation &compilation, bool locations) {
  return stage.print ? stage.print(compilation) : printModule(compilation.module, locations);
}

PipelineOutcome runBackendStages(const Backend &backend, Compilation &compilation, Dump *dump, StringRef last,
                                 std::string *text) {
  PipelineOutcome outcome;
  for (const Stage &stage : backend.stages()) {
    const Clock::time_point start = Clock::now();
    StageRunner runner(compilation.module, compilation.request, dump, outcome);
    if (stage.addPasses)
      runner.passes(stage.name, [&](mlir::OpPassManager &manager) { stage.addPasses(manager, compilation.request); });
    if (outcome.ok() && stage.run)
      runner.step(stage.name, [&] { return stage.run(compilation); }, /*border=*/false);
    if (outcome.ok() && stage.verify)
      runner.step(stage.name, [&] { return stage.verify(compilation); }, /*border=*/true);
    outcome.times.push_back({stage.name.str(), msSince(start)});
    if (!outcome.ok())
      return outcome;
    if (dump && dump->wantsStage(stage.name))
      dump->stage(stage.name, printStage(stage, compilation, true));
    if (stage.name == last) {
      if (text)
        *text = printStage(stage, compilation, false);
      return outcome;
    }
  }
  return outcome;
}

} // namespace tessera::ir
