//===- SimHarness.cpp - run tile text on the simulated GPU -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Takes the place of unit/Interp/Harness.cpp: the interpreter's tests of what operations mean then test the code that
// GPUs get. TESSERA_TEST_SIM names the simulated chip, TESSERA_TEST_WARPS the warps of a program;
// TESSERA_TEST_DETERMINISTIC=1 makes reductions and scans deterministic, TESSERA_TEST_FOLD=1 folds grids.
//
//===---------------------------------------------------------------------===//

#include "Pipeline/Pipeline.h"
#include "Target/Gpu/Stages.h"
#include "Target/KernelAbi.h"
#include "Target/Sim/Decode/Decode.h"
#include "Target/Sim/Launch.h"
#include "Target/Sim/SimBackend.h"
#include "unit/Interp/Harness.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tessera::ir::interp {

namespace {

struct SimKernel {
  rt::Image image;
  std::unique_ptr<sim::Program> program;
};

std::string fromEnvironment(const char *name, const char *otherwise) {
  const char *const value = std::getenv(name);
  return value ? value : otherwise;
}

std::string build(std::string_view text, SimKernel &kernel) {
  const std::unique_ptr<Backend> backend = createSimBackend();
  mlir::DialectRegistry registry;
  backend->registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  std::string words;
  OwningOpRef<ModuleOp> module;
  {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      words += diagnostic.str() + "\n";
      return success();
    });
    module = mlir::parseSourceString<ModuleOp>(StringRef(text.data(), text.size()), &context);
    if (!module)
      return words;
  }
  if (fromEnvironment("TESSERA_TEST_DETERMINISTIC", "0") == "1")
    module->walk([](Operation *op) {
      if (auto reduce = dyn_cast<tile::ReduceOp>(op))
        reduce.setDeterministic(true);
      else if (auto scan = dyn_cast<tile::ScanOp>(op))
        scan.setDeterministic(true);
    });
  CompileRequest request{Target("sim:" + fromEnvironment("TESSERA_TEST_SIM", "sm_80")), {}};
  request.options.fp_contract = false;
  request.options.num_warps = std::stoi(fromEnvironment("TESSERA_TEST_WARPS", "4"));
  request.foldGrid = fromEnvironment("TESSERA_TEST_FOLD", "0") != "0";
  if (const PipelineOutcome outcome = runTileStage(*module, request, nullptr); !outcome.ok())
    return outcome.words;
  Compilation compilation{*module, request, {}, nullptr};
  compilation.image.target = request.target.str();
  if (failed(describeKernel(kernelOf(*module), {}, compilation.image)))
    return "the kernel has no argument table";
  if (const PipelineOutcome outcome = runBackendStages(*backend, compilation, nullptr); !outcome.ok())
    return outcome.stage + ": " + outcome.words;
  kernel.image = std::move(compilation.image);
  sim::DecodeError error;
  kernel.program = sim::decode(*gpu::stateOf(compilation).module, kernel.image.entry,
                               sim::machineOf(arch::chipOf(request.target)), error);
  return kernel.program ? std::string() : error.text;
}

} // namespace

TestKernel::TestKernel(std::string_view text) {
  auto kernel = std::make_shared<SimKernel>();
  const std::string error = build(text, *kernel);
  EXPECT_EQ(error, "") << text;
  if (error.empty())
    compiled = kernel;
}

std::string whyNotBuilt(std::string_view text) {
  SimKernel kernel;
  return build(text, kernel);
}

Faults TestKernel::execute(std::array<std::int64_t, 3> grid, Call &call) {
  if (!compiled)
    return {};
  const auto &kernel = *static_cast<const SimKernel *>(compiled.get());
  std::vector<std::uint64_t> records(8);
  const void *const noRecords = records.data();
  rt::ExprInputs inputs;
  inputs.numPrograms = grid;
  std::vector<std::int64_t> computed(kernel.image.arguments.size());
  std::vector<const void *> arguments;
  for (std::size_t i = 0; i != kernel.image.arguments.size(); ++i) {
    const rt::Argument &argument = kernel.image.arguments[i];
    if (i < call.arguments.size()) {
      arguments.push_back(call.arguments[i]);
    } else if (argument.kind == rt::ArgumentKind::Value) {
      computed[i] = argument.value.evaluate(inputs).value;
      arguments.push_back(&computed[i]);
    } else {
      arguments.push_back(&noRecords);
    }
  }
  std::vector<LiveBuffer> buffers;
  const auto lend = [&](const void *memory, std::size_t bytes) {
    LiveBuffer &buffer = buffers.emplace_back();
    buffer.address = reinterpret_cast<std::uint64_t>(memory);
    buffer.bytes = bytes;
  };
  for (Call::Block &block : call.blocks)
    lend(block.data(), block.bytes);
  for (const Region &region : call.regions)
    lend(region.memory, region.bytes);
  lend(records.data(), records.size() * sizeof(records[0]));
  std::sort(buffers.begin(), buffers.end(),
            [](const LiveBuffer &a, const LiveBuffer &b) { return a.address < b.address; });

  sim::LaunchRequest request;
  request.grid = grid;
  for (std::size_t axis = 0; axis != kernel.image.launchGrid.size(); ++axis)
    request.grid[axis] = kernel.image.launchGrid[axis].evaluate(inputs).value;
  request.threads = kernel.image.threadsPerProgram;
  request.cluster = kernel.image.cluster[0];
  request.sharedBytes = kernel.image.sharedBytes;
  request.arguments = arguments;
  request.buffers = buffers;
  const Faults faults = sim::run(*kernel.program, request);
  EXPECT_TRUE(faults.none()) << faults.text();
  return {};
}

void expectNoFaults(const Faults &) {}

} // namespace tessera::ir::interp
