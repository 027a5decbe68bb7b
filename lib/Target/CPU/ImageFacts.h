//===- ImageFacts.h - from a host function to its image --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_CPU_IMAGEFACTS_H
#define TESSERA_TARGET_CPU_IMAGEFACTS_H

#include "Runtime/Image.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <string>

namespace tessera::ir::host {

/// Moves what the conversion left on the kernel's function (TileToHost.h) into the image: scratch memory, the table of
/// sites, hidden arguments for records. Returns what is wrong with it; empty if nothing is.
std::string takeFacts(mlir::LLVM::LLVMFuncOp function, rt::Image &image);

} // namespace tessera::ir::host

#endif // TESSERA_TARGET_CPU_IMAGEFACTS_H
