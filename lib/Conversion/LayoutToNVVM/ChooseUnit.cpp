//===- ChooseUnit.cpp - which matrix unit takes a product -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A group of four warps multiplies wherever it has 64 rows.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/ChooseWarps.h"
#include "Conversion/LayoutToNVVM/GroupInstruction.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

namespace tessera::ir::gpu {

std::optional<MatrixUnit> NvidiaHooks::matrixUnit(tile::DotOp dot, unsigned numWarps) const {
  if (std::optional<MatrixUnit> unit = chooseGroupUnit(chip(), dot, numWarps))
    return unit;
  return chooseWarpUnit(*this, dot, numWarps, {.rows = 16, .columns = 8});
}

} // namespace tessera::ir::gpu
