//===- ChooseWarps.h - how warps lie over a product ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_CHOOSEWARPS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_CHOOSEWARPS_H

#include "Conversion/LayoutToLLVM/GpuHooks.h"

namespace tessera::ir::gpu {

/// The rows and columns of an instruction.
struct Extents {
  int64_t rows, columns;
};

/// The unit of warps for \p dot, with warps as its result has them if it has a layout, or else as they read least by
/// instructions of the extents \p one.
std::optional<WarpUnit> chooseWarpUnit(const GpuHooks &hooks, tile::DotOp dot, unsigned numWarps, Extents one);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_CHOOSEWARPS_H
