//===- Verify.h - checks that several verifiers share ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each emits an error on the op that names what was expected and what was seen, and returns whether it was right.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_IR_VERIFY_H
#define TESSERA_DIALECT_LAYOUT_IR_VERIFY_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"

namespace tessera::ir::layout {

/// \p buffer has no slots to choose from.
LogicalResult verifyNoRing(Operation *op, BufferType buffer);

/// \p buffer is no ring, and the tile called \p name has its shape and element type.
LogicalResult verifyMoved(Operation *op, BufferType buffer, StringRef name, Type type);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_IR_VERIFY_H
