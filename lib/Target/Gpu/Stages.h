//===- Stages.h - the stages that all GPUs share ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// From the tile stage to the `llvm` border: an llvm::Module of one kernel that calls the functions of
// Conversion/LayoutToLLVM/Border.h, has no triple and was not optimised, and an image that is complete but for its
// binary. A back end for GPUs has these stages and then its own.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_GPU_STAGES_H
#define TESSERA_TARGET_GPU_STAGES_H

#include "Arch/Chip.h"
#include "Conversion/Common/MatrixUnit.h"
#include "Target/Backend.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace tessera::ir::gpu {

class GpuHooks;

/// What the stages hand on. Back ends may derive from it and make it themselves before the "llvm" stage runs.
struct GpuState : BackendState {
  llvm::LLVMContext context; ///< outlives the module
  std::unique_ptr<llvm::Module> module;
  /// What is wrong with our own work; empty if nothing is. Steps keep it here, and the check of the stage's border
  /// reports it.
  std::string defect;

  ~GpuState() override;
};

/// The state of a compilation that is past the "llvm" stage.
GpuState &stateOf(Compilation &compilation);
/// The kernel's function in its module.
llvm::Function &kernelOf(GpuState &state, const rt::Image &image);
/// Keeps an error; true if there was none.
bool keep(GpuState &state, llvm::Error error);
/// For stages of back ends: reports the defect that a step has kept.
mlir::LogicalResult reportDefect(Compilation &compilation);
/// The line of the kernel.
mlir::Location placeOf(Compilation &compilation);
/// An error of the user's, there.
mlir::InFlightDiagnostic refuse(Compilation &compilation, const llvm::Twine &why);
/// The facts of a binary, for a stage that makes one.
std::string printBinary(Compilation &compilation);

/// The stages "layout" and "llvm".
llvm::ArrayRef<Stage> sharedStages();
/// The dialects and interfaces that they need.
void registerDialects(mlir::DialectRegistry &registry);

/// What the vendor of \p chip does its own way. Lives for ever.
const GpuHooks &hooksOf(const arch::Chip &chip);
/// The same as what passes ask that need no more.
const MatrixUnits &matrixUnitsOf(const arch::Chip &chip);

} // namespace tessera::ir::gpu

#endif // TESSERA_TARGET_GPU_STAGES_H
