//===- Box.h - parts of a tile in the threads that hold the whole --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A box of a tile starts at an offset on each axis and has an extent on each. Cutting one out, or putting one in, is
// free where each thread holds of the box what it holds of the whole.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_BOX_H
#define TESSERA_LAYOUT_BOX_H

#include "Layout/TileLayout.h"

#include <optional>
#include <utility>

namespace tessera::layout {

/// What stands in boxRegisters() for registers that hold nothing of the box.
inline constexpr std::uint32_t kOutsideBox = ~std::uint32_t{0};

/// For each register of \p whole that of \p box that holds the same element in every thread, or kOutsideBox where the
/// element is outside. Nothing unless all of \p box is found so in each thread.
std::optional<std::vector<std::uint32_t>> boxRegisters(const TileLayout &whole, const TileLayout &box,
                                                       std::span<const std::int64_t> offsets);

/// A layout of the box with extents \p shape in which each thread holds what it holds of \p whole. Nothing where
/// threads differ in whether they hold something of it, or where none is found.
std::optional<TileLayout> boxLayout(const TileLayout &whole, std::span<const std::int64_t> offsets,
                                    std::span<const std::int64_t> shape);

/// A layout of \p whole in which each thread holds something of every part that has \p extent elements along \p axis:
/// what threads differed by there is exchanged for what registers do. Nothing where registers do not suffice.
std::optional<TileLayout> layoutOfParts(const TileLayout &whole, int axis, std::int64_t extent);

/// The register and the lane that differ from 0 by all bits of \p axis: where the mirror image of an element is, xor-ed
/// to where it is. Nothing if it is in another warp.
std::optional<std::pair<std::uint32_t, std::uint32_t>> mirrorHolder(const TileLayout &layout, int axis);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_BOX_H
