//===- Sort.h - order along an axis, and counting --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One order for all of them (SEMANTICS R5): a NaN is above every number, so it is last in ascending and first in
// descending order; -0 and +0 are equal; equal elements keep their order in both directions.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_SORT_H
#define TESSERA_LANG_SORT_H

#include "tessera/lang/Combine.h"

namespace tessera {

/// Options of sort and argsort.
struct SortOptions {
  int axis = -1;              ///< the last by default
  bool descending = false;    ///< greatest first
  OptionalOperand valid = {}; ///< i1; elements where it is false go last in both directions, in their order
};

/// Options of topk.
struct TopKOptions {
  int axis = -1;              ///< the last by default
  bool smallest = false;      ///< the least elements, least first
  OptionalOperand valid = {}; ///< i1; elements where it is false rank behind all others
};

struct HistogramOptions {
  OptionalOperand mask = {}; ///< i1; elements where it is false are not counted
};

/// \p key sorted along an axis: floats, integers or i1, a tile of rank 1 to 5. `valid` broadcasts to its shape.
TESSERA_API Tile sort(Operand key, SortOptions options = {}, std::source_location at = std::source_location::current());

namespace detail {
/// The first of \p tiles is the key; the others move along.
TESSERA_API std::vector<Snapshot> sort(std::span<const Operand> tiles, const SortOptions &options,
                                       std::source_location at);
} // namespace detail

/// The key sorted and \p payload, of any dtype, moved along with it: `auto [k, p] = sort(key, payload)`. The payload
/// broadcasts to the shape of the key.
inline std::tuple<Tile, Tile> sort(Operand key, Operand payload, SortOptions options = {},
                                   std::source_location at = std::source_location::current()) {
  const Operand tiles[] = {key, payload};
  return detail::tilesOf(detail::sort(tiles, options, at), at, std::make_index_sequence<2>());
}
/// The same with any number of payloads: `auto [k, p, q] = sort(std::tuple{key, p0, q0})`.
template <detail::TupleLike Tiles>
auto sort(const Tiles &tiles, SortOptions options = {}, std::source_location at = std::source_location::current()) {
  constexpr auto each = std::make_index_sequence<std::tuple_size_v<Tiles>>();
  return detail::tilesOf(detail::sort(detail::operandsOf(tiles, at, each), options, at), at, each);
}

/// The indices, i32, along the axis that would sort \p key.
TESSERA_API Tile argsort(Operand key, SortOptions options = {},
                         std::source_location at = std::source_location::current());

/// What topk gives.
struct TopK {
  Tile values, indices;
};
/// The \p k greatest elements along an axis, greatest first, and their indices (i32) on it (SEMANTICS R5). \p k is 1 to
/// the extent, fixed at trace time. An extent being a power of two, the results have the least one that is at least
/// \p k: lanes from \p k on hold the elements that follow in the same order, the (k+1)-th greatest and so on. A NaN
/// counts as greater than every number: mark it not `valid` to pass it over.
TESSERA_API TopK topk(Operand x, int k, TopKOptions options = {},
                      std::source_location at = std::source_location::current());

/// How often each of 0 ... bins - 1 occurs in \p x, a tile of integers of any rank, as a 1-D tile of \p bins i32
/// (SEMANTICS R5). \p bins is a power of two; other values are dropped. `mask` broadcasts to the shape of \p x.
TESSERA_API Tile histogram(Operand x, std::int64_t bins, HistogramOptions options = {},
                           std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_SORT_H
