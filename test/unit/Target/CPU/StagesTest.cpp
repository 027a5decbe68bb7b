//===- StagesTest.cpp - from loops over vectors to running code -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/LLVM.h"
#include "Pipeline/Pipeline.h"
#include "Runtime/LaunchPlan.h"
#include "Runtime/Registry.h"
#include "Target/CPU/CpuBackend.h"
#include "unit/Expect.h"

#include "mlir/Parser/Parser.h"

#include <array>
#include <cstdint>

using namespace tessera;
using namespace tessera::ir;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The back end for modules that are at the border of stage "host" already.
class AfterHost final : public Backend {
public:
  llvm::StringRef family() const override { return "cpu"; }
  llvm::ArrayRef<Stage> stages() const override { return host::stagesAfterHost(); }
  void registerDialects(mlir::DialectRegistry &registry) const override { host::registerDialectsAfterHost(registry); }
};

/// One compilation of host IR text.
struct Compiled {
  explicit Compiled(const std::string &text, const char *target = "cpu") : request{Target(target), {}} {
    mlir::DialectRegistry registry;
    backend.registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    image.target = target;
    image.kernel = image.entry = "k";
  }
  PipelineOutcome run(llvm::StringRef last = {}) {
    Compilation compilation{*module, request, image, nullptr};
    PipelineOutcome outcome = runBackendStages(backend, compilation, nullptr, last, &this->text);
    image = compilation.image;
    return outcome;
  }
  void addArgument(rt::ArgumentKind kind, DType dtype, const char *name) {
    rt::Argument argument;
    argument.kind = kind;
    argument.dtype = dtype;
    argument.name = name;
    image.arguments.push_back(argument);
    image.layOut();
  }

  AfterHost backend;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  CompileRequest request;
  rt::Image image;
  std::string text;
};

const std::string kSignature = "%args: !llvm.ptr, %grid: !llvm.ptr, %arena: !llvm.ptr {llvm.noalias}, %x0: i64, "
                               "%x1: i64, %y: i64, %z: i64";

std::string function(const std::string &body, const std::string &attributes = "host.arena_bytes = 0 : i64") {
  return "llvm.func @k(" + kSignature + ") attributes {" + attributes + "} {\n" + body + "  llvm.return\n}\n";
}

/// x[i] = 2 * x[i] + 1 for the eight elements of each program, in vectors of four.
const char *const kDouble = R"(
  %eight = arith.constant 8 : i64
  %four = arith.constant 4 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ones = arith.constant dense<1.0> : vector<4xf32>
  %twos = arith.constant dense<2.0> : vector<4xf32>
  %x = llvm.load %args : !llvm.ptr -> !llvm.ptr
  scf.for %pid = %x0 to %x1 step %one : i64 {
    %base = arith.muli %pid, %eight : i64
    scf.for %i = %zero to %eight step %four : i64 {
      %at = arith.addi %base, %i : i64
      %p = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
      %d = math.fma %v, %twos, %ones : vector<4xf32>
      llvm.store %d, %p {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
    }
  }
)";

rt::DeviceState &cpu() { return *rt::Registry::get().find("cpu"); }

void expectOk(const PipelineOutcome &outcome) { EXPECT_TRUE(outcome.ok()) << outcome.stage << ": " << outcome.words; }

} // namespace

TEST(CpuStages, emptyKernelRuns) {
  Compiled compiled(function(""));
  expectOk(compiled.run());
  EXPECT_EQ(compiled.image.format, "shared-object");
  EXPECT_EQ(compiled.image.check(), "");
  const rt::LaunchPlan plan(cpu(), compiled.image);
  plan.launch(*cpu().defaultStream, {1000, 2, 3}, {});
}

TEST(CpuStages, loopsOverVectorsRun) {
  for (const char *target : {"cpu", "cpu:x86-64-v2", "cpu:x86-64-v3"}) {
    Compiled compiled(function(kDouble), target);
    compiled.addArgument(rt::ArgumentKind::Pointer, f32, "x");
    if (StringRef(target).ends_with("v2")) {
      // This level has no fused multiply-add, and a library is out of reach.
      const PipelineOutcome outcome = compiled.run();
      EXPECT_EQ(outcome.blame, PipelineOutcome::Library);
      EXPECT_THAT(outcome.words, HasSubstr("fmaf"));
      continue;
    }
    expectOk(compiled.run());
    std::vector<float> x(8 * 100);
    for (std::size_t i = 0; i != x.size(); ++i)
      x[i] = static_cast<float>(i);
    const rt::LaunchPlan plan(cpu(), compiled.image);
    const rt::CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(x.data()), x.size() * 4}};
    plan.launch(*cpu().defaultStream, {100, 1, 1}, arguments);
    for (std::size_t i = 0; i != x.size(); ++i)
      ASSERT_EQ(x[i], 2 * static_cast<float>(i) + 1) << target;
  }
}

TEST(CpuStages, factsReachTheImage) {
  Compiled compiled(function(
      "", R"(host.arena_bytes = 4096 : i64, host.in_grid_order, host.dot_precision = "ieee", host.prints, host.checks,
    host.sites = [{text = "x", location = "a.cpp:1:2", names = ["n", "p"], dtypes = ["u8", "!ptr"]},
                  {text = "n > 0", location = "a.cpp:3:4"}])"));
  expectOk(compiled.run());
  const rt::Image &image = compiled.image;
  EXPECT_EQ(image.sharedBytes, 4096u);
  ASSERT_TRUE(image.fact("in_grid_order"));
  EXPECT_EQ(*image.fact("in_grid_order"), "1");
  ASSERT_TRUE(image.fact("dot_precision"));
  EXPECT_EQ(*image.fact("dot_precision"), "ieee");
  ASSERT_EQ(image.arguments.size(), 2u);
  EXPECT_EQ(image.arguments[0].kind, rt::ArgumentKind::PrintBuffer);
  EXPECT_EQ(image.arguments[1].kind, rt::ArgumentKind::FaultFlag);
  ASSERT_EQ(image.sites.size(), 2u);
  EXPECT_EQ(image.sites[0], (rt::Site{"x", "a.cpp:1:2", {"n", "p"}, {u8, ptr_to(i8)}}));
  EXPECT_EQ(image.sites[1], (rt::Site{"n > 0", "a.cpp:3:4", {}, {}}));
  ASSERT_TRUE(image.fact("cpu_features"));
  ASSERT_TRUE(image.fact("toolchain"));
}

TEST(CpuStages, featuresAreThoseOfTheTarget) {
  Compiled v2(function(""), "cpu:x86-64-v2");
  expectOk(v2.run());
  EXPECT_EQ(*v2.image.fact("cpu_features"), "sse3,ssse3,sse4.1,sse4.2,popcnt");
  Compiled arm(function(""), "cpu:aarch64");
  expectOk(arm.run());
  EXPECT_EQ(*arm.image.fact("cpu_features"), "");
}

TEST(CpuStages, stagesPrint) {
  Compiled compiled(function(kDouble), "cpu:x86-64-v3");
  compiled.addArgument(rt::ArgumentKind::Pointer, f32, "x");
  expectOk(compiled.run("llvm"));
  EXPECT_THAT(compiled.text, AllOf(HasSubstr("void @k(ptr"), HasSubstr("@llvm.fma.v4f32")));
  Compiled again(function(kDouble), "cpu:x86-64-v3");
  expectOk(again.run("asm"));
  EXPECT_THAT(again.text, AllOf(HasSubstr("vfmadd"), HasSubstr("xmm"), HasSubstr("\nk:")));
  Compiled last(function(""), "cpu:x86-64-v3");
  expectOk(last.run("binary"));
  EXPECT_THAT(last.text, AllOf(HasSubstr("shared-object for cpu:x86-64-v3: `k`"), HasSubstr("cpu_features = sse3,")));
}

TEST(CpuStages, sameInputSameBinary) {
  Compiled one(function(kDouble)), two(function(kDouble));
  expectOk(one.run());
  expectOk(two.run());
  EXPECT_EQ(one.image.binary, two.image.binary);
}

// Fills of memory stay loops: a call of `memset` could not be linked.
TEST(CpuStages, fillsBecomeNoCalls) {
  Compiled compiled(function(R"(
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %byte = arith.constant 0 : i8
  scf.for %i = %x0 to %x1 step %one : i64 {
    %p = llvm.getelementptr %arena[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %byte, %p : i8, !llvm.ptr
  }
)"));
  expectOk(compiled.run());
}

TEST(CpuStages, callsAreDefects) {
  Compiled compiled("llvm.func @memset(!llvm.ptr, i32, i64) -> !llvm.ptr\n" + function(R"(
  %byte = arith.constant 0 : i32
  %p = llvm.call @memset(%arena, %byte, %x0) : (!llvm.ptr, i32, i64) -> !llvm.ptr
)"));
  const PipelineOutcome outcome = compiled.run();
  EXPECT_EQ(outcome.blame, PipelineOutcome::Library);
  EXPECT_THAT(outcome.words, HasSubstr("the code calls `memset`, and kernels have no library"));
}

TEST(CpuStages, kernelWithoutFactsIsADefect) {
  Compiled compiled(function("", ""));
  const PipelineOutcome outcome = compiled.run();
  EXPECT_EQ(outcome.blame, PipelineOutcome::Library);
  EXPECT_THAT(outcome.words, HasSubstr("has no attribute host.arena_bytes"));
}
