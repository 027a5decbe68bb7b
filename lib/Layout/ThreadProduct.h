//===- ThreadProduct.h - products that threads compute alone ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where no matrix unit multiplies, every thread computes the elements of the result that it holds: for each step of k
// it reads the elements of a in their rows and those of b in their columns from shared memory. The fewer these are for
// a product, the better: a thread has rows and columns in a square, in vectors of neighbours. The lanes of a warp read
// 8 vectors of rows and 4 of columns.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_THREADPRODUCT_H
#define TESSERA_LAYOUT_THREADPRODUCT_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

namespace tessera::layout {

/// Which operand of a product: a has the rows of the result, b its columns.
enum class ProductSide : std::uint8_t { A, B };

/// A result of \p shape, whose last two axes are rows and columns, over \p numWarps warps.
///
/// Neighbours among lanes differ in the column, every second two in the row: chips move twice as much where lanes 2i
/// and 2i + 1, or 4i and 4i + 2 and so on, read the same.
TileLayout threadAccumulator(std::span<const std::int64_t> shape, int numWarps, int warpSize);

/// What threads read of an operand for a result under \p accumulator, in \p steps steps of k from a multiple of them
/// on: registers are the bits of the step, then those of the result's registers that decide on the row or the column.
/// The other bits of k are those of blocks, behind the result's.
TileLayout threadOperand(const TileLayout &accumulator, ProductSide side, std::int64_t k, std::int64_t steps);

/// The flat index, in an operand, of what the result's element \p flat needs in step 0.
std::uint32_t threadOperandIndex(const TileLayout &accumulator, ProductSide side, std::int64_t k, std::uint32_t flat);

/// The buffer for an operand of elements of \p elementBytes, which is stored by threads that hold it as \p store. Words
/// lie so that neighbours in rows or columns are one access, whichever axis `store` has in a row; smaller elements so
/// that fewest accesses are made in all.
SharedLayout threadOperandBuffer(const TileLayout &store, const TileLayout &accumulator, ProductSide side,
                                 int elementBytes);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_THREADPRODUCT_H
