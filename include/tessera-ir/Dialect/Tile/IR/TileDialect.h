//===- TileDialect.h - the dialect itself and its memory ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The dialect class, and the resource that memory effects of its ops name.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEDIALECT_H
#define TESSERA_IR_DIALECT_TILE_IR_TILEDIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tessera-ir/Dialect/Tile/IR/TileDialect.h.inc"

namespace tessera::ir::tile {

/// Memory that other programs and the host can see: the resource of every load, store and atomic.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "tile.global_memory"; }
};

} // namespace tessera::ir::tile

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEDIALECT_H
