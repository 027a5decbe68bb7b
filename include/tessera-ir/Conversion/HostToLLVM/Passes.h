//===- Passes.h - from loops over short vectors to llvm --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_HOSTTOLLVM_PASSES_H
#define TESSERA_IR_CONVERSION_HOSTTOLLVM_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tessera::ir::host {

#define GEN_PASS_DECL
#include "tessera-ir/Conversion/HostToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera-ir/Conversion/HostToLLVM/Passes.h.inc"

} // namespace tessera::ir::host

#endif // TESSERA_IR_CONVERSION_HOSTTOLLVM_PASSES_H
