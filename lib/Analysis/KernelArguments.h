//===- KernelArguments.h - how a kernel uses its arguments -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Facts about the parameters of a `tile.kernel`, for the launcher: which memory may be read or written (the tuner saves
// what is), and which integers decide where memory is touched (their divisibility makes accesses wide).
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_KERNELARGUMENTS_H
#define TESSERA_ANALYSIS_KERNELARGUMENTS_H

#include "IRSupport/LLVM.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

/// What is known of one parameter.
struct ArgumentFacts {
  bool read = false;      ///< a pointer that may be loaded from
  bool written = false;   ///< a pointer to memory that may be stored to
  bool stored = false;    ///< a pointer that addresses stored to are computed from; loaded ones left out of account
  bool inAddress = false; ///< an integer that may reach an address
  bool asStride = false;  ///< an integer that may be multiplied into an address, or is the stride of a view
};

/// Facts of each parameter in order. Errs on the side of "may". \p storesElsewhere, if given, says whether the kernel
/// may store through an address that it loaded or made of an integer.
SmallVector<ArgumentFacts> analyzeArguments(tile::KernelOp kernel, bool *storesElsewhere = nullptr);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_KERNELARGUMENTS_H
