//===- DTypes.h - element types as the language names them -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_DTYPES_H
#define TESSERA_IR_DIALECT_TILE_IR_DTYPES_H

#include "tessera/core/DType.h"

#include "mlir/IR/Types.h"

namespace tessera::ir::tile {

/// The dtype of a value's elements. IR does not tell signs: integers come out as \p isUnsigned says. Nothing for a
/// view.
DType dtypeOf(mlir::Type type, bool isUnsigned = false);

} // namespace tessera::ir::tile

#endif // TESSERA_IR_DIALECT_TILE_IR_DTYPES_H
