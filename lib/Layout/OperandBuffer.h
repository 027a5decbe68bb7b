//===- OperandBuffer.h - the buffer from which warps multiply --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_OPERANDBUFFER_H
#define TESSERA_LAYOUT_OPERANDBUFFER_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

namespace tessera::layout {

/// The buffer for a matrix, or several along a first axis, of elements of \p elementBytes that is stored by threads
/// that hold it as \p store, and whose warps read fragments as \p load, which is also done by loads of matrices.
///
/// It is one of those that tensor copies write, with either axis contiguous, or that of chooseSwizzle(): the cheapest
/// where loads of matrices are possible, or else of all. If it \p keepsOrder, it comes first that words of neighbours
/// in the registers of \p store stay neighbours: what moves words of memory can write them then.
SharedLayout operandBuffer(const TileLayout &store, const TileLayout &load, int elementBytes, bool keepsOrder);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_OPERANDBUFFER_H
