//===- TileOps.cpp - the generated bodies of all ops -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include "IRSupport/LLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::tile {

// The printed form of combine regions and of types that follow from others, named by `custom<...>` in the formats.
static ParseResult parseCombine(OpAsmParser &parser, Region &combine, ArrayRef<Type> inputs);
static void printCombine(OpAsmPrinter &printer, Operation *op, Region &combine, TypeRange inputs);
static ParseResult parseSameTypes(OpAsmParser &parser, SmallVectorImpl<Type> &inputs, SmallVectorImpl<Type> &results);
static void printSameTypes(OpAsmPrinter &printer, Operation *op, TypeRange inputs, TypeRange results);
static ParseResult parseSortTypes(OpAsmParser &parser, Type &key, SmallVectorImpl<Type> &payload, Type &sorted,
                                  SmallVectorImpl<Type> &moved);
static void printSortTypes(OpAsmPrinter &printer, Operation *op, Type key, TypeRange payload, Type sorted,
                           TypeRange moved);

} // namespace tessera::ir::tile

#define GET_OP_CLASSES
#include "tessera-ir/Dialect/Tile/IR/TileOps.cpp.inc"
