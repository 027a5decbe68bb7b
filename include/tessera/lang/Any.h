//===- Any.h - the word `any`, for types and for reductions ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `Ptr<any>` is a pointer whose element type is bound at launch; `any(mask)` asks whether some lane is true. One object
// serves both, because C++ does not let a variable and a function share a name.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_ANY_H
#define TESSERA_LANG_ANY_H

#include "tessera/core/DType.h"
#include "tessera/core/Export.h"

namespace tessera {

class Operand;
class Tile;
struct ReduceOptions;

/// The type of `any`.
struct AnyDType {
  /// As a type: bound at launch.
  constexpr operator DType() const { return DType{Kind::Any}; }
  /// As a reduction: whether some element of a tile of i1 is true (declared with the reductions, lang/Reduce.h).
  TESSERA_API Tile operator()(Operand x) const;
  /// The same with an axis or other options.
  TESSERA_API Tile operator()(Operand x, ReduceOptions options) const;
};

inline constexpr AnyDType any{};

} // namespace tessera

#endif // TESSERA_LANG_ANY_H
