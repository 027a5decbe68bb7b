//===- Combine.h - tracing a combine function ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What `reduce` and `scan` share: the user's function on single elements becomes a region, traced once.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_COMBINE_H
#define TESSERA_LANG_COMBINE_H

#include "tessera/lang/ControlFlow.h"

#include <array>
#include <span>
#include <tuple>
#include <vector>

namespace tessera::detail {

/// What knows its number of elements: std::tuple, std::pair, std::array.
template <class Type>
concept TupleLike = requires { std::tuple_size<Type>::value; };

/// A combine function being traced. Made with the tiles to combine; then the user's function runs on argument(0 ...);
/// its results, one a tile, make the operation.
class TESSERA_API CombineScope : RegionScope {
public:
  /// \p verb names the operation in messages.
  CombineScope(std::span<const Operand> tiles, int axis, const char *verb, std::source_location at);
  /// The value of an element: the left ones of all tiles first, then the right ones.
  Tile argument(std::size_t index) const;
  /// Close the region, make the operation and give its results, one a tile.
  std::vector<Snapshot> reduce(std::span<const Operand> results, bool keepDims, bool deterministic);
  /// \p identity is a number for each tile, and empty if not \p exclusive.
  std::vector<Snapshot> scan(std::span<const Operand> results, bool reverse, bool exclusive,
                             std::span<const Operand> identity, bool deterministic);

private:
  std::vector<Snapshot> inputs, arguments;
  std::int32_t axis = 0;
  const char *verb;
  std::source_location at;
};

template <class Combine, std::size_t... Index>
auto callCombine(const CombineScope &scope, Combine &combine, std::index_sequence<Index...>) {
  static_assert(
      requires { combine(scope.argument(Index)...); },
      "the combine function takes two scalars for each tile: all left values, then all right values, as "
      "Tile or as the scalar type of the tile's dtype");
  return combine(scope.argument(Index)...);
}

/// What \p combine makes of the arguments, one operand a tile.
template <class Combine, std::size_t... Index>
std::array<Operand, sizeof...(Index)> traceCombine(const CombineScope &scope, Combine &combine, std::source_location at,
                                                   std::index_sequence<Index...>) {
  const auto results = callCombine(scope, combine, std::make_index_sequence<2 * sizeof...(Index)>());
  using Results = std::remove_const_t<decltype(results)>;
  if constexpr (TupleLike<Results>) {
    static_assert(std::tuple_size<Results>::value == sizeof...(Index),
                  "the combine function returns as many values as there are tiles");
    return {Operand(std::get<Index>(results), at)...};
  } else {
    static_assert(sizeof...(Index) == 1, "the combine function returns a std::tuple of one value for each tile");
    static_assert(std::constructible_from<Operand, const Results &, std::source_location>,
                  "the combine function returns the combined value: a traced scalar or a number");
    return {Operand(results, at)};
  }
}

/// The elements of a tuple as operands.
template <class Values, std::size_t... Index>
std::array<Operand, sizeof...(Index)> operandsOf(const Values &values, std::source_location at,
                                                 std::index_sequence<Index...>) {
  return {Operand(std::get<Index>(values), at)...};
}

/// The results as a tuple of as many tiles.
template <std::size_t... Index>
auto tilesOf(const std::vector<Snapshot> &values, std::source_location at, std::index_sequence<Index...>) {
  return std::tuple(Tile(values[Index], at)...);
}

} // namespace tessera::detail

#endif // TESSERA_LANG_COMBINE_H
