//===- MatrixLoad.h - accesses that a warp makes together ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `ldmatrix` and `stmatrix` move one, two or four matrices of 8 rows by 16 bytes between shared memory and a word of
// each lane. Lane 8 i + r gives the address of row r of matrix i. Word i of lane l is
//
//   plain         four bytes of row l / 4 of matrix i, from byte 4 (l % 4) on
//   transposed    two bytes of each of the rows 2 (l % 4) and 2 (l % 4) + 1, from byte 2 (l / 4) on
//
// Where rows lie is free, but for their alignment. So whether the registers of a tile can be moved this way is a
// question about the lowest bits of their offsets.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_MATRIXLOAD_H
#define TESSERA_LAYOUT_MATRIXLOAD_H

#include "Layout/Access.h"

#include <optional>

namespace tessera::layout {

/// How the registers of a thread are moved by such accesses.
struct MatrixAccess {
  bool isTransposed = false;
  std::uint32_t matrices = 1;     ///< of an access: 1, 2 or 4
  std::uint32_t wordElements = 1; ///< elements in a word
  /// The registers of each access one after another: those of its first word from the low bits up, of its second …;
  /// registers that are copies are left out.
  std::vector<std::uint32_t> registers;
  /// Where rows begin: the offset that a lane gives for an access is what its lane, warp and block contribute by these
  /// columns, xor-ed with what `registers` contribute to the access' first register, which stay those of the elements.
  TileLayout::Bases rows;

  std::uint32_t accessElements() const { return matrices * wordElements; }
};

/// The accesses, of as many matrices as can be, for elements of \p elementBytes bytes whose offsets in a buffer, which
/// begins at a multiple of 16 bytes, have the columns \p offsets. Nothing unless there are 32 lanes and all registers
/// can be moved so.
std::optional<MatrixAccess> matrixAccess(const TileLayout::Bases &offsets, int elementBytes,
                                         std::uint32_t maxMatrices = 4);

/// The wavefronts of one access.
Wavefronts bankConflicts(const MatrixAccess &access, int elementBytes);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_MATRIXLOAD_H
