//===- LayoutOps.h - ops of the layout dialect -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The op classes. The .td files say what each op means.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTOPS_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTOPS_H

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutTypes.h"
#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h.inc"

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTOPS_H
