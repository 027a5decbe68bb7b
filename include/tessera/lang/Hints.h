//===- Hints.h - facts the user vouches for --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// They help the compiler choose wider accesses. A hint that is false is reported by the checks and otherwise makes the
// result unspecified (SEMANTICS P2). Kernel arguments need none: the launcher looks at their values.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_HINTS_H
#define TESSERA_LANG_HINTS_H

#include "tessera/lang/Tile.h"

namespace tessera {

/// \p x, of integers or pointers, with the promise that \p factor divides it; of a tile, that it divides the first
/// element of every aligned run (see max_contiguous) along its only axis. For pointers it counts elements. UsageError
/// for a factor below 1, for floats and for rank 2 and more, which take one factor an axis.
TESSERA_API Tile multiple_of(Operand x, std::int64_t factor, std::source_location at = std::source_location::current());
/// The same with one factor an axis.
TESSERA_API Tile multiple_of(Operand x, const Shape &factors,
                             std::source_location at = std::source_location::current());

/// \p x, a tile of integers or pointers, with the promise that elements count up by one within aligned runs of \p
/// length along its only axis.
TESSERA_API Tile max_contiguous(Operand x, std::int64_t length,
                                std::source_location at = std::source_location::current());
/// The same with one length an axis.
TESSERA_API Tile max_contiguous(Operand x, const Shape &lengths,
                                std::source_location at = std::source_location::current());

/// The promise that \p condition, an i1 scalar, holds.
TESSERA_API void assume(Operand condition, std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_HINTS_H
