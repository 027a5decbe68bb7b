//===- LayoutOps.td - all ops of the layout dialect --------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the generators read; each family stands in a file of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutAsyncOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutBarrierOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutConvertOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutDotOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutMBarrierOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutMatrixOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutRoleOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutSharedOps.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTensorOps.td"

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTOPS_TD
