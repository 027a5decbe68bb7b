//===- ChooseUnit.cpp - which matrix unit takes a product -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/ChooseWarps.h"
#include "Conversion/LayoutToROCDL/AmdHooks.h"
#include "Conversion/LayoutToROCDL/MatrixInstruction.h"

namespace tessera::ir::gpu {

using ::tessera::layout::amdAccumulator;
using ::tessera::layout::amdOperandA;
using ::tessera::layout::amdOperandB;
using ::tessera::layout::WarpGrid;

std::optional<MatrixUnit> AmdHooks::matrixUnit(tile::DotOp dot, unsigned numWarps) const {
  return chooseWarpUnit(*this, dot, numWarps, {.rows = 16, .columns = 16});
}

std::optional<WarpUnit> AmdHooks::warpUnit(const Product &product, WarpGrid warps) const {
  const std::optional<MatrixInstruction> instruction = matrixInstruction(chip(), product, warps);
  if (!instruction)
    return std::nullopt;
  WarpUnit unit;
  unit.instruction = instruction->name;
  unit.acc = amdAccumulator(product.shapeOfResult(), instruction->fragment, warps);
  unit.a = amdOperandA(product.shapeOfA(), instruction->fragment, warps);
  unit.b = amdOperandB(product.shapeOfB(), instruction->fragment, warps);
  unit.aElement = instruction->a;
  unit.bElement = instruction->b;
  unit.warps = warps;
  unit.depth = instruction->fragment.stepOf(product.depth);
  return unit;
}

} // namespace tessera::ir::gpu
