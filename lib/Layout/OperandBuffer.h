//===- OperandBuffer.h - the buffer from which warps multiply --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_OPERANDBUFFER_H
#define TESSERA_LAYOUT_OPERANDBUFFER_H

#include "Layout/MatrixLoad.h"
#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

namespace tessera::layout {

/// How a buffer is written and read.
struct BufferUse {
  bool keepsOrder = false;               ///< what moves words of memory may write it
  MatrixLoads loads = MatrixLoads::Rows; ///< of matrices
  int loadBanks = 32;                    ///< serve loads at once
  int straightBytes = 0; ///< of an access of copies that go straight into it (StraightCopy.h); 0 if none may
  int axis = -1;         ///< if fragments are read in steps along it: the axis from the last one
  std::int64_t step = 0; ///< and elements of a step
};

/// The buffer for a matrix, or several along a first axis, of elements of \p elementBytes that is stored by threads
/// that hold it as \p store, and whose warps read fragments as \p load.
///
/// It is one of those that tensor copies write, with either axis contiguous, or that of chooseSwizzle() for the
/// fragments or for the addresses of loads by Columns: the cheapest where loads by Rows are possible, or else of all.
/// If it keeps order, it comes first that words of neighbours in the registers of \p store stay neighbours. Where
/// fragments are read in steps and not by Rows, no access has elements of two steps. Where copies may go straight into
/// it, rows of other swizzles are tried, too, and what such copies cost is the lines of memory that they touch.
SharedLayout operandBuffer(const TileLayout &store, const TileLayout &load, int elementBytes, const BufferUse &use);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_OPERANDBUFFER_H
