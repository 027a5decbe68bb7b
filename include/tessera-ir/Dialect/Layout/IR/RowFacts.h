//===- RowFacts.h - what is known of rows of numbers -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A row whose exponentials are counted from its maximum and divided by their sum says things about its numbers that an
// op alone does not: they are noted on the ops while rows are still whole.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_ROWFACTS_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_ROWFACTS_H

#include "llvm/ADT/StringRef.h"

namespace tessera::ir::layout {

/// A unit on `math.exp`: arguments are at most 0, or NaN, and results only add to a sum of at least 1, or are parts of
/// one, or themselves, that are rounded to f16. So those below 2^-26 count by their absolute error alone: one of 2^-49
/// is not told from none.
inline constexpr llvm::StringLiteral kBesideOne{"layout.beside_one"};

/// A unit on `math.exp`: arguments are at most 0, or NaN, and results are only added up and divided by their sum, of
/// which nothing else is made. So what all of them lack in proportion is not seen.
inline constexpr llvm::StringLiteral kSeenAsParts{"layout.seen_as_parts"};

/// A unit on `arith.divf`: each divisor is 1 to 2^21, or NaN, and no dividend is negative or above it, but maybe NaN.
inline constexpr llvm::StringLiteral kPartOfSum{"layout.part_of_sum"};

} // namespace tessera::ir::layout

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_ROWFACTS_H
