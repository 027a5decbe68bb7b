//===- Types.h - types of the language in the IR ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// From DType to MLIR types, the shape rules of SEMANTICS T2, and words for values in messages.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_FRONTEND_TYPES_H
#define TESSERA_FRONTEND_TYPES_H

#include "Frontend/Trace.h"

#include "tessera/core/Shape.h"

namespace tessera::ir {

/// The element type of \p dtype: signless integers, floats, `!tile.ptr<...>`. Null for None and Any.
Type elementType(MLIRContext *context, DType dtype);
/// The type of a value of \p dtype and \p shape; a scalar for rank 0.
Type valueType(MLIRContext *context, DType dtype, ArrayRef<std::int64_t> shape);
/// The extents of a value; empty for a scalar.
ArrayRef<std::int64_t> shapeOf(Typed typed);
ArrayRef<std::int64_t> shapeOf(Value value);
inline std::size_t rankOf(Typed typed) { return shapeOf(typed).size(); }
bool isView(Typed typed);

/// Throws UsageError unless \p shape is that of a block (SEMANTICS T2); \p what names the thing made, "a tile of f32".
void checkBlock(ArrayRef<std::int64_t> shape, std::string_view what, At at);
/// The same for a shape written by the user, as extents.
SmallVector<std::int64_t> blockShape(const Shape &shape, std::string_view what, At at);
/// \p axis of a value of rank \p rank, counted from the end when negative; UsageError when there is no such axis.
std::int32_t checkAxis(std::int64_t axis, std::size_t rank, At at);
/// The smallest power of two that is at least \p extent.
std::int64_t nextPowerOfTwo(std::int64_t extent);

/// "f32", "ptr_to(f32)".
std::string nameOf(DType dtype);
/// "[128, 64]".
std::string nameOf(ArrayRef<std::int64_t> shape);
/// "a tile of f32 [128, 64]", "a scalar of i64", "a pointer to f32".
std::string describe(Typed typed);
/// The same for an operand, or "the number 3".
std::string describe(const Operand &operand);

} // namespace tessera::ir

#endif // TESSERA_FRONTEND_TYPES_H
