//===- AmdBackend.cpp - compiles for AMD's chips --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/AmdBackend.h"

#include "Target/Gpu/Stages.h"

#include "llvm/Config/llvm-config.h"

#include <vector>

namespace tessera::ir {

namespace {

class AmdBackend final : public Backend {
public:
  llvm::StringRef family() const override { return "hip"; }
  llvm::ArrayRef<Stage> stages() const override {
    static const std::vector<Stage> *const all = [] {
      auto *stages = new std::vector<Stage>(gpu::sharedStages().begin(), gpu::sharedStages().end());
      stages->insert(stages->end(), amd::stagesAfterLLVM().begin(), amd::stagesAfterLLVM().end());
      return stages;
    }();
    return *all;
  }
  void registerDialects(mlir::DialectRegistry &registry) const override { gpu::registerDialects(registry); }
  std::string toolchain(const Target &) const override { return "LLVM " LLVM_VERSION_STRING; }
};

} // namespace

std::unique_ptr<Backend> createAmdBackend() { return std::make_unique<AmdBackend>(); }

} // namespace tessera::ir
