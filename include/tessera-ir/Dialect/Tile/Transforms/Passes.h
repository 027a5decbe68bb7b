//===- Passes.h - passes over the tile dialect -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_TRANSFORMS_PASSES_H
#define TESSERA_IR_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tessera::ir::tile {

#define GEN_PASS_DECL
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h.inc"

/// What buildTilePipeline() may leave out.
struct TilePipelineOptions {
  bool verify = true; ///< check the stage's border before and after
};

/// Adds the passes that bring a freshly traced module into canonical form: the text that caches hash.
void buildTilePipeline(mlir::OpPassManager &pm, const TilePipelineOptions &options = {});

/// Registers `-tile-pipeline`, which runs buildTilePipeline().
void registerTilePipeline();

} // namespace tessera::ir::tile

#endif // TESSERA_IR_DIALECT_TILE_TRANSFORMS_PASSES_H
