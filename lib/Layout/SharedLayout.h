//===- SharedLayout.h - where an element lies in a buffer ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_SHAREDLAYOUT_H
#define TESSERA_LAYOUT_SHAREDLAYOUT_H

#include "Layout/FlatIndex.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera::layout {

/// A layout of a tile in shared memory: a linear bijection over F2 from the flat row-major index of an element to its
/// offset in the buffer, counted in elements. A value; equal maps compare equal.
class SharedLayout {
public:
  /// A layout of a scalar.
  SharedLayout() = default;
  /// The layout with the given columns, of which `problemOf` must find nothing to say: `bases[k]` is the offset that
  /// bit k of the flat index contributes.
  SharedLayout(std::vector<std::int64_t> shape, std::vector<std::uint32_t> bases);
  /// What is wrong with such a layout, in words; empty if nothing is. Extents are powers of two, there is a column for
  /// each bit of the flat index, at most 30, and different indices have different offsets.
  static std::string problemOf(std::span<const std::int64_t> shape, std::span<const std::uint32_t> bases);

  /// Axes one after another, order[0] fastest.
  static SharedLayout inOrder(std::span<const std::int64_t> shape, std::span<const int> order);
  /// Axes in order, where the coordinate c of order[0] moves to `c ^ ((r / perPhase % maxPhase) * vec)` with r the
  /// coordinate of order[1]; the rank is at least 2. All numbers are powers of two, vec * maxPhase is at most the
  /// extent of order[0].
  static SharedLayout swizzled(std::span<const std::int64_t> shape, std::span<const int> order, std::int64_t vec,
                               std::int64_t perPhase, std::int64_t maxPhase);
  /// What TMA writes and wgmma reads: rows of `swizzleBytes` bytes of order[0], one after another along the other axes,
  /// then the next columns of this width; in each, chunks of 16 bytes are permuted by bits 7 and up of the address.
  /// `swizzleBytes` is 32, 64 or 128, and at most the bytes of order[0]'s extent.
  static SharedLayout tensorCopy(std::span<const std::int64_t> shape, std::span<const int> order, int swizzleBytes,
                                 int elementBytes);

  std::span<const std::int64_t> shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  std::int64_t elements() const { return std::int64_t{1} << bases_.size(); }
  std::span<const std::uint32_t> bases() const { return bases_; }
  /// The offset of the element with a flat index, and back.
  std::uint32_t offset(std::uint32_t flat) const { return combined(bases_, flat); }
  std::uint32_t flatAt(std::uint32_t offset) const { return combined(inverse_, offset); }
  /// The flat indices that single bits of the offset stand for.
  std::span<const std::uint32_t> inverse() const { return inverse_; }

  bool operator==(const SharedLayout &) const = default;
  std::size_t hash() const;
  /// What `#layout.shared<…>` prints between its brackets: "4x8, offsets = [1, 2, 4, 9, 18]", the columns; only the
  /// shape if they are those of row-major order. `parseSharedLayout` of LayoutText.h reads it.
  std::string str() const;

private:
  std::vector<std::int64_t> shape_;
  std::vector<std::uint32_t> bases_;
  std::vector<std::uint32_t> inverse_;
};

/// Axis i of the result is axis permutation[i] of the source, and every element stays at its place.
SharedLayout transposed(const SharedLayout &layout, std::span<const int> permutation);
/// The same map over \p shape of equally many elements.
SharedLayout reshaped(const SharedLayout &layout, std::span<const std::int64_t> shape);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_SHAREDLAYOUT_H
