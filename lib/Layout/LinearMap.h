//===- LinearMap.h - linear maps over F2 -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A number is taken as a vector of its bits. A linear map gives each bit of its input a column, and maps a number to
// the xor of the columns of its bits. Everything that a layout is asked comes down to equations between such maps.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_LINEARMAP_H
#define TESSERA_LAYOUT_LINEARMAP_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::layout {

class SharedLayout;
class TileLayout;

/// A linear map from numbers of `inBits` to numbers of `outBits`, each at most 64. A value; equal maps compare equal.
class LinearMap {
public:
  /// The map from nothing to nothing.
  LinearMap() = default;
  /// The map with the given columns, which are below 2^outBits.
  LinearMap(std::vector<std::uint64_t> columns, int outBits) : columns_(std::move(columns)), outBits_(outBits) {}
  static LinearMap identity(int bits);
  static LinearMap zero(int inBits, int outBits);
  /// Of the numbers register + (lane << bits) + …, in the order of dimensions, to the flat index of the element there.
  static LinearMap of(const TileLayout &layout);
  /// Of flat indices to offsets.
  static LinearMap of(const SharedLayout &layout);

  int inBits() const { return static_cast<int>(columns_.size()); }
  int outBits() const { return outBits_; }
  std::span<const std::uint64_t> columns() const { return columns_; }
  std::uint64_t operator()(std::uint64_t number) const;

  bool operator==(const LinearMap &) const = default;
  /// The columns in hexadecimal, lowest bit first: "[0x1 0x4] -> 3 bits".
  std::string str() const;

  // -- Facts. ---------------------------------------------------------------------------------------------------------

  int rank() const;
  bool isInjective() const { return rank() == inBits(); }
  bool isSurjective() const { return rank() == outBits(); }
  bool isIdentity() const { return *this == identity(inBits()); }
  /// A basis of the inputs that map to 0.
  std::vector<std::uint64_t> kernel() const;
  /// A basis of the outputs that are met: by falling leading bits, none of which another vector has.
  std::vector<std::uint64_t> image() const;
  /// Whether the bits of \p part map to themselves and no other bit maps to them.
  bool keeps(std::uint64_t part) const;

  // -- Other maps from this one. --------------------------------------------------------------------------------------

  /// First this map, then \p next, whose inputs are this one's outputs.
  LinearMap then(const LinearMap &next) const;
  /// The map of the inputs in \p mask alone, and that to the outputs in \p mask alone; the bits kept move together.
  LinearMap ofInputs(std::uint64_t mask) const;
  LinearMap toOutputs(std::uint64_t mask) const;
  /// The map on the bits outside \p part, which this map must keep.
  LinearMap quotient(std::uint64_t part) const;

  // -- Equations. Nothing where they have no solution. ----------------------------------------------------------------

  /// An input that maps to \p number.
  std::optional<std::uint64_t> solve(std::uint64_t number) const;
  /// A map X with `X.then(*this) == product`: the product divided by this map.
  std::optional<LinearMap> solve(const LinearMap &product) const;
  /// A map X with `X.then(*this)` the identity; this map is surjective.
  std::optional<LinearMap> rightInverse() const { return solve(identity(outBits_)); }
  /// The map that undoes this one from both sides; this map is a bijection.
  std::optional<LinearMap> inverse() const;

private:
  std::vector<std::uint64_t> columns_;
  int outBits_ = 0;
};

/// Both maps side by side: the low bits of the input go through \p low, the others through \p high.
LinearMap product(const LinearMap &low, const LinearMap &high);
/// The inputs of both, of which the outputs are added: the low bits go through \p low, the others through \p high.
LinearMap sum(const LinearMap &low, const LinearMap &high);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_LINEARMAP_H
