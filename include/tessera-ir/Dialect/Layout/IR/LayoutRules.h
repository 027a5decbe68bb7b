//===- LayoutRules.h - which layouts the operands and results of an op have --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The layout rules: what an op of `tile`, `arith`, `math` or `scf` asks of the layouts around it, so that every thread
// computes what it holds from what it holds.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTRULES_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTRULES_H

#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace tessera::ir::layout {

/// What an op asks of layouts.
enum class LayoutRule {
  None,      ///< nothing: it has no tile, or its tiles may have any layouts
  Same,      ///< all tiles have one layout
  Reshape,   ///< the result is the source's map over the new shape
  Permute,   ///< the result's coordinates are the source's, permuted
  Broadcast, ///< the source is the result's map without the bits of repeated axes
  Reduce,    ///< the results are the sources' map without the bits of the axis; the sources have one layout
  Rows,      ///< the numbers of rows are the moved tile's map without the bits of the columns
  Special,   ///< its own, stated with the pass that makes it legal; a layout is still needed
};

LayoutRule ruleOf(mlir::Operation *op);

/// The layout of a result, where the rule gives one for a \p source layout: every rule but Broadcast, Rows
/// and Special.
std::optional<TileLayout> resultLayoutOf(mlir::Operation *op, const TileLayout &source);
/// The layout of the operands that are tiles, where the rule gives one for a \p result layout: every rule but Reduce,
/// Rows and Special.
std::optional<TileLayout> sourceLayoutOf(mlir::Operation *op, const TileLayout &result);

/// Emits an error on \p op if the layouts of its tiles break its rule, or a tile has none.
llvm::LogicalResult verifyLayoutRule(mlir::Operation *op);

} // namespace tessera::ir::layout

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTRULES_H
