//===- ExpandConversions.h - conversions through buffers -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A part of `layout-expand-shared`.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_EXPANDCONVERSIONS_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_EXPANDCONVERSIONS_H

#include "IRSupport/LLVM.h"

namespace tessera::ir::layout {

/// Sends tiles through a buffer where elements move between warps, and where that takes less than the shuffles of a
/// warp would. Conversions of what threads can make themselves are made anew; of conversions in a row the last is left.
/// \p loadBanks banks of shared memory serve loads.
void expandConversions(ModuleOp module, int loadBanks);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_EXPANDCONVERSIONS_H
