//===- Reduction.h - what works along an axis -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Shared by reductions, scans and sorts: the dtypes of sums (SEMANTICS R1), well-known combines, indices along an axis.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_FRONTEND_REDUCTION_H
#define TESSERA_FRONTEND_REDUCTION_H

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera/lang/Math.h"

namespace tessera::ir {

/// Where a sum or product of elements is formed, and what it is converted to at the end.
struct SumTypes {
  DType compute, result;
};
/// SEMANTICS R1 for elements of the dtype of \p value; \p wanted is the user's `.dtype` or None. \p verb names the
/// operation in messages.
SumTypes sumTypes(const Recorder &r, Typed value, DType wanted, std::string_view verb);

/// The combine that keeps the greater or lesser of two values of \p dtype, a float or integer.
tile::CombineKind extremeKind(DType dtype, bool greatest, Nan nan);
/// Throws unless \p value holds numbers other than i1; \p verb and \p hint ("any") make the message.
void checkNumbers(const Recorder &r, Typed value, std::string_view verb, std::string_view hint);

/// The index of each element on \p axis, as i32 in the shape \p shape.
Typed indicesAlong(Recorder &r, ArrayRef<std::int64_t> shape, std::int32_t axis);

/// \p reduced with an axis of extent 1 put back at \p axis.
Typed withAxis(Recorder &r, Typed reduced, std::int32_t axis);

} // namespace tessera::ir

#endif // TESSERA_FRONTEND_REDUCTION_H
