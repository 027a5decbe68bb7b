//===- TileLayout.h - which thread holds which element ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A tile is spread over the registers of lanes of warps of the blocks of a cluster. All of these come in
// powers of two, and so do a tile's extents; the map from (register, lane, warp, block) to the element held there is
// linear over F2: it is given by what each single bit of the inputs contributes, and contributions combine by xor.
//
// The element is named by its flat row-major index, whose bits are those of the last axis first.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_TILELAYOUT_H
#define TESSERA_LAYOUT_TILELAYOUT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::layout {

/// Where a copy of an element is held.
enum class Dim : std::uint8_t { Register, Lane, Warp, Block };
inline constexpr std::array<Dim, 4> kDims{Dim::Register, Dim::Lane, Dim::Warp, Dim::Block};
/// "register", "lane", "warp", "block".
std::string_view nameOf(Dim dim);

/// A layout of a tile. A value; equal maps compare equal.
class TileLayout {
public:
  /// A layout of a scalar held once by one thread.
  TileLayout() = default;
  /// The columns: `bases[dim][k]` is the flat index that bit k of `dim` contributes.
  using Bases = std::array<std::vector<std::uint32_t>, 4>;
  /// The layout with the given columns, of which `problemOf` must find nothing to say.
  TileLayout(std::vector<std::int64_t> shape, Bases bases);
  /// What is wrong with such a layout, in words; empty if nothing is. Extents are powers of two, columns are below the
  /// number of elements and together span all of them; 30 bits are enough for elements and each dimension, 60 for all
  /// dimensions together.
  static std::string problemOf(std::span<const std::int64_t> shape, const Bases &bases);

  /// `perThread[a]` neighbouring elements of axis a in a thread, `lanes[a]` lanes and `warps[a]` warps along it; axis
  /// order[0] varies fastest. All are powers of two. What the tile has more is repeated in registers; where it has
  /// less, lanes and warps hold copies, and threads have fewer registers.
  static TileLayout blocked(std::span<const std::int64_t> shape, std::span<const std::int64_t> perThread,
                            std::span<const std::int64_t> lanes, std::span<const std::int64_t> warps,
                            std::span<const int> order);

  std::span<const std::int64_t> shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  std::int64_t elements() const;
  std::span<const std::uint32_t> bases(Dim dim) const { return bases_[static_cast<std::size_t>(dim)]; }
  int bits(Dim dim) const { return static_cast<int>(bases(dim).size()); }
  std::uint32_t size(Dim dim) const { return std::uint32_t{1} << bits(dim); }

  /// The flat index of the element there. Bits above a dimension's own change nothing: who has no bits holds copies.
  std::uint32_t at(std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block = 0) const;
  /// The coordinate on \p axis of a flat index, the bits of flat indices that belong to the axis, and their lowest.
  std::int64_t coordinate(std::uint32_t flat, int axis) const;
  std::uint32_t axisMask(int axis) const;
  int axisShift(int axis) const;

  /// The bits of \p dim that only make copies: those whose column lies in the span of the columns before it, taking
  /// dimensions in the order register, lane, warp, block.
  std::uint32_t copyMask(Dim dim) const;

  bool operator==(const TileLayout &) const = default;
  std::size_t hash() const;
  /// What `#layout.tile<…>` prints between its brackets: "4x128, register = [(0, 1), (0, 2)], lane = [(0, 4), …]", the
  /// columns as coordinates. `parseTileLayout` of LayoutText.h reads it.
  std::string str() const;

private:
  std::vector<std::int64_t> shape_;
  Bases bases_;
};

// -- Layouts of results from those of sources, and back; all keep who holds what. -------------------------------------

/// The same map over \p shape of equally many elements: reshape, expand_dims of an axis of extent 1.
TileLayout reshaped(const TileLayout &layout, std::span<const std::int64_t> shape);
/// Axis i of the result is axis permutation[i] of the source.
TileLayout transposed(const TileLayout &layout, std::span<const int> permutation);
/// The axis dropped: columns lose their bits of it. What differs only there becomes copies.
TileLayout withoutAxis(const TileLayout &layout, int axis);
/// Coordinates on the axes where \p shape has extent 1 become 0: the source of a broadcast to the layout's shape.
TileLayout squeezed(const TileLayout &layout, std::span<const std::int64_t> shape);
/// Fewer registers: drops register bits that only make copies.
TileLayout withoutRegisterCopies(const TileLayout &layout);

// -- Accesses ---------------------------------------------------------------------------------------------------------

/// The largest power of two of neighbouring registers, from register 0 on, that hold neighbouring elements of \p axis,
/// in this order, in every thread and again in each of the next such groups of registers.
std::uint32_t contiguousRegisters(const TileLayout &layout, int axis);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_TILELAYOUT_H
