//===- PipelineTest.cpp - pipelines of loops on a simulated GPU ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Loops over the tiles of a view, as they are before -layout-pipeline-loops, against what they give without it. Each
// wait of a pipeline is needed: without it the simulator finds a fault.
//
//===---------------------------------------------------------------------===//

#include "Pipeline/Pipeline.h"
#include "IRSupport/LLVM.h"
#include "Layout/SharedLayout.h"
#include "Runtime/LaunchPlan.h"
#include "Runtime/Registry.h"
#include "Target/KernelAbi.h"
#include "Target/Sim/SimBackend.h"
#include "Target/Sim/SimDriver.h"
#include "unit/Expect.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "tessera/core/Error.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>
#include <functional>
#include <random>

using namespace tessera;
using namespace tessera::ir;
using tessera::layout::SharedLayout;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

/// What compiles behind the passes of the layout stage.
class AfterLayout final : public Backend {
public:
  llvm::StringRef family() const override { return "sim"; }
  llvm::ArrayRef<Stage> stages() const override { return behind; }
  void registerDialects(mlir::DialectRegistry &registry) const override { whole->registerDialects(registry); }

private:
  std::unique_ptr<Backend> whole = createSimBackend();
  llvm::ArrayRef<Stage> behind = whole->stages().drop_while([](const Stage &stage) { return stage.name != "llvm"; });
};

rt::DeviceState &deviceOf(const std::string &name) {
  static const bool added = (rt::Registry::get().add(createSimDriver()), true);
  (void)added;
  return *rt::Registry::get().find(name);
}

struct Options {
  std::string target = "sim:sm_90a";
  int stages = 3;
  bool boxes = false;
};

/// Compiles \p text. \p change sees the module once it has all its barriers.
rt::Image compile(const std::string &text, const Options &options, const std::function<void(ModuleOp)> &change) {
  const AfterLayout backend;
  mlir::DialectRegistry registry;
  backend.registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = mlir::parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  rt::Image image;
  image.target = options.target;
  if (!module || failed(describeKernel(ir::kernelOf(*module), {}, image)))
    return image;
  mlir::PassManager passes(&context);
  passes.addPass(ir::layout::createPipelineLoopsPass(
      {.target = options.target, .boxes = options.boxes, .numStages = options.stages}));
  passes.addPass(ir::layout::createExpandSharedPass());
  passes.addPass(ir::layout::createAllocateSharedPass({options.target}));
  passes.addPass(ir::layout::createInsertBarriersPass());
  passes.addPass(ir::layout::createVerifyStagePass());
  EXPECT_TRUE(succeeded(passes.run(*module))) << text;
  change(*module);
  const CompileRequest request{Target(options.target), {}};
  Compilation compilation{*module, request, image, nullptr};
  const PipelineOutcome outcome = runBackendStages(backend, compilation, nullptr);
  EXPECT_TRUE(outcome.ok()) << outcome.stage << ": " << outcome.words;
  return compilation.image;
}

/// A loop over tiles of 32 x 32 floats in a row, `each` says how they get from %v to %w, which is summed up. The outer
/// loop has `repeats` rounds, of which all but the second run the inner one.
std::string sumOf(const std::string &each, int vector) {
  const std::string swizzled =
      SharedLayout::tensorCopy(std::vector<std::int64_t>{32, 32}, std::vector{1, 0}, 128, 4).str();
  return fmt::format(R"(
#a = #layout.tile<32x32, register = [(0, 1), (0, 2), (16, 0)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)],
                  warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(1, 0), (2, 0), (4, 0)], lane = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)],
                  warp = [(8, 0), (16, 0)]>
#s = #layout.shared<{0}>
tile.kernel @k(%x: !tile.ptr<f32> {{tile.multiple_of = 16 : i64}}, %out: !tile.ptr<f32>, %n: i64,
               %ld: i64 {{tile.multiple_of = 16 : i64}}, %repeats: i64)
    attributes {{layout.num_warps = 4, layout.warp_size = 32}} {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 32 : i64
  %half = arith.constant dense<0.5> : tensor<32x32xf32, #c>
  %view = tile.make_view %x, [%size, %n], [%ld, %one] : !tile.view<f32, 2>
  %o = tile.make_view %out, [%size, %size], [%size, %one] : !tile.view<f32, 2>
  %nothing = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %all = scf.for %j = %zero to %repeats step %one iter_args(%before = %nothing) -> (tensor<32x32xf32, #c>) : i64 {{
    %runs = arith.cmpi ne, %j, %one : i64
    %sum = scf.if %runs -> (tensor<32x32xf32, #c>) {{
      %inner = scf.for %i = %zero to %n step %size iter_args(%acc = %before) -> (tensor<32x32xf32, #c>) : i64 {{
        %v = tile.view_load %view[%zero, %i] {{layout.vector = {1} : i64}} : !tile.view<f32, 2> -> tensor<32x32xf32, #a>
        {2}
        %less = arith.mulf %acc, %half : tensor<32x32xf32, #c>
        %more = arith.addf %less, %w : tensor<32x32xf32, #c>
        scf.yield %more : tensor<32x32xf32, #c>
      }} {{tile.num_stages = STAGES : i64}}
      scf.yield %inner : tensor<32x32xf32, #c>
    }} else {{
      scf.yield %before : tensor<32x32xf32, #c>
    }}
    scf.yield %sum : tensor<32x32xf32, #c>
  }}
  tile.view_store %o[%zero, %zero], %all : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}})",
                     swizzled, vector, each);
}

const char *const kThroughBuffer = R"(
        %b = layout.shared_alloc : !layout.buffer<32x32xf32, #s>
        layout.shared_store %b, %v : !layout.buffer<32x32xf32, #s>, tensor<32x32xf32, #a>
        %w = layout.shared_load %b : !layout.buffer<32x32xf32, #s> -> tensor<32x32xf32, #c>
        layout.shared_free %b : !layout.buffer<32x32xf32, #s>)";
const char *const kConverted = "%w = layout.convert %v : tensor<32x32xf32, #a> -> tensor<32x32xf32, #c>";
const char *const kComputed = "%y = arith.addf %v, %v : tensor<32x32xf32, #a>\n"
                              "%w = layout.convert %y : tensor<32x32xf32, #a> -> tensor<32x32xf32, #c>";

std::string withStages(std::string text, int stages) {
  const std::string word = "STAGES";
  text.replace(text.find(word), word.size(), std::to_string(stages));
  return text;
}

struct Outcome {
  std::string faults;
  std::vector<float> out;
  bool operator==(const Outcome &) const = default;
};

/// A launch over \p rounds tiles, the last of which is cut off in the middle.
Outcome launch(const rt::Image &image, const std::string &target, int rounds, int repeats) {
  rt::DeviceState &device = deviceOf(target);
  rt::DeviceDriver &driver = device.driver;
  const std::int64_t n = rounds == 0 ? 0 : rounds * 32 - 12, ld = 256;
  std::mt19937 random(3);
  std::vector<float> x(32 * ld);
  for (float &value : x)
    value = static_cast<float>(random() % 64) / 8;
  Outcome outcome{"", std::vector<float>(32 * 32, -1.0f)};
  void *const from = driver.allocate(device.index, x.size() * 4);
  void *const to = driver.allocate(device.index, outcome.out.size() * 4);
  driver.copyToDevice(device.index, nullptr, from, x.data(), x.size() * 4);
  driver.copyToDevice(device.index, nullptr, to, outcome.out.data(), outcome.out.size() * 4);
  const auto word = [](std::int64_t number) { return rt::CallArgument{static_cast<std::uint64_t>(number)}; };
  const rt::CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(from), x.size() * 4, true},
                                        {reinterpret_cast<std::uint64_t>(to), outcome.out.size() * 4, true},
                                        word(n),
                                        word(ld),
                                        word(repeats)};
  try {
    const rt::LaunchPlan plan(device, image);
    plan.launch(*device.defaultStream, {1, 1, 1}, arguments);
  } catch (const DeviceError &error) {
    outcome.faults = error.what();
  }
  driver.copyToHost(device.index, nullptr, outcome.out.data(), to, outcome.out.size() * 4);
  driver.free(device.index, from);
  driver.free(device.index, to);
  return outcome;
}

void unchanged(ModuleOp) {}

void sameForAllStages(const std::string &text, bool boxes, int repeats) {
  for (const char *target : {"sim:sm_80", "sim:sm_90a"}) {
    const rt::Image plain = compile(withStages(text, 1), {target, 1, false}, unchanged);
    for (const int stages : {2, 3, 4, 5}) {
      const rt::Image pipeline = compile(withStages(text, stages), {target, stages, boxes}, unchanged);
      // A view without columns has no descriptor; the launcher takes another image for it.
      for (const int rounds : {0, 1, 2, 3, 4, 6}) {
        if (boxes && rounds == 0)
          continue;
        const Outcome want = launch(plain, target, rounds, repeats), got = launch(pipeline, target, rounds, repeats);
        EXPECT_EQ(want.faults, "");
        EXPECT_EQ(got.faults, "") << target << ", " << stages << " stages, " << rounds << " rounds";
        EXPECT_EQ(got.out, want.out) << target << ", " << stages << " stages, " << rounds << " rounds";
      }
    }
  }
}

/// Takes each of the ops away by itself, and expects that it is missed: the last round reads the slot that the next run
/// of the loop fills first.
template <class... Ops> void eachIsNeeded(const std::string &text, const Options &options) {
  const auto count = [&] {
    int found = 0;
    compile(withStages(text, options.stages), options,
            [&](ModuleOp module) { module.walk([&](Operation *op) { found += isa<Ops...>(op); }); });
    return found;
  }();
  EXPECT_GT(count, 0);
  for (int which = 0; which != count; ++which) {
    const rt::Image image = compile(withStages(text, options.stages), options, [&](ModuleOp module) {
      llvm::SmallVector<Operation *> found;
      module.walk([&](Operation *op) {
        if (isa<Ops...>(op))
          found.push_back(op);
      });
      found[static_cast<std::size_t>(which)]->erase();
    });
    EXPECT_NE(launch(image, options.target, options.stages + 1, 3).faults, "") << "number " << which << " of " << count;
  }
}

} // namespace

TEST(SimPipeline, copiesOfThreadsIntoTheBufferThatIsRead) { sameForAllStages(sumOf(kThroughBuffer, 4), false, 1); }
TEST(SimPipeline, copiesOfThreadsThatAreConverted) { sameForAllStages(sumOf(kConverted, 1), false, 1); }
TEST(SimPipeline, copiesOfThreadsThatAreReadBack) { sameForAllStages(sumOf(kComputed, 4), false, 1); }
TEST(SimPipeline, copiesOfThreadsInsideAnotherLoop) { sameForAllStages(sumOf(kThroughBuffer, 4), false, 4); }
TEST(SimPipeline, boxes) { sameForAllStages(sumOf(kThroughBuffer, 4), true, 1); }
TEST(SimPipeline, boxesInsideAnotherLoop) { sameForAllStages(sumOf(kThroughBuffer, 4), true, 4); }

TEST(SimPipeline, everyWaitAndBarrierIsNeeded) {
  for (const int stages : {2, 3, 5}) {
    eachIsNeeded<ir::layout::AsyncWaitOp, ir::layout::BarrierOp>(sumOf(kThroughBuffer, 4),
                                                                 {"sim:sm_80", stages, false});
    eachIsNeeded<ir::layout::MBarrierWaitOp, ir::layout::BarrierOp>(sumOf(kThroughBuffer, 4),
                                                                    {"sim:sm_90a", stages, true});
  }
}
