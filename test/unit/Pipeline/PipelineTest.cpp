//===- PipelineTest.cpp - stages that work, decline and break -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Pipeline/Pipeline.h"

#include "IRSupport/DiagnosticLog.h"
#include "Target/Registry.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace tessera;
using namespace tessera::ir;
using tessera::test::ScopedEnvironment;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// What the pass of the tests' back end does to a kernel.
enum class Deed { Nothing, Decline, FailSilently, BreakIR };
Deed deed = Deed::Nothing;

struct TestPass : mlir::PassWrapper<TestPass, mlir::OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPass)
  StringRef getArgument() const override { return "test-deed"; }
  void runOnOperation() override {
    tile::KernelOp kernel = *getOperation().getOps<tile::KernelOp>().begin();
    switch (deed) {
    case Deed::Nothing:
      return;
    case Deed::Decline:
      kernel.emitError("this chip has no such instruction");
      return signalPassFailure();
    case Deed::FailSilently:
      return signalPassFailure();
    case Deed::BreakIR:
      kernel.getBody().front().getTerminator()->erase();
      return;
    }
  }
};

LogicalResult runStep(Compilation &compilation) {
  compilation.image.format = "text";
  return success();
}
bool borderHolds = true;
LogicalResult checkBorder(Compilation &compilation) {
  if (!borderHolds)
    return compilation.module.emitError("an op of ours is left; the lowering of dots most likely forgot it");
  return success();
}
std::string printStep(Compilation &compilation) { return "format " + compilation.image.format; }

class TestBackend : public Backend {
public:
  StringRef family() const override { return "interp"; }
  ArrayRef<Stage> stages() const override {
    static const Stage list[] = {
        {.name = "layout",
         .addPasses = [](mlir::OpPassManager &manager,
                         const CompileRequest &) { manager.addPass(std::make_unique<TestPass>()); }},
        {.name = "binary", .run = runStep, .verify = checkBorder, .print = printStep}};
    return list;
  }
  void registerDialects(mlir::DialectRegistry &) const override {}
};

class PipelineTest : public testing::Test {
protected:
  PipelineTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    deed = Deed::Nothing;
    borderHolds = true;
    module = mlir::parseSourceString<ModuleOp>(R"(
      tile.kernel @k(%x: !tile.ptr<f32>) {
        %v = tile.load %x : !tile.ptr<f32>
        tile.store %x, %v : !tile.ptr<f32>
        tile.return
      })",
                                               &context);
    folder = testing::TempDir() + "/tessera-reproducers-" + std::to_string(getpid());
    setenv("TESSERA_REPRODUCER_DIR", folder.c_str(), 1);
  }
  ~PipelineTest() override {
    unsetenv("TESSERA_REPRODUCER_DIR");
    std::filesystem::remove_all(folder);
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
    return registry;
  }
  PipelineOutcome run(StringRef last = {}, std::string *text = nullptr) {
    Compilation compilation{*module, request, {}, nullptr};
    return runBackendStages(backend, compilation, nullptr, last, text);
  }
  static std::string contents(const std::string &path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  mlir::MLIRContext context;
  OwningOpRef<ModuleOp> module;
  const CompileRequest request{Target("interp"), {}};
  const TestBackend backend;
  std::string folder;
};

} // namespace

TEST_F(PipelineTest, runsAllStages) {
  const PipelineOutcome outcome = run();
  EXPECT_TRUE(outcome.ok()) << outcome.words;
  ASSERT_EQ(outcome.times.size(), 2u);
  EXPECT_EQ(outcome.times[0].stage, "layout");
  EXPECT_EQ(outcome.times[1].stage, "binary");
}

TEST_F(PipelineTest, stopsAfterTheStageAskedFor) {
  std::string text;
  EXPECT_EQ(run("layout", &text).times.size(), 1u);
  EXPECT_THAT(text, HasSubstr("tile.kernel @k"));
  run("binary", &text);
  EXPECT_EQ(text, "format text");
}

TEST_F(PipelineTest, tileStageIsCanonical) { EXPECT_TRUE(runTileStage(*module, request, nullptr).ok()); }

// A pass that says no with a reason speaks about the kernel.
TEST_F(PipelineTest, declining) {
  deed = Deed::Decline;
  const PipelineOutcome outcome = run();
  EXPECT_EQ(outcome.blame, PipelineOutcome::Kernel);
  EXPECT_EQ(outcome.stage, "layout");
  EXPECT_EQ(outcome.pass, "test-deed");
  EXPECT_THAT(outcome.words, HasSubstr("this chip has no such instruction"));
  EXPECT_EQ(outcome.reproducer, "");
}

// A pass that fails without a word, or leaves broken IR, is a defect with a reproducer.
TEST_F(PipelineTest, failingSilently) {
  deed = Deed::FailSilently;
  const PipelineOutcome outcome = run();
  EXPECT_EQ(outcome.blame, PipelineOutcome::Library);
  EXPECT_EQ(outcome.words, "no diagnostic was given");
  EXPECT_THAT(outcome.reproducer, testing::StartsWith(folder + "/tessera-reproducer-"));
}

TEST_F(PipelineTest, breakingTheProgram) {
  deed = Deed::BreakIR;
  const PipelineOutcome outcome = run();
  EXPECT_EQ(outcome.blame, PipelineOutcome::Library);
  EXPECT_EQ(outcome.pass, "test-deed");
  const std::string text = contents(outcome.reproducer);
  EXPECT_THAT(text, AllOf(HasSubstr("tessera-opt --run-reproducer"), HasSubstr("tile.return"),
                          HasSubstr("pipeline: \"builtin.module(test-deed)\""), HasSubstr("mlir_reproducer")))
      << "the program before the pass, and the pass";
}

TEST_F(PipelineTest, reproducersParse) {
  deed = Deed::FailSilently;
  const std::string text = contents(run().reproducer);
  EXPECT_TRUE(mlir::parseSourceString<ModuleOp>(text, mlir::ParserConfig(&context)));
}

TEST_F(PipelineTest, aBorderThatDoesNotHold) {
  borderHolds = false;
  const PipelineOutcome outcome = run();
  EXPECT_EQ(outcome.blame, PipelineOutcome::Library);
  EXPECT_EQ(outcome.stage, "binary");
  EXPECT_THAT(outcome.words, HasSubstr("the lowering of dots most likely forgot it"));
}

TEST_F(PipelineTest, reproducerFolderThatCannotBeMade) {
  setenv("TESSERA_REPRODUCER_DIR", "/dev/null/x", 1);
  deed = Deed::FailSilently;
  EXPECT_THAT(run().reproducer, HasSubstr("cannot make folder /dev/null/x"));
}

TEST_F(PipelineTest, remarksAreKept) {
  DiagnosticLog log(context);
  mlir::emitWarning(mlir::FileLineColLoc::get(&context, "k.cpp", 3, 4), "saturates");
  EXPECT_FALSE(log.hasErrors());
  EXPECT_THAT(log.notes(), ElementsAre("k.cpp:3:4: saturates"));
}

TEST_F(PipelineTest, errorsCarryNotes) {
  DiagnosticLog log(context);
  const auto at = mlir::FileLineColLoc::get(&context, "k.cpp", 3, 4);
  mlir::emitError(mlir::NameLoc::get(mlir::StringAttr::get(&context, "row"), at), "wrong").attachNote() << "see here";
  EXPECT_EQ(log.text(), "k.cpp:3:4: wrong\n  k.cpp:3:4: see here");
}

TEST(BackendRegistry, namesWhatItLacks) {
  std::vector<std::unique_ptr<Backend>> list;
  list.push_back(std::make_unique<TestBackend>());
  const BackendRegistry registry(std::move(list));
  EXPECT_EQ(registry.require(Target("interp")).family(), "interp");
  EXPECT_EQ(registry.find("cuda"), nullptr);
  EXPECT_EQ(wordsOf<CompileError>([&] { registry.require(Target("hip:gfx942")); }),
            "target hip:gfx942 has no back end in this build of tessera, which compiles for: interp");
}
