//===- Parts.h - products whose operands fit shared memory -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_PARTS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_PARTS_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

namespace tessera::ir::gpu {

/// Replaces \p dot by products of parts of its operands along k, each added to what the one before gives, so that \p
/// sharedBytes hold both operands of one. Just \p dot where they hold its own, or where threads cannot cut them.
SmallVector<tile::DotOp> partsAlongK(tile::DotOp dot, std::int64_t sharedBytes);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_PARTS_H
