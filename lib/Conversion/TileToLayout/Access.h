//===- Access.h - what accesses of memory ask of layouts -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_ACCESS_H
#define TESSERA_CONVERSION_TILETOLAYOUT_ACCESS_H

#include "Analysis/MaskForm.h"
#include "Analysis/WideAccess.h"

#include "tessera-ir/Dialect/Layout/IR/KernelShape.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"

#include <optional>

namespace tessera::ir::layout {

/// Where a load, store or atomic of tiles touches memory, as far as its layout matters.
struct Access {
  SmallVector<int64_t, 5> shape;
  SmallVector<std::optional<int64_t>, 5> strides; ///< in bytes; nothing where they depend on scalars or on elements
  WideAccess wide;
  int64_t bytes = 1; ///< of an element
  bool isStore = false;
};

/// Of an access of tiles; nothing for other ops. \p mostBytes is what one thread can access at once.
std::optional<Access> accessOf(Operation *op, const AxisInfos &infos, MaskForms &masks, int64_t mostBytes);

/// Layouts in which the lanes of a warp touch neighbouring bytes, the best ones for the access alone first.
SmallVector<TileLayout> coalescedLayouts(const Access &access, const KernelShape &kernel);

/// The layout of \p access in which the lanes of a warp touch neighbouring bytes, of the elements that the warp has
/// under \p holder: a move between both stays in warps. Nothing where these are no whole runs of bits of the index.
std::optional<TileLayout> coalescedWithin(const Access &access, const TileLayout &holder, const KernelShape &kernel);

/// What the access takes under \p layout, in cycles of the unit that serves a line of memory in each, for a program.
double costOf(const Access &access, const TileLayout &layout);

/// A layout of \p shape with runs of \p run elements along order[0] in registers, and lanes along it first. Warps lie
/// along the last axes of \p order first, or along the first ones.
TileLayout blockedLayout(ArrayRef<int64_t> shape, ArrayRef<int> order, int64_t run, const KernelShape &kernel,
                         bool warpsLast);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_ACCESS_H
