//===- NvidiaBackend.cpp - compiles for NVIDIA's chips --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/NvidiaBackend.h"

#include "Target/Gpu/Stages.h"
#include "Target/NVIDIA/Assembler.h"

#include "llvm/Config/llvm-config.h"

#include <fmt/format.h>
#include <vector>

namespace tessera::ir {

namespace {

class NvidiaBackend final : public Backend {
public:
  llvm::StringRef family() const override { return "cuda"; }
  llvm::ArrayRef<Stage> stages() const override {
    static const std::vector<Stage> *const all = [] {
      auto *stages = new std::vector<Stage>(gpu::sharedStages().begin(), gpu::sharedStages().end());
      stages->insert(stages->end(), nvidia::stagesAfterLLVM().begin(), nvidia::stagesAfterLLVM().end());
      return stages;
    }();
    return *all;
  }
  void registerDialects(mlir::DialectRegistry &registry) const override { gpu::registerDialects(registry); }
  std::string toolchain(const Target &) const override {
    return fmt::format("LLVM {}, {}", LLVM_VERSION_STRING, nvidia::chooseAssembler().identity);
  }
};

} // namespace

std::unique_ptr<Backend> createNvidiaBackend() { return std::make_unique<NvidiaBackend>(); }

} // namespace tessera::ir
