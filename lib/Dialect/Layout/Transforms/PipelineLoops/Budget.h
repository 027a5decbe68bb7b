//===- Budget.h - shared memory for rings ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_BUDGET_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_BUDGET_H

#include "Arch/Chip.h"
#include "Dialect/Layout/Transforms/PipelineLoops/CopiedLoads.h"

namespace tessera::ir::layout {

/// The bytes that slots of \p loads take, one for each.
int64_t bytesOfStage(ArrayRef<CopiedLoad> loads);

/// What a program of \p chip has for the rings of \p loads in \p loop, beside what else is needed at that time:
/// buffers, those that conversions between warps will take, and barriers. At least 0.
int64_t bytesForRings(mlir::scf::ForOp loop, ArrayRef<CopiedLoad> loads, const arch::Chip &chip);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_BUDGET_H
