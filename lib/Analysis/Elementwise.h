//===- Elementwise.h - ops that work element by element --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_ELEMENTWISE_H
#define TESSERA_ANALYSIS_ELEMENTWISE_H

#include "IRSupport/LLVM.h"

namespace tessera::ir {

/// Whether element `i` of every result of \p op depends on element `i` of its tiles (and on scalars) alone, and nothing
/// else comes of it. Ops that make tiles of scalars or of nothing are not among them.
bool isElementwise(Operation *op);

/// Whether the user asked for an approximation of \p op, by `fast_exp` and the like.
bool isApproximate(Operation &op);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_ELEMENTWISE_H
