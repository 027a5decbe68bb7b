//===- SimBackend.cpp - compiles for simulated GPUs -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/SimBackend.h"

#include "IRSupport/LLVM.h"
#include "Target/Gpu/Stages.h"
#include "Target/Sim/Decode/Decode.h"
#include "Target/Sim/SimDriver.h"

#include "mlir/IR/Location.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"

#include <fmt/format.h>

namespace tessera::ir {

namespace {

/// Decodes the code once to see that it can run, then keeps it.
LogicalResult makeBinary(Compilation &compilation) {
  gpu::GpuState &state = gpu::stateOf(compilation);
  rt::Image &image = compilation.image;
  sim::DecodeError error;
  const sim::Machine machine = sim::machineOf(arch::chipOf(compilation.request.target));
  const auto program = sim::decode(*state.module, image.entry, machine, error);
  if (!program) {
    MLIRContext *context = compilation.module.getContext();
    const Location at = error.line ? Location(mlir::FileLineColLoc::get(context, error.file, error.line, error.column))
                                   : compilation.module.getLoc();
    return mlir::emitError(at) << error.text;
  }
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*state.module, stream);
  const auto *data = reinterpret_cast<const std::byte *>(bytes.data());
  image.binary.assign(data, data + bytes.size());
  image.format = sim::kFormat;
  image.setFact("instructions", fmt::format("{}", program->code.size()));
  image.setFact("registers_bytes", fmt::format("{}", program->frameBytes / program->warpSize));
  image.layOut();
  return success();
}

class SimBackend final : public Backend {
public:
  llvm::StringRef family() const override { return "sim"; }
  bool keepsImages() const override { return false; } // for those who change the compiler
  llvm::ArrayRef<Stage> stages() const override {
    static const std::vector<Stage> *const all = [] {
      auto *stages = new std::vector<Stage>(gpu::sharedStages().begin(), gpu::sharedStages().end());
      stages->push_back({.name = "binary", .run = makeBinary});
      return stages;
    }();
    return *all;
  }
  void registerDialects(mlir::DialectRegistry &registry) const override { gpu::registerDialects(registry); }
  std::string toolchain(const Target &) const override { return "LLVM " LLVM_VERSION_STRING; }
};

} // namespace

std::unique_ptr<Backend> createSimBackend() { return std::make_unique<SimBackend>(); }

} // namespace tessera::ir
