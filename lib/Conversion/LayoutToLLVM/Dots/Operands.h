//===- Operands.h - operands of products where they belong -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_OPERANDS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_OPERANDS_H

#include "IRSupport/LLVM.h"
#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

/// \p x with elements of the float type \p element, which holds them exactly.
Value withElements(OpBuilder &b, Location loc, Value x, Type element);

/// \p x under \p layout.
Value under(OpBuilder &b, Location loc, Value x, const ::tessera::layout::TileLayout &layout);

/// A new buffer that holds \p x as \p layout says.
Value stored(OpBuilder &b, Location loc, Value x, const ::tessera::layout::SharedLayout &layout);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_OPERANDS_H
