//===- OperandBuffer.h - the buffer from which warps multiply --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_OPERANDBUFFER_H
#define TESSERA_LAYOUT_OPERANDBUFFER_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

namespace tessera::layout {

/// How a buffer is written and read.
struct BufferUse {
  bool keepsOrder = false;   ///< what moves words of memory may write it
  bool loadsMatrices = true; ///< there are loads of matrices
  int loadBanks = 32;        ///< serve loads at once
  int axis = -1;             ///< if fragments are read in steps along it: the axis from the last one
  std::int64_t step = 0;     ///< and elements of a step
};

/// The buffer for a matrix, or several along a first axis, of elements of \p elementBytes that is stored by threads
/// that hold it as \p store, and whose warps read fragments as \p load.
///
/// It is one of those that tensor copies write, with either axis contiguous, or that of chooseSwizzle(): the cheapest
/// where loads of matrices are possible, or else of all. If it keeps order, it comes first that words of neighbours in
/// the registers of \p store stay neighbours. Where fragments are read in steps and not by loads of matrices, no access
/// has elements of two steps.
SharedLayout operandBuffer(const TileLayout &store, const TileLayout &load, int elementBytes, const BufferUse &use);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_OPERANDBUFFER_H
