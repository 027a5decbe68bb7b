//===- NarrowPrograms.h - programs that need one warp ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_NARROWPROGRAMS_H
#define TESSERA_CONVERSION_TILETOLAYOUT_NARROWPROGRAMS_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::layout {

/// Whether programs do so little that one warp is enough for each: no tile has more than \p mostElements, and there is
/// neither a loop nor a matrix product. They would share blocks along axis x of the grid, which they therefore ask for.
bool isNarrow(tile::KernelOp kernel, int64_t mostElements);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_NARROWPROGRAMS_H
