//===- Scan.h - running sums and their kin ---------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each element becomes the combination of all elements up to it along one axis, in order; with `.reverse`, of all
// elements from the last down to it. `.exclusive` leaves the element itself out: the result is moved by one place, and
// the first element is the identity, which is combined with nothing.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_SCAN_H
#define TESSERA_LANG_SCAN_H

#include "tessera/lang/Combine.h"
#include "tessera/lang/Math.h"

namespace tessera {

/// Options of cumsum and cumprod.
struct CumulativeOptions {
  int axis = -1;              ///< the last by default
  bool reverse = false;       ///< from the last element down
  bool exclusive = false;     ///< without the element itself
  DType dtype = {};           ///< of the result; see sum
  bool deterministic = false; ///< the same bits for every num_warps and layout
};

/// Options of cummax and cummin.
struct CumulativeExtremeOptions {
  int axis = -1;          ///< the last by default
  bool reverse = false;   ///< from the last element down
  bool exclusive = false; ///< without the element itself
  Nan nan = Nan::drop;    ///< whether a NaN is passed over or stays
};

/// Running sums; accumulation and the result's dtype are those of sum (SEMANTICS R1, R1a). The identity is 0.
TESSERA_API Tile cumsum(Operand x, CumulativeOptions options = {},
                        std::source_location at = std::source_location::current());
/// Running products; types as for sum. The identity is 1.
TESSERA_API Tile cumprod(Operand x, CumulativeOptions options = {},
                         std::source_location at = std::source_location::current());
/// The greatest element so far, of floats and integers, in their own type; NaN as for max (SEMANTICS R2). The identity
/// is the least value of the type, -inf where there is one. An element of an exclusive cummax
/// that has nothing but NaN before it is NaN; the first element is the identity even then.
TESSERA_API Tile cummax(Operand x, CumulativeExtremeOptions options = {},
                        std::source_location at = std::source_location::current());
/// The least element so far; the identity is the greatest value of the type.
TESSERA_API Tile cummin(Operand x, CumulativeExtremeOptions options = {},
                        std::source_location at = std::source_location::current());

/// The identity of an exclusive scan: a number, or one number a tile in braces.
class Identity {
public:
  Identity() = default;
  template <Number Literal> Identity(Literal number, std::source_location at = std::source_location::current()) {
    numbers.emplace_back(number, at);
  }
  Identity(std::initializer_list<Operand> list) : numbers(list) {}

  std::span<const Operand> list() const { return numbers; }

private:
  std::vector<Operand> numbers;
};

/// Options of scan.
struct ScanOptions {
  bool reverse = false;       ///< from the last element down
  bool exclusive = false;     ///< without the element itself; needs `.identity`
  Identity identity = {};     ///< what an exclusive scan starts with
  bool deterministic = false; ///< the same bits for every num_warps and layout
};

/// The running combination of the elements along \p axis by \p combine, a callable of two scalars that gives one. It
/// must be associative; elements keep their order, left to right (with `.reverse`, the later element is the left one)
/// (SEMANTICS R3). What \p combine may hold and how it is traced is said at reduce.
template <class Combine>
Tile scan(Operand x, int axis, Combine &&combine, const ScanOptions &options = {},
          std::source_location at = std::source_location::current()) {
  detail::CombineScope scope(std::span<const Operand>(&x, 1), axis, "scan", at);
  const auto combined = detail::traceCombine(scope, combine, at, std::make_index_sequence<1>());
  return Tile(
      scope.scan(combined, options.reverse, options.exclusive, options.identity.list(), options.deterministic)[0], at);
}
/// The same on several tiles at once, given and returned as a tuple; see reduce.
template <detail::TupleLike Values, class Combine>
auto scan(const Values &values, int axis, Combine &&combine, const ScanOptions &options = {},
          std::source_location at = std::source_location::current()) {
  constexpr auto each = std::make_index_sequence<std::tuple_size_v<Values>>();
  detail::CombineScope scope(detail::operandsOf(values, at, each), axis, "scan", at);
  const auto combined = detail::traceCombine(scope, combine, at, each);
  return detail::tilesOf(
      scope.scan(combined, options.reverse, options.exclusive, options.identity.list(), options.deterministic), at,
      each);
}

} // namespace tessera

#endif // TESSERA_LANG_SCAN_H
