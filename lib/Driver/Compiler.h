//===- Compiler.h - from a kernel's function to an image -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Trace, find out how the arguments are used, specialise, run the stages. Each compilation has an MLIR context of its
// own, so that any number of threads may compile. Failures of the stages become exceptions here, behind the last MLIR
// frame.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_COMPILER_H
#define TESSERA_DRIVER_COMPILER_H

#include "IRSupport/LLVM.h"
#include "Runtime/DeviceDriver.h"
#include "Runtime/Image.h"
#include "Runtime/Variant.h"
#include "Support/Hash.h"
#include "Target/Backend.h"

#include "tessera/lang/KernelSpec.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::ir {

using rt::SlotMask;
using rt::typesText;
using rt::VariantKey;

/// What the launcher must know of a traced kernel to choose a variant.
struct KernelFacts : rt::LaunchFacts {
  support::Hash128 program; ///< of what was traced, lines of source left out
};

/// What decides a binary, and the words for it.
struct KernelIdentity {
  /// Of the program, the names and types of its arguments, the options, the variant, the target and who compiles. Lines
  /// of source are part of it only where the binary shows them.
  support::Hash128 key;
  support::Hash128 contents; ///< the same, with all lines of source: of what the compiler's notes say, too
  support::Hash128 program;  ///< of what was traced, whatever it is compiled for and by whom
  std::string arguments, config, variant, toolchain;
  SlotMask strides, addresses; ///< as in the facts
};

/// A traced kernel: a module in a context of its own.
struct TracedKernel {
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  KernelFacts facts;
  std::vector<tessera::detail::ParamLeaf> leaves; ///< of its parameters, one an argument
  std::string name;
  std::string config; ///< `{block=1024}`
  std::string title;  ///< for messages and dumps: `add {block=1024}`
  double traceMs = 0;
};

/// A compiled kernel and what it cost.
struct CompiledKernel {
  std::shared_ptr<const rt::Image> image;
  const char *origin = "compiled"; ///< as CompileRecord says it
  KernelIdentity identity;
  std::vector<std::pair<std::string, double>> stages;
  std::vector<std::string> notes;
};

/// Traces. \p any binds the parameters of element type `any`, \p present says which Opts are there. UsageError from the
/// user's function, or if \p any is too short.
TracedKernel traceForLaunch(const tessera::detail::KernelSpec &spec, std::vector<DType> any, std::vector<bool> present,
                            const std::string &configText);

/// What a frozen process lacks: thrown by compileTraced, made a UsageError at the user's line by its callers.
struct MissingKernel {
  std::string words;
};

/// Specialises \p traced, which is used up, and compiles it, or finds that an equal kernel was compiled before, by this
/// process or another. MissingKernel if it was not and the process is frozen.
CompiledKernel compileTraced(TracedKernel &traced, const VariantKey &variant, const Target &target,
                             const CompileOptions &options);

/// The image of \p traced that a bundle serves on \p device; nothing if none does. In a frozen process it may be that
/// of another variant which is right for the same arguments.
std::optional<CompiledKernel> findBundled(const TracedKernel &traced, const VariantKey &variant,
                                          const rt::DeviceProperties &device, const CompileOptions &options);

/// Specialises \p traced, which is used up, and prints it after a stage.
std::string printTraced(TracedKernel &traced, const VariantKey &variant, const Target &target,
                        const CompileOptions &options, llvm::StringRef stage);

} // namespace tessera::ir

#endif // TESSERA_DRIVER_COMPILER_H
