//===- NoteRows.h - notes what is known of rows ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_NOTEROWS_H
#define TESSERA_CONVERSION_TILETOLAYOUT_NOTEROWS_H

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

namespace tessera::ir::layout {

/// Sets the attributes of RowFacts.h in \p kernel, whose reductions are still whole.
void noteRows(tile::KernelOp kernel);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_NOTEROWS_H
