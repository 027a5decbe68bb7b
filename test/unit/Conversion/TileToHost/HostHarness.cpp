//===- HostHarness.cpp - run tile text as code for this machine ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Takes the place of unit/Interp/Harness.cpp: the interpreter's tests of what operations mean then test compiled code.
// TESSERA_TEST_CPU names another processor of the table to compile for, TESSERA_TEST_FUSE=0 turns fused loops off.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/TileToHost.h"
#include "Pipeline/Pipeline.h"
#include "Runtime/CPU/SharedObject.h"
#include "Runtime/CPU/ThreadPool.h"
#include "Target/CPU/CpuBackend.h"
#include "Target/CPU/HostTarget.h"
#include "Target/KernelAbi.h"
#include "unit/Interp/Harness.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tessera::ir::interp {

namespace {

/// The back end of this machine, with loops fused or not.
class HostBackend final : public Backend {
public:
  HostBackend() {
    const char *const fuse = std::getenv("TESSERA_TEST_FUSE");
    if (!fuse || std::string_view(fuse) != "0")
      return;
    list.assign(real->stages().begin(), real->stages().end());
    list.front().addPasses = [](mlir::OpPassManager &pm, const CompileRequest &request) {
      host::HostOptions options =
          host::hostOptionsOf(host::hostTargetOf(request.target), request.target, request.options);
      options.fuse = false;
      pm.addPass(host::createTileToHostPass(options));
    };
  }
  llvm::StringRef family() const override { return "cpu"; }
  llvm::ArrayRef<Stage> stages() const override { return list.empty() ? real->stages() : llvm::ArrayRef<Stage>(list); }
  void registerDialects(mlir::DialectRegistry &registry) const override { real->registerDialects(registry); }

private:
  std::unique_ptr<Backend> real = createCpuBackend();
  std::vector<Stage> list;
};

struct HostKernel {
  rt::Image image;
  std::unique_ptr<rt::cpu::SharedObject> object;
};

std::string build(std::string_view text, HostKernel &kernel) {
  const HostBackend backend;
  mlir::DialectRegistry registry;
  backend.registerDialects(registry);
  registry.insert<tile::TileDialect>();
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
  const char *const chip = std::getenv("TESSERA_TEST_CPU");
  CompileRequest request{Target(chip ? std::string("cpu:") + chip : "cpu"), {}};
  request.options.fp_contract = false;
  if (const PipelineOutcome outcome = runTileStage(*module, request, nullptr); !outcome.ok())
    return outcome.words;
  Compilation compilation{*module, request, {}, nullptr};
  compilation.image.target = request.target.str();
  if (failed(describeKernel(kernelOf(*module), {}, compilation.image)))
    return "the kernel has no argument table";
  if (const PipelineOutcome outcome = runBackendStages(backend, compilation, nullptr); !outcome.ok())
    return outcome.stage + ": " + outcome.words;
  kernel.image = std::move(compilation.image);
  kernel.object = std::make_unique<rt::cpu::SharedObject>(kernel.image.binary);
  return {};
}

} // namespace

TestKernel::TestKernel(std::string_view text) {
  auto kernel = std::make_shared<HostKernel>();
  const std::string error = build(text, *kernel);
  EXPECT_EQ(error, "") << text;
  if (error.empty())
    compiled = kernel;
}

std::string whyNotBuilt(std::string_view text) {
  HostKernel kernel;
  return build(text, kernel);
}

Faults TestKernel::execute(std::array<std::int64_t, 3> grid, Call &call) {
  if (!compiled)
    return {};
  const auto &kernel = *static_cast<const HostKernel *>(compiled.get());
  std::vector<std::uint64_t> packed(kernel.image.packedBytes / 8 + 1), records(8);
  for (std::size_t i = 0; i != kernel.image.arguments.size(); ++i) {
    const rt::Argument &argument = kernel.image.arguments[i];
    auto *const place = reinterpret_cast<std::byte *>(packed.data()) + argument.offset;
    const void *const noRecords = records.data();
    if (i < call.arguments.size())
      std::memcpy(place, call.arguments[i], argument.packedBytes());
    else
      std::memcpy(place, &noRecords, sizeof(noRecords));
  }
  const std::size_t arenaBytes = kernel.image.sharedBytes;
  std::vector<std::byte> arena(arenaBytes + 64, std::byte{0xcc});
  auto *const aligned = reinterpret_cast<std::byte *>((reinterpret_cast<std::uintptr_t>(arena.data()) + 63) / 64 * 64);
  auto *const entry = reinterpret_cast<rt::cpu::Entry *>(kernel.object->find(kernel.image.entry));
  EXPECT_TRUE(entry);
  for (std::int64_t z = 0; z != grid[2]; ++z)
    for (std::int64_t y = 0; y != grid[1]; ++y)
      entry(packed.data(), grid.data(), aligned, 0, grid[0], y, z);
  for (std::size_t i = static_cast<std::size_t>(aligned - arena.data()) + arenaBytes; i != arena.size(); ++i)
    EXPECT_EQ(arena[i], std::byte{0xcc}) << "written behind the arena";
  return {};
}

void expectNoFaults(const Faults &) {}

} // namespace tessera::ir::interp
