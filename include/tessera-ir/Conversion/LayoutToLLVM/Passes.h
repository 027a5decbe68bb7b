//===- Passes.h - from kernels with layouts to a thread's code -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_LAYOUTTOLLVM_PASSES_H
#define TESSERA_IR_CONVERSION_LAYOUTTOLLVM_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tessera::ir::gpu {

#define GEN_PASS_DECL
#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h.inc"

} // namespace tessera::ir::gpu

#endif // TESSERA_IR_CONVERSION_LAYOUTTOLLVM_PASSES_H
