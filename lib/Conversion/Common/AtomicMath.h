//===- AtomicMath.h - what atomics make of elements ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// For atomics that a target has no instruction for, which become loops of compare-and-swaps.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_ATOMICMATH_H
#define TESSERA_CONVERSION_COMMON_ATOMICMATH_H

#include "Conversion/Common/MathBuilder.h"

#include "tessera-ir/Dialect/Tile/IR/TileEnums.h"

namespace tessera::ir {

/// What a read-modify-write of \p kind stores that finds \p old, both in code and of the dialect's type \p element.
Value combineAtomic(MathBuilder &m, tile::AtomicKind kind, Value old, Value value, Type element);

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_ATOMICMATH_H
