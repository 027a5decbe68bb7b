//===- Program.h - the grid and this program's place in it -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_PROGRAM_H
#define TESSERA_LANG_PROGRAM_H

#include "tessera/lang/Scalar.h"

namespace tessera {

/// The index of this program along \p axis (0, 1 or 2) of the grid, 64-bit (SEMANTICS P1).
TESSERA_API Int program_id(int axis, std::source_location at = std::source_location::current());
/// The extent of the grid along \p axis.
TESSERA_API Int num_programs(int axis, std::source_location at = std::source_location::current());

/// A place in a two-dimensional arrangement of blocks: `auto [pm, pn] = grouped_program_id(...)`.
struct ProgramPlace {
  Int m, n;
};
/// Program 0's axis as a place among \p blocks_m x \p blocks_n blocks, walked in stripes of \p group rows so that
/// programs that run together share operands in the cache. Any \p group of at least 1 visits every place once.
TESSERA_API ProgramPlace grouped_program_id(Int blocks_m, Int blocks_n, Int group,
                                            std::source_location at = std::source_location::current());

/// `first, first + 1, ... last - 1` as a 1-D tile of i32 (SEMANTICS S2). Both ends are fixed at trace time and
/// `last - first` is a power of two; otherwise a UsageError that names the next one.
TESSERA_API Tile arange(std::int64_t first, std::int64_t last,
                        std::source_location at = std::source_location::current());

/// A tile filled with zeros, or with false.
TESSERA_API Tile zeros(DType dtype, const Shape &shape, std::source_location at = std::source_location::current());
/// A tile filled with ones, or with true.
TESSERA_API Tile ones(DType dtype, const Shape &shape, std::source_location at = std::source_location::current());
/// A tile filled with \p value: a literal in the range of \p dtype, or a scalar, which is converted if that is
/// lossless.
TESSERA_API Tile full(DType dtype, const Shape &shape, Operand value,
                      std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_PROGRAM_H
