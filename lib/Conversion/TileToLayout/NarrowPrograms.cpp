//===- NarrowPrograms.cpp - programs that need one warp -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/NarrowPrograms.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

bool isNarrow(tile::KernelOp kernel, int64_t mostElements) {
  bool hasTile = false, isAlongX = false;
  const mlir::WalkResult result = kernel.getBody().walk([&](Operation *op) {
    if (auto id = dyn_cast<tile::ProgramIdOp>(op))
      isAlongX |= id.getAxis() == tile::Axis::X;
    for (Type type : op->getResultTypes()) {
      if (!isa<RankedTensorType>(type))
        continue;
      hasTile = true;
      if (tile::elementCountOf(type) > mostElements)
        return mlir::WalkResult::interrupt();
    }
    // A loop may make much of little.
    return isa<tile::DotOp, mlir::scf::ForOp, mlir::scf::WhileOp>(op) ? mlir::WalkResult::interrupt()
                                                                      : mlir::WalkResult::advance();
  });
  return hasTile && isAlongX && !result.wasInterrupted();
}

} // namespace tessera::ir::layout
