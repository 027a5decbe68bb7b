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
// `ds_read_b64_tr_b16` and `ds_read_b64_tr_b8` of gfx950 read a matrix of 16 columns for each 16 lanes in a row, of 4
// rows of 2-byte elements or 8 rows of bytes. Lane s gives the address of the next 8 bytes of a row: 4 lanes, or 2,
// make up row 0, as many row 1 … Lane l gets column l, row 0 first. The ISA document of CDNA 4 leaves open who gets
// what; this is how Triton (`lowerDsReadTr`) and Composable Kernel (`LaneGroupTransposeTraits`) use them.
//
// Where rows, or pieces of them, lie is free, but for their alignment. So whether the registers of a tile can be moved
// this way is a question about the lowest bits of their offsets.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_MATRIXLOAD_H
#define TESSERA_LAYOUT_MATRIXLOAD_H

#include "Layout/Access.h"

#include <optional>

namespace tessera::layout {

/// Which of them a chip's warps load by.
enum class MatrixLoads : std::uint8_t {
  None,
  Rows,   ///< `ldmatrix`, by 32 lanes
  Columns ///< `ds_read_b64_tr_…`, by 64 lanes
};

/// How the registers of a thread are moved by such accesses.
struct MatrixAccess {
  MatrixLoads kind = MatrixLoads::Rows;
  bool isTransposed = false;
  std::uint32_t words = 1;        ///< that a lane gets: of Rows one of each matrix, 1, 2 or 4; of Columns 2
  std::uint32_t wordElements = 1; ///< elements in a word
  /// The registers of each access one after another: those of its first word from the low bits up, of its second …;
  /// registers that are copies are left out.
  std::vector<std::uint32_t> registers;
  /// Where rows, or pieces, begin: the offset that a lane gives for an access is what its lane, warp and block
  /// contribute by these columns, xor-ed with what `registers` contribute to the access' first register, which stay
  /// those of the elements.
  TileLayout::Bases rows;

  std::uint32_t accessElements() const { return words * wordElements; }
};

/// The accesses by \p loads, of as many matrices as can be, for elements of \p elementBytes bytes whose offsets in a
/// buffer, which begins at a multiple of 16 bytes, have the columns \p offsets. Nothing unless there are as many lanes
/// as they take and all registers can be moved so.
std::optional<MatrixAccess> matrixAccess(const TileLayout::Bases &offsets, int elementBytes,
                                         MatrixLoads loads = MatrixLoads::Rows, std::uint32_t maxMatrices = 4);

/// Threads as they give addresses for registers that they get by Columns.
struct ColumnSource {
  /// Registers are the elements of one address. What a thread gives other addresses for is as apart as other threads.
  TileLayout layout;
  std::int64_t addresses = 1; ///< that a thread gives
};
/// How elements of \p elementBytes bytes that threads are to get as \p layout are read from a buffer by Columns;
/// nothing where lanes or registers are too few. Which buffers allow it, matrixAccess() says.
std::optional<ColumnSource> columnSource(const TileLayout &layout, int elementBytes);

/// The wavefronts of one access, of \p banks banks of 4 bytes.
Wavefronts bankConflicts(const MatrixAccess &access, int elementBytes, int banks = 32);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_MATRIXLOAD_H
