//===- KernelAbi.h - from a tile kernel to its argument table --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The part of the launch ABI that is the same on every target: parameters become Pointer and Scalar arguments in order,
// and each `tile.workspace` becomes a hidden Workspace argument, in the order of a walk.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_KERNELABI_H
#define TESSERA_TARGET_KERNELABI_H

#include "IRSupport/LLVM.h"
#include "Runtime/Image.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "tessera/core/DType.h"

namespace tessera::ir {

/// The kernel of a module, or null if it does not hold exactly one.
tile::KernelOp kernelOf(ModuleOp module);

/// Fills in kernel, entry and the argument table of \p image. \p dtypes gives the arguments' types as the user wrote
/// them; where it is too short, integers count as signed. Fails, with a diagnostic at the op, if a workspace's size is
/// no expression over the arguments.
LogicalResult describeKernel(tile::KernelOp kernel, ArrayRef<DType> dtypes, rt::Image &image);

} // namespace tessera::ir

#endif // TESSERA_TARGET_KERNELABI_H
