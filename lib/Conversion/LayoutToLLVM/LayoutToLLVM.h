//===- LayoutToLLVM.h - kernels with layouts to the code of a thread -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The pass and what it leaves on the `llvm.func` of the kernel for the image. Parameters of the function are: the
// kernel's own, pointers as `!llvm.ptr<1>` and numbers as their form in memory; then addresses of the workspaces in the
// order of a walk, of the print buffer if kPrints is there, of the fault flag if kChecks is; then the extents (i64) of
// the grid on the axes of kGridAxes; then the descriptors of kTensorMaps by value.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_LAYOUTTOLLVM_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_LAYOUTTOLLVM_H

#include "Conversion/LayoutToLLVM/EmitOptions.h"
#include "Conversion/LayoutToLLVM/GpuHooks.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringRef.h"

#include <memory>

namespace tessera::ir::gpu {

/// i64: threads of a block; programs that share a block; bytes of its shared memory.
inline constexpr llvm::StringLiteral kThreads{"tessera.threads"};
inline constexpr llvm::StringLiteral kProgramsPerBlock{"tessera.programs_per_block"};
inline constexpr llvm::StringLiteral kBlocks{"tessera.blocks"}; ///< of a cluster that compute one program
inline constexpr llvm::StringLiteral kSharedBytes{"tessera.shared_bytes"};
/// Array of i64: what must divide each argument.
inline constexpr llvm::StringLiteral kRequiredMultiples{"tessera.required_multiples"};
/// Units: the kernel has an argument for printed records; one for its first fault.
inline constexpr llvm::StringLiteral kPrints{"tessera.prints"};
inline constexpr llvm::StringLiteral kChecks{"tessera.checks"};
/// Array of i32: axes of the grid whose extents are arguments.
inline constexpr llvm::StringLiteral kGridAxes{"tessera.grid_axes"};
/// For reports (Emit/CodeNotes.h). Arrays of dictionaries: accesses of global memory, {at, kind, bytes, held};
/// products, {at, unit}. Two i64: wavefronts of shared memory, and as many as there would be without bank conflicts.
inline constexpr llvm::StringLiteral kAccesses{"tessera.accesses"};
inline constexpr llvm::StringLiteral kProducts{"tessera.products"};
inline constexpr llvm::StringLiteral kWavefronts{"tessera.wavefronts"};
/// Arrays: recipes of descriptors; expressions that must not be 0 at a launch (RecipeAttrs.h).
inline constexpr llvm::StringLiteral kTensorMaps{"tessera.tensor_maps"};
inline constexpr llvm::StringLiteral kRequirements{"tessera.requirements"};
/// The table of sites (Target/HiddenArguments.h).
inline constexpr llvm::StringLiteral kSites{"tessera.sites"};

/// The pass `-convert-layout-to-llvm`. \p hooks outlive it.
std::unique_ptr<mlir::Pass> createLayoutToLLVMPass(const EmitOptions &options, const GpuHooks &hooks);

/// Brings the operands of products where \p units, which outlive the pass, multiply them.
std::unique_ptr<mlir::Pass> createExpandDotsPass(const arch::Chip &chip, const MatrixUnits &units);

/// Makes the passes known by their names, for chips with these units.
void registerLayoutToLLVM(MatrixUnitsOf unitsOf);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_LAYOUTTOLLVM_H
