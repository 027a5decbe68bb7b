//===- TilePipeline.cpp - the passes of the tile stage, in order -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tessera::ir::tile {

void buildTilePipeline(mlir::OpPassManager &pm, const TilePipelineOptions &options) {
  if (options.verify)
    pm.addPass(createVerifyStagePass());
  pm.addPass(createCanonicalizePass());
  pm.addPass(createNoteNarrowingPass());
  if (options.verify)
    pm.addPass(createVerifyStagePass());
}

void registerTilePipeline() {
  mlir::PassPipelineRegistration<>("tile-pipeline", "the passes of the tile stage",
                                   [](mlir::OpPassManager &pm) { buildTilePipeline(pm); });
}

} // namespace tessera::ir::tile
