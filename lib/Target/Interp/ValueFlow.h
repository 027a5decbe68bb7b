//===- ValueFlow.h - where the elements of a value come from ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_VALUEFLOW_H
#define TESSERA_TARGET_INTERP_VALUEFLOW_H

#include "Target/Interp/Launch.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::ir::interp {

/// The values whose elements the elements of \p value are copies of: operands of shape operations and selections (their
/// conditions too), initial and yielded values of loops and branches, bounds of an induction variable. Empty where the
/// elements are computed, loaded or given.
llvm::SmallVector<mlir::Value, 4> sourcesOf(mlir::Value value);

/// The parameters that the address \p pointer (or the base of a view) was computed from. \p workspaces gives the
/// parameter behind each workspace operation.
Roots rootsOf(mlir::Value pointer, const llvm::DenseMap<mlir::Operation *, std::uint32_t> &workspaces);

/// The loads whose elements reach \p stored, alone or in arithmetic, in other lanes than they were loaded by: through a
/// transposition, a split, a slice and the like.
llvm::SmallVector<mlir::Operation *, 2> movedLoads(mlir::Value stored);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_VALUEFLOW_H
