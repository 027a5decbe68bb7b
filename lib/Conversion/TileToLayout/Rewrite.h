//===- Rewrite.h - writes chosen layouts into a kernel ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_REWRITE_H
#define TESSERA_CONVERSION_TILETOLAYOUT_REWRITE_H

#include "Conversion/TileToLayout/LayoutGraph.h"

namespace tessera::ir::layout {

/// Gives the tiles of \p kernel the layouts that \p graph chose: converts where those of a tile and of its use differ,
/// makes cheap tiles in every layout that is asked for, and tells accesses how wide they are.
void applyLayouts(tile::KernelOp kernel, const LayoutGraph &graph, const llvm::DenseMap<Operation *, Access> &accesses);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_REWRITE_H
