//===- CombineRegion.h - the combine regions of reductions and scans --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Their printed form, and the well-known ones among them. A region of one well-known op is printed as its name.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_COMBINEREGION_H
#define TESSERA_DIALECT_TILE_IR_COMBINEREGION_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include "mlir/IR/OpImplementation.h"

namespace tessera::ir::tile {

/// Reads `arith.addf`, or `(%a: f32, %b: f32) { ... }`.
ParseResult parseCombine(OpAsmParser &parser, Region &combine, ArrayRef<Type> inputs);
void printCombine(OpAsmPrinter &printer, Operation *op, Region &combine, TypeRange inputs);

/// Checks the region of \p op, a reduction or scan, against its inputs.
LogicalResult verifyCombine(Operation *op, Region &combine, ValueRange inputs);

} // namespace tessera::ir::tile

#endif // TESSERA_DIALECT_TILE_IR_COMBINEREGION_H
