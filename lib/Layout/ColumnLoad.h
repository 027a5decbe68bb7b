//===- ColumnLoad.h - lanes that exchange what they read -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_COLUMNLOAD_H
#define TESSERA_LAYOUT_COLUMNLOAD_H

#include "Layout/MatrixLoad.h"

namespace tessera::layout {

/// The bytes for which a lane gives an address, and as many as it gets.
inline constexpr int kColumnBytes = 8;

/// matrixAccess() of MatrixLoads::Columns.
std::optional<MatrixAccess> columnAccess(const TileLayout::Bases &offsets, int elementBytes);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_COLUMNLOAD_H
