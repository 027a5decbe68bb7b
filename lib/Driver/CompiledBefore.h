//===- CompiledBefore.h - find kernels that need no compiling --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Between recording and the first pass: an equal kernel may have been compiled before, by this process or by another
// that left it on disk.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_COMPILEDBEFORE_H
#define TESSERA_DRIVER_COMPILEDBEFORE_H

#include "Driver/Compiler.h"
#include "Runtime/Cache/CacheEntry.h"

namespace tessera::ir {

/// The identity of \p traced, specialised for \p variant and not touched by any pass.
KernelIdentity identify(const TracedKernel &traced, const VariantKey &variant, const CompileRequest &request,
                        const Backend &backend);

/// Fills in the image, its origin and notes if the kernel was compiled before and the texts of \p stages, of those that
/// \p backend has, were kept with it if it comes from the disk.
bool findCompiled(const KernelIdentity &identity, const CompileRequest &request, const Backend &backend,
                  ArrayRef<std::string> stages, CompiledKernel &compiled);

/// \p compiled as a file of the cache or a bundle keeps it, without the time and the texts of stages.
rt::CacheEntry entryOf(const CompiledKernel &compiled, const CompileOptions &options);

/// Keeps \p compiled for those who look for it later, with the \p texts of some of its stages. Its image becomes that
/// of another thread that was faster.
void keepCompiled(const KernelIdentity &identity, const CompileRequest &request, const Backend &backend,
                  std::vector<std::pair<std::string, std::string>> texts, CompiledKernel &compiled);

} // namespace tessera::ir

#endif // TESSERA_DRIVER_COMPILEDBEFORE_H
