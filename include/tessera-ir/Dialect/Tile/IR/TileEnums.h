//===- TileEnums.h - enumerations of the dialect -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Enumerations and the attributes that hold them.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEENUMS_H
#define TESSERA_IR_DIALECT_TILE_IR_TILEENUMS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

#include "tessera-ir/Dialect/Tile/IR/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera-ir/Dialect/Tile/IR/TileAttrs.h.inc"

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEENUMS_H
