//===- TileOps.h - ops of the dialect ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The op classes, and recognition of well-known combine regions.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEOPS_H
#define TESSERA_IR_DIALECT_TILE_IR_TILEOPS_H

#include "tessera-ir/Dialect/Tile/IR/TileDialect.h"
#include "tessera-ir/Dialect/Tile/IR/TileEnums.h"
#include "tessera-ir/Dialect/Tile/IR/TileTypes.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#define GET_OP_CLASSES
#include "tessera-ir/Dialect/Tile/IR/TileOps.h.inc"

namespace tessera::ir::tile {

/// Well-known ways to combine two values of one input. Integer minima and maxima say their signedness.
enum class CombineKind {
  AddF,
  MulF,
  MaxNum,
  MinNum,
  MaximumF,
  MinimumF,
  AddI,
  MulI,
  MaxSI,
  MinSI,
  MaxUI,
  MinUI,
  And,
  Or,
  Xor,
};

/// The kind of a combine region whose body is one op on its left and right value, in this order and without fast-math
/// or overflow flags; nothing for any other region, those of several inputs among them.
std::optional<CombineKind> matchCombine(mlir::Region &combine);

/// The op that combines by \p kind, as it is spelt in IR: "arith.addf".
llvm::StringRef combineOpName(CombineKind kind);

/// Fills the empty region \p combine with the op of \p kind on scalars of \p element, and its `tile.yield`.
void buildCombine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Region &combine, CombineKind kind,
                  mlir::Type element);

} // namespace tessera::ir::tile

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEOPS_H
