//===- TileEnums.cpp - enumerations and their attributes -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/IR/TileEnums.h"

#include "tessera-ir/Dialect/Tile/IR/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

#include "tessera-ir/Dialect/Tile/IR/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera-ir/Dialect/Tile/IR/TileAttrs.cpp.inc"

namespace tessera::ir::tile {

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera-ir/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}

} // namespace tessera::ir::tile
