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

#include "Driver/SlotMask.h"
#include "IRSupport/LLVM.h"
#include "Runtime/Image.h"
#include "Support/Hash.h"
#include "Target/Backend.h"

#include "tessera/lang/KernelSpec.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::ir {

/// What the launcher must know of a traced kernel to choose a variant.
struct KernelFacts {
  SlotMask pointers;
  SlotMask stored;                ///< pointers that the kernel, or the launcher, stores through
  SlotMask read;                  ///< pointers whose memory the kernel may load from
  SlotMask zeroed;                ///< pointers whose memory the launcher fills with zeros first
  bool storesElsewhere = false;   ///< the kernel may store through addresses that it loads or makes of integers
  SlotMask strides;               ///< integers that are folded when they are 1
  SlotMask addresses;             ///< integers whose divisibility by 16 counts
  std::vector<std::string> names; ///< of the arguments
  std::vector<DType> dtypes;
  support::Hash128 program; ///< of what was traced, lines of source left out
};

/// `f32*, f32*, i64`: what tells apart kernels of one name.
std::string typesText(ArrayRef<DType> dtypes, const SlotMask &pointers);

/// A kernel compiled differently for different arguments.
struct VariantKey {
  SlotMask unit;        ///< strides equal to 1
  bool aligned = false; ///< pointers and addresses' integers are multiples of 16
  bool fold = false;    ///< all programs on axis x
  bool operator==(const VariantKey &) const = default;
  /// `aligned, stride 1: ldb, folded grid`; "general" if there is nothing to say.
  std::string str(const KernelFacts &facts) const;
};

/// A traced kernel: a module in a context of its own.
struct TracedKernel {
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  KernelFacts facts;
  std::string name;
  std::string config; ///< `{block=1024}`
  std::string title;  ///< for messages and dumps: `add {block=1024}`
  double traceMs = 0;
};

/// A compiled kernel and what it cost.
struct CompiledKernel {
  std::shared_ptr<const rt::Image> image;
  const char *origin = "compiled"; ///< as CompileRecord says it
  support::Hash128 contents;       ///< of everything that makes the image, lines of source included
  std::vector<std::pair<std::string, double>> stages;
  std::vector<std::string> notes;
};

/// Traces. \p any binds the parameters of element type `any`, \p present says which Opts are there. UsageError from the
/// user's function, or if \p any is too short.
TracedKernel traceForLaunch(const tessera::detail::KernelSpec &spec, std::vector<DType> any, std::vector<bool> present,
                            const std::string &configText);

/// Specialises \p traced, which is used up, and compiles it, or finds that an equal kernel was compiled before, by this
/// process or another.
CompiledKernel compileTraced(TracedKernel &traced, const VariantKey &variant, const Target &target,
                             const CompileOptions &options);

/// Specialises \p traced, which is used up, and prints it after a stage.
std::string printTraced(TracedKernel &traced, const VariantKey &variant, const Target &target,
                        const CompileOptions &options, llvm::StringRef stage);

} // namespace tessera::ir

#endif // TESSERA_DRIVER_COMPILER_H
