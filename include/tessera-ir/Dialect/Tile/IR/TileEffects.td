//===- TileEffects.td - memory that ops of the dialect touch --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The resource that loads, stores and atomics name.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEEFFECTS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEEFFECTS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"

/// Memory that other programs and the host can see.
def Tile_GlobalMemory : Resource<"::tessera::ir::tile::GlobalMemory">;

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEEFFECTS_TD
