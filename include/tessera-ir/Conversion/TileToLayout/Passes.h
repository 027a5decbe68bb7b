//===- Passes.h - from tiles to tiles with layouts --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_TILETOLAYOUT_PASSES_H
#define TESSERA_IR_CONVERSION_TILETOLAYOUT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace tessera::ir::layout {

#define GEN_PASS_DECL
#include "tessera-ir/Conversion/TileToLayout/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera-ir/Conversion/TileToLayout/Passes.h.inc"

} // namespace tessera::ir::layout

#endif // TESSERA_IR_CONVERSION_TILETOLAYOUT_PASSES_H
