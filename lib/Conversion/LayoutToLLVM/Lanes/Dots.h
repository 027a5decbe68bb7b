//===- Dots.h - who multiplies ---------------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_DOTS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_DOTS_H

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

/// Every thread multiplies for the elements that it holds.
void emitThreadDot(layout::SharedDotOp op, Emitter &e);

/// Warps multiply on \p unit, reading operands from buffers.
void emitWarpDot(layout::SharedDotOp op, const WarpUnit &unit, Emitter &e);
/// The same with both operands in registers; refuses those under other layouts.
void emitWarpDot(tile::DotOp op, Emitter &e);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_DOTS_H
