//===- LayoutTypes.h - types of the layout dialect ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `!layout.buffer`, `!layout.mbarrier` and `!layout.token`.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTYPES_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTYPES_H

#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"
#include "tessera-ir/Dialect/Tile/IR/TileTypes.h"

#include "mlir/IR/Types.h"

#define GET_TYPEDEF_CLASSES
#include "tessera-ir/Dialect/Layout/IR/LayoutTypes.h.inc"

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTYPES_H
