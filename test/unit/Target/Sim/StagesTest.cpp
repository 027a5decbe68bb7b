//===- StagesTest.cpp - from kernels with layouts to simulated launches ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Kernels are written with their layouts, as they are at the border of stage "layout".
//
//===---------------------------------------------------------------------===//

#include "IRSupport/LLVM.h"
#include "Pipeline/Pipeline.h"
#include "Runtime/LaunchPlan.h"
#include "Runtime/Registry.h"
#include "Target/KernelAbi.h"
#include "Target/Sim/Launch.h"
#include "Target/Sim/SimBackend.h"
#include "Target/Sim/SimDriver.h"
#include "unit/Expect.h"

#include "tessera/core/Error.h"

#include "mlir/Parser/Parser.h"

#include <numeric>

using namespace tessera;
using namespace tessera::ir;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

/// The stages behind "layout".
class AfterLayout final : public Backend {
public:
  llvm::StringRef family() const override { return "sim"; }
  llvm::ArrayRef<Stage> stages() const override { return behindLayout; }
  void registerDialects(mlir::DialectRegistry &registry) const override { whole->registerDialects(registry); }

private:
  std::unique_ptr<Backend> whole = createSimBackend();
  llvm::ArrayRef<Stage> behindLayout =
      whole->stages().drop_while([](const Stage &stage) { return stage.name != "llvm"; });
};

rt::DeviceState &sim() {
  static rt::DeviceState *const device = [] {
    rt::Registry::get().add(createSimDriver());
    return rt::Registry::get().find("sim:sm_80");
  }();
  return *device;
}

/// Compiles a kernel text.
rt::Image compile(const std::string &text) {
  AfterLayout backend;
  mlir::DialectRegistry registry;
  backend.registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = mlir::parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  rt::Image image;
  image.target = "sim:sm_80";
  EXPECT_TRUE(succeeded(describeKernel(kernelOf(*module), {}, image)));
  const CompileRequest request{Target("sim:sm_80"), {}};
  Compilation compilation{*module, request, image, nullptr};
  const PipelineOutcome outcome = runBackendStages(backend, compilation, nullptr);
  EXPECT_TRUE(outcome.ok()) << outcome.stage << ": " << outcome.words;
  return compilation.image;
}

/// Launches it over buffers of floats; gives what was found.
std::string launch(const rt::Image &image, std::vector<std::vector<float>> &buffers) {
  rt::DeviceDriver &driver = sim().driver;
  std::vector<rt::CallArgument> arguments;
  std::vector<void *> memory;
  for (const std::vector<float> &buffer : buffers) {
    memory.push_back(driver.allocate(sim().index, buffer.size() * 4));
    driver.copyToDevice(sim().index, nullptr, memory.back(), buffer.data(), buffer.size() * 4);
    arguments.push_back({reinterpret_cast<std::uint64_t>(memory.back()), buffer.size() * 4});
  }
  std::string faults;
  try {
    const rt::LaunchPlan plan(sim(), image);
    plan.launch(*sim().defaultStream, {1, 1, 1}, arguments);
  } catch (const DeviceError &error) {
    faults = error.what();
  }
  for (std::size_t i = 0; i != buffers.size(); ++i) {
    driver.copyToHost(sim().index, nullptr, buffers[i].data(), memory[i], buffers[i].size() * 4);
    driver.free(sim().index, memory[i]);
  }
  return faults;
}

} // namespace

TEST(SimStages, elementsOverTheirSum) {
  const rt::Image image = compile(R"(
#line = #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>
tile.kernel @k(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 32} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #line>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>, #line>
  %p = tile.addptr %xs, %i : tensor<128x!tile.ptr<f32>, #line>, tensor<128xi32, #line>
  %v = tile.load %p : tensor<128x!tile.ptr<f32>, #line>
  %s = tile.reduce %v axis 0 : tensor<128xf32, #line> -> f32 by arith.addf
  %all = tile.splat %s : tensor<128xf32, #line>
  %r = arith.divf %v, %all : tensor<128xf32, #line>
  %os = tile.splat %out : tensor<128x!tile.ptr<f32>, #line>
  %q = tile.addptr %os, %i : tensor<128x!tile.ptr<f32>, #line>, tensor<128xi32, #line>
  tile.store %q, %r : tensor<128x!tile.ptr<f32>, #line>
  tile.return
})");
  EXPECT_EQ(image.format, "llvm-bitcode");
  EXPECT_EQ(image.threadsPerProgram, 32u);
  std::vector<std::vector<float>> buffers(2, std::vector<float>(128));
  std::iota(buffers[0].begin(), buffers[0].end(), 1.0f);
  EXPECT_EQ(launch(image, buffers), "");
  EXPECT_FLOAT_EQ(buffers[1][99], 100.0f / 8256.0f);
  buffers[1].resize(100);
  EXPECT_THAT(launch(image, buffers), HasSubstr("0 bytes behind a buffer of 400 bytes"));
}

/// Two warps turn a line round through shared memory.
static const char *const kTurn = R"(
#line = #layout.tile<64, lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#turned = #layout.tile<64, lane = [(2), (4), (8), (16), (32)], warp = [(1)]>
#plain = #layout.shared<64>
tile.kernel @k(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>)
    attributes {layout.num_warps = 2, layout.warp_size = 32, layout.shared_bytes = 256} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #line>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>, #line>
  %p = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>, #line>, tensor<64xi32, #line>
  %v = tile.load %p : tensor<64x!tile.ptr<f32>, #line>
  %b = layout.shared_alloc offset 0 : !layout.buffer<64xf32, #plain>
  layout.shared_store %b, %v : !layout.buffer<64xf32, #plain>, tensor<64xf32, #line>
  layout.barrier
  %w = layout.shared_load %b : !layout.buffer<64xf32, #plain> -> tensor<64xf32, #turned>
  %j = tile.arange 0 to 64 : tensor<64xi32, #turned>
  %os = tile.splat %out : tensor<64x!tile.ptr<f32>, #turned>
  %q = tile.addptr %os, %j : tensor<64x!tile.ptr<f32>, #turned>, tensor<64xi32, #turned>
  tile.store %q, %w : tensor<64x!tile.ptr<f32>, #turned>
  tile.return
})";

TEST(SimStages, sharedMemoryBetweenWarps) {
  const rt::Image image = compile(kTurn);
  EXPECT_EQ(image.sharedBytes, 256u);
  std::vector<std::vector<float>> buffers(2, std::vector<float>(64));
  std::iota(buffers[0].begin(), buffers[0].end(), 0.0f);
  EXPECT_EQ(launch(image, buffers), "");
  EXPECT_EQ(buffers[0], buffers[1]);
}

TEST(SimStages, aDroppedBarrierIsFound) {
  const rt::Image image = compile(kTurn);
  sim::Sabotage sabotage;
  sabotage.dropBarrier = 0;
  sim::setSabotage(sabotage);
  std::vector<std::vector<float>> buffers(2, std::vector<float>(64));
  const std::string faults = launch(image, buffers);
  sim::setSabotage({});
  EXPECT_THAT(faults, AnyOf(HasSubstr("races on shared memory"), HasSubstr("never written")));
}
