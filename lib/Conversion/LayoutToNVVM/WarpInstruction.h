//===- WarpInstruction.h - products that a warp multiplies -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTONVVM_WARPINSTRUCTION_H
#define TESSERA_CONVERSION_LAYOUTTONVVM_WARPINSTRUCTION_H

#include "Conversion/LayoutToLLVM/GpuHooks.h"
#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <optional>

namespace tessera::ir::gpu {

/// An `mma.sync`: the matrices it multiplies and what a thread has of them, in registers.
struct WarpInstruction {
  StringRef shape; ///< "m16n8k16"
  StringRef a, b, sum;
  std::int64_t k;
  unsigned aWords, bWords, sums;
  unsigned heldPerWord = 1; ///< registers of an operand's layout, words or wider, in a word
};

/// That for operands of types \p a and \p b and a product of so much \p depth; nothing if there is none.
std::optional<WarpInstruction> warpInstructionOf(Type a, Type b, tile::DotPrecision precision, std::int64_t depth);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTONVVM_WARPINSTRUCTION_H
