//===- KernelTrace.h - from a kernel's function to tile IR ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_FRONTEND_KERNELTRACE_H
#define TESSERA_FRONTEND_KERNELTRACE_H

#include "IRSupport/LLVM.h"

#include "tessera/lang/KernelSpec.h"

namespace tessera::ir {

/// Loads the dialects that traced kernels use. Call it once before several threads trace into one context.
void loadTraceDialects(MLIRContext &context);

/// Runs the function of \p spec once, on this thread, and returns a module with one `tile.kernel` of its name. Throws
/// UsageError at the user's line for misuse, and lets what the user's function throws pass through; either way nothing
/// stays behind in \p context. Threads may trace at the same time, also into one context.
OwningOpRef<ModuleOp> traceKernel(const tessera::detail::KernelSpec &spec,
                                  const tessera::detail::Specialization &specialization, MLIRContext &context);

} // namespace tessera::ir

#endif // TESSERA_FRONTEND_KERNELTRACE_H
