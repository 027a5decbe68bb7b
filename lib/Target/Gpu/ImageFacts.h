//===- ImageFacts.h - from a kernel's function to its image ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_GPU_IMAGEFACTS_H
#define TESSERA_TARGET_GPU_IMAGEFACTS_H

#include "Runtime/Image.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <string>

namespace tessera::ir::gpu {

/// Moves what LayoutToLLVM.h puts on \p function to \p image: hidden arguments, the launch grid, threads, shared
/// memory, sites. What is wrong with it; empty if nothing is.
std::string takeFacts(mlir::LLVM::LLVMFuncOp function, rt::Image &image);

} // namespace tessera::ir::gpu

#endif // TESSERA_TARGET_GPU_IMAGEFACTS_H
