//===- LaunchExpr.h - scalars that are known at the launch -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_LAUNCHEXPR_H
#define TESSERA_ANALYSIS_LAUNCHEXPR_H

#include "IRSupport/LLVM.h"
#include "Runtime/Expr.h"

#include "tessera/core/DType.h"

#include <optional>

namespace tessera::ir {

/// \p value as an expression over the kernel's arguments and the grid; nothing if it is not one. \p dtypes are those of
/// the arguments as users wrote them, which decide how narrow ones are extended; where it is too short, integers count
/// as signed.
std::optional<rt::Expr> launchExprOf(Value value, ArrayRef<DType> dtypes = {});

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_LAUNCHEXPR_H
