//===- LayoutText.h - layouts as text --------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_LAYOUTTEXT_H
#define TESSERA_LAYOUT_LAYOUTTEXT_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

#include <optional>
#include <string_view>

namespace tessera::layout {

/// Why a text is no layout.
struct TextProblem {
  std::string words;
  std::size_t column = 0; ///< of the text, from 0

  /// The words, then the text with a caret under the column.
  std::string str(std::string_view text) const;
};

/// Reads a layout of a tile: the columns, as the attribute prints them, or one of the named constructors. Parts in
/// brackets may be left out; grids are of lanes or warps along the axes.
///
///   [#layout.tile<]4x128, register = [(0, 1), …], lane = […], warp = […], block = […][>]
///   blocked 16x64 thread 1x4 lanes 4x8 [warps 4x1] [order 1,0]
///   mma accumulator 64x64 [bits 32] [warps 2x2]
///   mma a 64x32 [bits 16] [warps 2x2]
///   mma b 32x64 [bits 16] [warps 2x2]
///   wgmma accumulator 64x128 [bits 32] [warps 4x1]
///   wgmma a 64x32 [bits 16] [warps 4x1]
///
/// Nothing if the text is not one, and then \p problem says why.
std::optional<TileLayout> parseTileLayout(std::string_view text, TextProblem &problem);

/// Reads a layout of a buffer:
///
///   [#layout.shared<]4x8[, offsets = [1, 2, 4, 9, 18]][>]
///   plain 32x32 [order 1,0]
///   swizzled 64x64 vec 8 per_phase 1 max_phase 8 [order 1,0]
///   tensor_copy 64x64 swizzle 128 element 2 [order 1,0]
std::optional<SharedLayout> parseSharedLayout(std::string_view text, TextProblem &problem);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_LAYOUTTEXT_H
