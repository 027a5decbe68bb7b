//===- TileOps.td - every op of the dialect ----------------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One include per family; the order is that of the reference pages.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileProgramOps.td"
include "tessera-ir/Dialect/Tile/IR/TileCreateOps.td"
include "tessera-ir/Dialect/Tile/IR/TileShapeOps.td"
include "tessera-ir/Dialect/Tile/IR/TileCastOps.td"
include "tessera-ir/Dialect/Tile/IR/TileArithOps.td"
include "tessera-ir/Dialect/Tile/IR/TileMemoryOps.td"
include "tessera-ir/Dialect/Tile/IR/TileViewOps.td"
include "tessera-ir/Dialect/Tile/IR/TileAtomicOps.td"
include "tessera-ir/Dialect/Tile/IR/TileReduceOps.td"
include "tessera-ir/Dialect/Tile/IR/TileDotOps.td"
include "tessera-ir/Dialect/Tile/IR/TileDebugOps.td"



#endif // TESSERA_IR_DIALECT_TILE_IR_TILEOPS_TD
