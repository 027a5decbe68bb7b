//===- StraightCopy.h - copies that go where lanes stand -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A copy from memory straight to shared memory, past the registers, has one place there for the whole warp: what lane l
// brings goes l accesses behind it. So it is the buffer that says which lane brings which element: lanes and registers
// are bits of the offset, and the element is found by the inverse of the buffer's map. Where elements are swizzled, it
// is the addresses in memory that are.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_STRAIGHTCOPY_H
#define TESSERA_LAYOUT_STRAIGHTCOPY_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

#include <optional>

namespace tessera::layout {

/// Whether lanes can bring \p bytes each at a time, where \p widest is the most and 0 says that there are no such
/// copies.
constexpr bool isStraightWidth(std::int64_t bytes, int widest) {
  return widest != 0 && (bytes == 4 || bytes == widest);
}

/// The layout in which \p warps warps of \p lanes lanes fill a buffer of \p shared, \p elements at a time: each access
/// of a warp fills the next stretch, warps side by side. Nothing if there is not an access for each warp.
std::optional<TileLayout> straightLayout(const SharedLayout &shared, std::uint32_t elements, std::uint32_t lanes,
                                         std::uint32_t warps);

/// Whether accesses of \p elements registers, from a multiple of it on, by all lanes of a warp that holds a buffer of
/// \p shared as \p layout fill a stretch of it, lane by lane, and no two of them the same.
bool isStraight(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements);

/// How many lines of memory an access of \p elements registers by all lanes of a warp touches, if a line holds
/// \p lineElements neighbours along \p axis.
std::uint32_t linesOfAccess(const TileLayout &layout, std::uint32_t elements, int axis, std::uint32_t lineElements);

/// straightLayout() for a tile of elements of \p elementBytes that threads load as \p loaded, \p elements at a time.
/// Nothing if these do not lie together in the buffer, or if accesses would touch more lines of memory.
struct StraightCopy {
  TileLayout layout;
  std::uint32_t lines = 0; ///< that an access touches
};
std::optional<StraightCopy> straightCopy(const TileLayout &loaded, const SharedLayout &shared, std::uint32_t elements,
                                         int elementBytes);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_STRAIGHTCOPY_H
