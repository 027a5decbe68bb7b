//===- Swizzle.h - the buffer between two layouts --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_SWIZZLE_H
#define TESSERA_LAYOUT_SWIZZLE_H

#include "Layout/Access.h"

#include <optional>

namespace tessera::layout {

/// A buffer that a tile goes through, and how many elements an access to it has: `widestAccess` of either side.
struct Swizzle {
  SharedLayout shared;
  std::uint32_t storeElements = 1, loadElements = 1;

  bool operator==(const Swizzle &) const = default;
};

/// The buffer for a tile of elements of \p elementBytes (at most 8) that is stored by threads that hold it as \p store
/// and loaded \p loads times by threads that hold it as \p load, from \p loadBanks banks; 32 serve stores.
///
/// Of all pairs of widths up to \p maxBytes (at most 16), that with the fewest wavefronts and instructions together.
/// Of 32 banks, accesses of one width on both sides have no bank conflict, always; a wider one on one side may have
/// some on the other where this is cheaper in all, and `bankConflicts` counts them. That there is no better one is
/// proven for equal widths; for others searches found none.
Swizzle chooseSwizzle(const TileLayout &store, const TileLayout &load, int elementBytes, int maxBytes = 16,
                      std::int64_t loads = 1, int loadBanks = 32);

/// The same where each load must have \p loadBytes bytes; nothing where that cannot be.
std::optional<Swizzle> chooseSwizzleForLoadsOf(int loadBytes, const TileLayout &store, const TileLayout &load,
                                               int elementBytes, std::int64_t loads, int loadBanks);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_SWIZZLE_H
