//===- WarpInstruction.h - products that a warp multiplies -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTONVVM_WARPINSTRUCTION_H
#define TESSERA_CONVERSION_LAYOUTTONVVM_WARPINSTRUCTION_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <optional>
#include <string>

namespace tessera::ir::gpu {

/// An `mma.sync`: the matrices it multiplies and what a thread has of them, in elements.
struct WarpInstruction {
  StringRef shape; ///< "m16n8k16"
  StringRef a, b, sum;
  std::int64_t k;
  unsigned aElements, bElements, sumElements;
};

/// That for operands of types \p a and \p b; nothing if there is none.
std::optional<WarpInstruction> warpInstructionOf(Type a, Type b, tile::DotPrecision precision);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTONVVM_WARPINSTRUCTION_H
