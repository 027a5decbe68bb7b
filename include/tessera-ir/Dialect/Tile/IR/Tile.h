//===- Tile.h - the whole tile dialect ---------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Umbrella over the dialect, its types, enumerations and ops.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILE_H
#define TESSERA_IR_DIALECT_TILE_IR_TILE_H

#include "tessera-ir/Dialect/Tile/IR/TileDialect.h"
#include "tessera-ir/Dialect/Tile/IR/TileEnums.h"
#include "tessera-ir/Dialect/Tile/IR/TileOps.h"
#include "tessera-ir/Dialect/Tile/IR/TileTypes.h"

#endif // TESSERA_IR_DIALECT_TILE_IR_TILE_H
