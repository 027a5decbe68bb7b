//===- View.h - memory with extents and strides ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A view is a base pointer with extents and strides (in elements). Its tile loads and stores carry their own bounds:
// reads outside the extents give the pad, writes outside are dropped (SEMANTICS M6).
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_VIEW_H
#define TESSERA_LANG_VIEW_H

#include "tessera/lang/Memory.h"

#include <array>
#include <utility>

namespace tessera {

struct ViewLoadOptions {
  OptionalOperand pad = {}; ///< what elements outside the view read as; 0 when not given
  Cache cache = Cache::normal;
  Evict evict = Evict::normal;
  bool reload = false; ///< never merged with an earlier load
};

struct ViewStoreOptions {
  Cache cache = Cache::normal;
  Evict evict = Evict::normal;
};

namespace detail {

/// A list of operands written in braces; points into the full expression that wrote it.
using Operands = std::initializer_list<Operand>;

/// Makes the IR value of a view; \p contiguous < 0 when no stride is known to be 1.
TESSERA_API Snapshot makeView(const Operand &base, const Int *extents, const Int *strides, int rank, int contiguous,
                              std::source_location at);
TESSERA_API Tile viewLoad(const Handle &view, Operands place, const Shape &shape, const ViewLoadOptions &options,
                          std::source_location at);
TESSERA_API void viewStore(const Handle &view, Operands place, const Operand &value, const ViewStoreOptions &options,
                           std::source_location at);
TESSERA_API Tile viewLoadRows(const Handle &view, const Operand &rows, const Operand &column, const Shape &shape,
                              const ViewLoadOptions &options, std::source_location at);
TESSERA_API void viewStoreRows(const Handle &view, const Operand &rows, const Operand &column, const Operand &value,
                               const ViewStoreOptions &options, std::source_location at);

} // namespace detail

/// Memory of \p Rank axes (1 to 5) holding elements of dtype \p Element. \p Contiguous names the axis whose neighbours
/// are expected to be neighbours in memory; any strides are legal, 0 included, only speed depends on them (SEMANTICS
/// P1b). A kernel parameter, or made by `view`. A C++ variable like every handle.
template <DType Element, int Rank, int Contiguous = Rank - 1> class View {
  static_assert(Rank >= 1 && Rank <= Shape::maxRank, "a view has 1 to 5 axes");
  static_assert(Contiguous >= 0 && Contiguous < Rank, "the contiguous axis is one of the view's axes");
  using At = std::source_location;

public:
  static constexpr DType type = Element;
  static constexpr int rank = Rank;
  static constexpr int contiguous = Contiguous;

  /// A variable without a value.
  View() = default;
  /// See the function `view`, which says the same with fewer words.
  View(Ptr<Element> base, std::array<Int, Rank> extents, std::array<Int, Rank> strides, const detail::Snapshot &value,
       At at)
      : handle(value, at), pointer(std::move(base)), sizes(std::move(extents)), steps(std::move(strides)) {}
  View(const View &source, At at = At::current())
      : handle(source.handle, at), pointer(source.pointer, at), sizes(source.sizes), steps(source.steps) {}
  View(View &&) noexcept = default;
  View &operator=(View source) {
    handle.assign(source.handle);
    pointer = std::move(source.pointer);
    for (int axis = 0; axis < Rank; ++axis) {
      sizes[axis] = std::move(source.sizes[axis]);
      steps[axis] = std::move(source.steps[axis]);
    }
    return *this;
  }

  const Ptr<Element> &base() const { return pointer; }
  const Int &extent(int axis) const { return sizes.at(static_cast<std::size_t>(axis)); }
  const Int &stride(int axis) const { return steps.at(static_cast<std::size_t>(axis)); }

  /// The block of \p shape whose first element is at \p place (64-bit coordinates, negative ones included). \p shape
  /// has one extent an axis. Elements outside the extents read as `pad`.
  Tile load(std::initializer_list<Operand> place, const Shape &shape, const ViewLoadOptions &options = {},
            At at = At::current()) const {
    return detail::viewLoad(handle, place, shape, options, at);
  }
  /// Writes the tile \p value with its first element at \p place; elements outside the extents are dropped. The value
  /// has the view's rank and a dtype that converts to Element without loss.
  void store(std::initializer_list<Operand> place, Operand value, const ViewStoreOptions &options = {},
             At at = At::current()) const {
    detail::viewStore(handle, place, value, options, at);
  }
  /// Rows chosen by a 1-D tile of integers, \p shape[1] elements of each from \p column on; rank 2 only. Rows or
  /// columns outside the view read as `pad`.
  Tile load_rows(Operand rows, Operand column, const Shape &shape, const ViewLoadOptions &options = {},
                 At at = At::current()) const {
    static_assert(Rank == 2, "load_rows needs a view of rank 2");
    return detail::viewLoadRows(handle, rows, column, shape, options, at);
  }
  /// Writes the rows of \p value to the chosen rows; rank 2 only. Rows or columns outside the view are dropped.
  void store_rows(Operand rows, Operand column, Operand value, const ViewStoreOptions &options = {},
                  At at = At::current()) const {
    static_assert(Rank == 2, "store_rows needs a view of rank 2");
    detail::viewStoreRows(handle, rows, column, value, options, at);
  }

private:
  detail::Handle handle;
  Ptr<Element> pointer;
  std::array<Int, Rank> sizes, steps;
};

namespace detail {

template <DType Element, std::size_t Rank, std::size_t... Index>
View<Element, static_cast<int>(Rank)> viewOf(const Ptr<Element> &base, const IndexOperand (&extents)[Rank],
                                             const IndexOperand *strides, std::index_sequence<Index...>,
                                             std::source_location at) {
  Int sizes[Rank] = {Int(toScalar(extents[Index], i64), at)...};
  Int steps[Rank];
  if (strides) {
    ((steps[Index] = Int(toScalar(strides[Index], i64), at)), ...);
  } else { // row-major
    steps[Rank - 1] = Int(1, at);
    for (std::size_t axis = Rank - 1; axis > 0; --axis)
      steps[axis - 1] = Int(binary(Binary::Mul, Operand(steps[axis], at), Operand(sizes[axis], at)), at);
  }
  int contiguous = strides ? -1 : static_cast<int>(Rank) - 1;
  for (std::size_t axis = 0; strides && axis < Rank; ++axis)
    if (strides[axis].form == Operand::Form::Integer && strides[axis].integer == 1)
      contiguous = static_cast<int>(axis);
  const Snapshot value = makeView(Operand(base, at), sizes, steps, static_cast<int>(Rank), contiguous, at);
  return {base, {std::move(sizes[Index])...}, {std::move(steps[Index])...}, value, at};
}

} // namespace detail

/// A view of the memory at \p base with these extents and strides, in elements: `view(a, {m, k}, {lda, 1})`. The axis
/// with the literal stride 1 is the contiguous one. Throws UsageError when an extent is not an integer scalar.
template <DType Element, std::size_t Rank>
View<Element, static_cast<int>(Rank)> view(const Ptr<Element> &base, const IndexOperand (&extents)[Rank],
                                           const IndexOperand (&strides)[Rank],
                                           std::source_location at = std::source_location::current()) {
  return detail::viewOf(base, extents, strides, std::make_index_sequence<Rank>(), at);
}
/// The same in row-major order without gaps: `view(a, {m, k})`.
template <DType Element, std::size_t Rank>
View<Element, static_cast<int>(Rank)> view(const Ptr<Element> &base, const IndexOperand (&extents)[Rank],
                                           std::source_location at = std::source_location::current()) {
  return detail::viewOf(base, extents, nullptr, std::make_index_sequence<Rank>(), at);
}

} // namespace tessera

#endif // TESSERA_LANG_VIEW_H
