//===- Shape.h - moving elements without computing on them -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every result is a tile of SEMANTICS T2: rank 0 to 5, extents powers of two, at most 2^20 elements; otherwise a
// UsageError. Elements may be of any dtype, pointers included, and keep their bits. An axis below 0 counts from the
// end. (The type `Shape`, a list of extents, is in core/Shape.h.)
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_SHAPE_H
#define TESSERA_LANG_SHAPE_H

#include "tessera/lang/Ptr.h"

namespace tessera {

/// The elements of \p x in row-major order under another shape with as many elements (SEMANTICS S1). `{}` makes a
/// scalar of a tile of one element. UsageError when the numbers of elements differ.
TESSERA_API Tile reshape(Operand x, const Shape &shape, std::source_location at = std::source_location::current());

/// \p x with its axes permuted: axis i of the result is axis `permutation[i]` of \p x. Without a permutation the last
/// two axes change places (SEMANTICS S1). UsageError when \p permutation does not name each axis once, and for a rank
/// below 2 without one.
TESSERA_API Tile trans(Operand x, const Shape &permutation = {},
                       std::source_location at = std::source_location::current());

/// \p a and \p b side by side on a new last axis of extent 2 (SEMANTICS S1): of shapes [n] an [n, 2]. Shapes broadcast
/// and dtypes promote as for `+`; two scalars give a tile of two elements.
TESSERA_API Tile join(Operand a, Operand b, std::source_location at = std::source_location::current());

/// What split gives: `auto [even, odd] = split(pairs)`.
struct Halves {
  Tile first, second;
};
/// The two halves of a last axis of extent 2, without that axis; undoes join (SEMANTICS S1). UsageError when the last
/// extent is not 2.
TESSERA_API Halves split(Operand x, std::source_location at = std::source_location::current());

/// The elements of \p a, then those of \p b, along \p axis (SEMANTICS S1). Both have one shape, since the doubled
/// extent must be a power of two; dtypes promote as for `+`. UsageError for scalars, which join puts together.
TESSERA_API Tile cat(Operand a, Operand b, int axis, std::source_location at = std::source_location::current());

/// \p x with the order of elements along \p axis reversed; along the last axis by default (SEMANTICS S1).
TESSERA_API Tile flip(Operand x, int axis = -1, std::source_location at = std::source_location::current());

/// The elements of \p a and \p b in turn along the last axis, whose extent doubles: a0 b0 a1 b1 ... (SEMANTICS S3).
/// Shapes broadcast and dtypes promote as for `+`; two scalars give a tile of two elements.
TESSERA_API Tile interleave(Operand a, Operand b, std::source_location at = std::source_location::current());

/// The box of \p x that starts at \p offsets and has the extents \p sizes, all fixed at trace time, sizes powers of two
/// (SEMANTICS S3). One number an axis. UsageError when the box is not inside \p x.
TESSERA_API Tile slice(Operand x, const Shape &offsets, const Shape &sizes,
                       std::source_location at = std::source_location::current());

/// \p x with the box that starts at \p offsets replaced by \p value, which has the rank of \p x and a dtype that
/// converts to that of \p x without loss (SEMANTICS S3). \p x itself is unchanged.
TESSERA_API Tile insert(Operand x, Operand value, const Shape &offsets,
                        std::source_location at = std::source_location::current());

/// Elements of \p x picked along \p axis: `result[i, j] = x[index[i, j], j]` for axis 0 of rank 2 (SEMANTICS S3). \p
/// index is a tile of integers with the rank of \p x; on the other axes its extents are those of \p x, or 1 and
/// repeated. An index outside the extent is reported by the checks and otherwise gives an unspecified element.
TESSERA_API Tile gather(Operand x, Operand index, int axis, std::source_location at = std::source_location::current());

/// The part of \p x at \p index on \p axis, without that axis; of a 1-D tile a scalar (SEMANTICS S3). A number outside
/// the extent is a UsageError; a run-time index outside it is reported by the checks and otherwise gives unspecified
/// elements.
TESSERA_API Tile extract_at(Operand x, int axis, IndexOperand index,
                            std::source_location at = std::source_location::current());

/// \p x with the part at \p index on \p axis replaced by \p value, which broadcasts to the shape of \p x without that
/// axis and converts to its dtype without loss (SEMANTICS S3). Indices as for extract_at.
TESSERA_API Tile insert_at(Operand x, int axis, IndexOperand index, Operand value,
                           std::source_location at = std::source_location::current());

/// \p x with an axis of extent 1 inserted before \p axis, 0 to the rank; -1 appends one. See also Tile::row and col.
TESSERA_API Tile expand_dims(Operand x, int axis, std::source_location at = std::source_location::current());

/// \p x repeated to \p shape by NumPy's rule (SEMANTICS M2): axes are matched from the last, extents of 1 and missing
/// axes repeat. UsageError when another extent differs.
TESSERA_API Tile broadcast_to(Operand x, const Shape &shape, std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_SHAPE_H
