//===- Passes.h - passes that serve several targets --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_COMMON_PASSES_H
#define TESSERA_IR_CONVERSION_COMMON_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tessera::ir {

#define GEN_PASS_DECL
#include "tessera-ir/Conversion/Common/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera-ir/Conversion/Common/Passes.h.inc"

} // namespace tessera::ir

#endif // TESSERA_IR_CONVERSION_COMMON_PASSES_H
