//===- AxisBits.h - who tells the elements of an axis apart ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What works along an axis (reductions, scans, sorts) goes bit by bit of the axis' coordinate, and asks of each bit
// whether registers, lanes or warps differ in it. Layouts in which this has one answer are called plain on the axis.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_AXISBITS_H
#define TESSERA_LAYOUT_AXISBITS_H

#include "Layout/TileLayout.h"

#include <optional>

namespace tessera::layout {

/// Bit \p bit of the numbers of \p dim.
struct Holder {
  Dim dim = Dim::Register;
  int bit = 0;
  bool operator==(const Holder &) const = default;
};

/// For each bit of the coordinate on \p axis, from the lowest, whose column it is. Nothing unless the layout is plain
/// on the axis: each column has no bit of the axis, or is one single bit of it that no other column has.
std::optional<std::vector<Holder>> axisHolders(const TileLayout &layout, int axis);

/// Whether elements along \p axis meet only between threads of different warps or programs: some column of these has a
/// bit of the axis.
bool spansWarps(const TileLayout &layout, int axis);

/// Which bits of an axis lie between warps.
enum class AxisWarps : std::uint8_t {
  None,
  Highest, ///< as many of the highest ones as the other axes leave to warps
  Lowest,  ///< the lowest ones likewise
};

/// A layout of the shape of \p like for as many threads, plain on all axes: warps lie along the other axes first, and
/// along \p axis as \p warps says; lanes along the axis first.
TileLayout alongAxis(const TileLayout &like, int axis, AxisWarps warps = AxisWarps::None);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_AXISBITS_H
