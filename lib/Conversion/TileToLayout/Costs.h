//===- Costs.h - what ops and moves take under a layout --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Rough numbers of cycles of a multiprocessor, for all warps of a program together. Only their order matters.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_COSTS_H
#define TESSERA_CONVERSION_TILETOLAYOUT_COSTS_H

#include "tessera-ir/Dialect/Layout/IR/KernelShape.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"
#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include "mlir/IR/Operation.h"

namespace tessera::ir::layout {

/// What it takes to move a tile with elements of \p bits.
double moveCost(const TileLayout &from, const TileLayout &to, unsigned bits);

/// What an op takes that touches no memory, if its group with \p layout is the first one.
double computeCost(mlir::Operation *op, const TileLayout &layout);

/// What a product takes on a matrix unit that accumulates in layout \p unit, if accumulator and result are to have
/// \p layout.
double unitCost(tile::DotOp dot, const TileLayout &unit, const TileLayout &layout);

/// Layouts for the accumulator of a `tile.dot` on scalar arithmetic.
llvm::SmallVector<TileLayout> dotLayouts(llvm::ArrayRef<int64_t> shape, const KernelShape &kernel);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_COSTS_H
