//===- DotTypes.h - element types of matrix products -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_DOTTYPES_H
#define TESSERA_IR_DIALECT_TILE_IR_DOTTYPES_H

#include "mlir/IR/Types.h"

namespace tessera::ir::tile {

/// Whether elements of the two types may be multiplied: equal types, or fp8 of one family (OCP's, or the two without
/// infinity and -0).
bool areMultiplied(mlir::Type a, mlir::Type b);

/// The type in which products of \p element are summed; null if there are none.
mlir::Type accumulatorOf(mlir::Type element);

} // namespace tessera::ir::tile

#endif // TESSERA_IR_DIALECT_TILE_IR_DOTTYPES_H
