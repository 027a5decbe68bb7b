//===- Reduce.h - combining elements along axes ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Reductions drop the axes they work along; reducing all axes, the default, gives a scalar. The order of combining is
// free, so the last bits of a float sum may depend on num_warps, never on the run; `.deterministic` fixes them for the
// block's shape (SEMANTICS R4). No axis is ever empty.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_REDUCE_H
#define TESSERA_LANG_REDUCE_H

#include "tessera/lang/Combine.h"
#include "tessera/lang/Math.h"

namespace tessera {

/// Which axes a reduction works along: one, several (`{0, 2}`), or all of them, the default. One below 0 counts from
/// the end.
class Axes {
public:
  constexpr Axes() = default;
  template <std::integral Integer> constexpr Axes(Integer axis) : axes{axis}, everything(false) {}
  constexpr Axes(std::initializer_list<Shape::Extent> list) : axes(list), everything(false) {}

  constexpr bool isAll() const { return everything; }
  /// The axes as written; none if isAll().
  constexpr const Shape &list() const { return axes; }

private:
  Shape axes;
  bool everything = true;
};

/// Options of any, all and xor_sum.
struct ReduceOptions {
  Axes axis = {};         ///< all axes when not given
  bool keep_dims = false; ///< reduced axes stay, with extent 1
};

/// Options of sum and prod.
struct SumOptions {
  Axes axis = {};             ///< all axes when not given
  bool keep_dims = false;     ///< reduced axes stay, with extent 1
  DType dtype = {};           ///< of the result; see sum
  bool deterministic = false; ///< the same bits for every num_warps and layout
};

/// Options of max, min, argmax and argmin.
struct ExtremeOptions {
  Axes axis = {};         ///< all axes when not given
  bool keep_dims = false; ///< reduced axes stay, with extent 1
  Nan nan = Nan::drop;    ///< whether a NaN is passed over or wins
};

/// The sum (SEMANTICS R1). f16, bf16 and fp8 accumulate in f32 and round once to their own type; integers under 32 bits
/// sum in 32 bits and give i32 or u32; i1 counts its true elements as i32. `.dtype` chooses another result: the sum is
/// formed in the wider of it, the type above and the elements' type, and converted once. UsageError for pointers.
TESSERA_API Tile sum(Operand x, SumOptions options = {}, std::source_location at = std::source_location::current());
/// The product; types as for sum (SEMANTICS R1a).
TESSERA_API Tile prod(Operand x, SumOptions options = {}, std::source_location at = std::source_location::current());

/// The greatest element, in the type of \p x: floats (+0 above -0) and integers. NaN is dropped, and wins only if all
/// elements are NaN, unless `.nan = Nan::propagate` (SEMANTICS R2). UsageError for i1, which `any` reduces. For the
/// greater of two tiles see maximum.
TESSERA_API Tile max(Operand x, ExtremeOptions options = {}, std::source_location at = std::source_location::current());
/// The least element; see max. UsageError for i1, which `all` reduces.
TESSERA_API Tile min(Operand x, ExtremeOptions options = {}, std::source_location at = std::source_location::current());

/// The index, i32, of the greatest element along one axis; over all axes, its place in row-major order. The lowest
/// index among equals; a NaN never wins unless all elements are NaN (then index 0), or, with `.nan = Nan::propagate`,
/// the first NaN wins (SEMANTICS R2). Several axes, but not all, are a UsageError.
TESSERA_API Tile argmax(Operand x, ExtremeOptions options = {},
                        std::source_location at = std::source_location::current());
/// The index of the least element; see argmax.
TESSERA_API Tile argmin(Operand x, ExtremeOptions options = {},
                        std::source_location at = std::source_location::current());

/// Whether every element is true; of i1 only (SEMANTICS R1a). Its companion `any`, which also names a dtype, is in
/// lang/Any.h.
TESSERA_API Tile all(Operand x, ReduceOptions options = {}, std::source_location at = std::source_location::current());
/// The exclusive or of all elements, in their own type; of integers and of i1, whose parity it is (SEMANTICS R1a).
TESSERA_API Tile xor_sum(Operand x, ReduceOptions options = {},
                         std::source_location at = std::source_location::current());

/// `max` of two values is a reduction along no axis: this says what was meant.
template <class Dependent = void> Tile max(Operand, Operand) {
  static_assert(detail::alwaysFalse<Dependent>,
                "max reduces one tile: use maximum(a, b) for the greater of two values, or "
                "max(x, {.axis = 1}) to reduce along an axis");
  return {};
}
template <class Dependent = void> Tile min(Operand, Operand) {
  static_assert(detail::alwaysFalse<Dependent>,
                "min reduces one tile: use minimum(a, b) for the lesser of two values, or "
                "min(x, {.axis = 1}) to reduce along an axis");
  return {};
}

/// Options of reduce.
struct CombineOptions {
  bool keep_dims = false;     ///< the reduced axis stays, with extent 1
  bool deterministic = false; ///< the same bits for every num_warps and layout
};

/// Combines all elements along \p axis by \p combine, a callable of two scalars that gives one: `reduce(x, 0, [](Tile
/// a, Tile b) { return a + b; })`. It is traced once; it must be associative and commutative (SEMANTICS R3), gives the
/// dtype of \p x, and holds elementwise operations on its arguments, on numbers and on scalars from outside. UsageError
/// for anything else in it: loads, loops, further reductions, assignments to variables outside.
template <class Combine>
Tile reduce(Operand x, int axis, Combine &&combine, CombineOptions options = {},
            std::source_location at = std::source_location::current()) {
  detail::CombineScope scope(std::span<const Operand>(&x, 1), axis, "reduce", at);
  const auto combined = detail::traceCombine(scope, combine, at, std::make_index_sequence<1>());
  return Tile(scope.reduce(combined, options.keep_dims, options.deterministic)[0], at);
}
/// The same on several tiles at once, given and returned as a tuple. \p combine takes the left values, then the right
/// values, and gives a tuple:
/// \code
///   auto [v, i] = reduce(std::tuple{x, index}, 0, [](Tile a, Tile ai, Tile b, Tile bi) {
///     Tile left = a >= b;
///     return std::tuple{where(left, a, b), where(left, ai, bi)};
///   });
/// \endcode
/// The tiles broadcast to one shape; each keeps its dtype.
template <detail::TupleLike Values, class Combine>
auto reduce(const Values &values, int axis, Combine &&combine, CombineOptions options = {},
            std::source_location at = std::source_location::current()) {
  constexpr auto each = std::make_index_sequence<std::tuple_size_v<Values>>();
  detail::CombineScope scope(detail::operandsOf(values, at, each), axis, "reduce", at);
  const auto combined = detail::traceCombine(scope, combine, at, each);
  return detail::tilesOf(scope.reduce(combined, options.keep_dims, options.deterministic), at, each);
}

} // namespace tessera

#endif // TESSERA_LANG_REDUCE_H
