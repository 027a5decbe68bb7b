//===- Params.h - what a kernel may take as parameters ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Parameter types give the ABI (SEMANTICS P1b). Each is flattened, in order, into leaves: pointers and scalars. A view
// is its base, its extents, its strides; a struct its fields; an absent Opt has no arguments in the compiled kernel.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_PARAMS_H
#define TESSERA_LANG_PARAMS_H

#include "tessera/core/Reflect.h"
#include "tessera/lang/KernelSpec.h"
#include "tessera/lang/View.h"

#include <optional>
#include <string>

namespace tessera {

/// A pointer parameter whose memory the launcher fills with zeros before the program starts.
template <DType T> class Zeroed : public Ptr<T> {
public:
  explicit Zeroed(Ptr<T> pointer) : Ptr<T>(std::move(pointer)) {}
};

/// A pointer parameter that may overlap other arguments; without it arguments are assumed disjoint (SEMANTICS M3).
template <DType T> class MayAlias : public Ptr<T> {
public:
  explicit MayAlias(Ptr<T> pointer) : Ptr<T>(std::move(pointer)) {}
};

/// A parameter that may be left out at launch (`none`). Its presence is known while tracing: `if (bias) x +=
/// load(*bias)` is ordinary C++, and the two cases are two compiled kernels.
template <class X> class Opt {
public:
  Opt() = default;
  explicit Opt(X value) : value(std::move(value)) {}
  explicit operator bool() const { return value.has_value(); }
  bool has_value() const { return value.has_value(); }
  /// The parameter; throws std::bad_optional_access when absent.
  X &operator*() { return value.value(); }
  const X &operator*() const { return value.value(); }
  X *operator->() { return &value.value(); }
  const X *operator->() const { return &value.value(); }

private:
  std::optional<X> value;
};

/// What to pass at launch for an Opt parameter that is left out.
struct None {};
inline constexpr None none{};

namespace detail {

/// Where a leaf being described stands.
struct ParamPlace {
  std::string path;
  int optional = -1;
};

/// How a parameter of type P is flattened and rebuilt. The general case is a plain struct of parameters.
template <class P> struct Bind {
  static_assert(std::is_aggregate_v<P>,
                "a kernel parameter is Ptr<T>, View<T, rank>, Int, F32, Bool or another Scalar<T>, "
                "Opt<...>, std::array<..., N>, Zeroed<T>, MayAlias<T>, or a plain struct of these");

  static void describe(ParamList &list, const ParamPlace &place) {
    describeFields(list, place, std::make_index_sequence<fieldCount<P>>());
  }
  static P make(ParamBinder &binder) { return makeFields(binder, std::make_index_sequence<fieldCount<P>>()); }

private:
  template <std::size_t I> static auto fieldType() {
    using Fields = decltype(withFields(std::declval<P &>(), [](auto &...fields) {
      return std::type_identity<std::tuple<std::remove_cvref_t<decltype(fields)>...>>();
    }));
    return std::type_identity<std::tuple_element_t<I, typename Fields::type>>();
  }
  template <std::size_t I> using Field = typename decltype(fieldType<I>())::type;
  template <std::size_t... I>
  static void describeFields(ParamList &list, const ParamPlace &place, std::index_sequence<I...>) {
    (Bind<Field<I>>::describe(list, {place.path + "." + std::string(fieldNames<P>[I]), place.optional}), ...);
  }
  template <std::size_t... I> static P makeFields(ParamBinder &binder, std::index_sequence<I...>) {
    return P{Bind<Field<I>>::make(binder)...};
  }
};

template <DType T> struct Bind<Ptr<T>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    ParamLeaf leaf;
    leaf.form = ParamLeaf::Form::Pointer;
    leaf.dtype = T;
    leaf.optional = place.optional;
    leaf.path = place.path;
    list.leaves.push_back(std::move(leaf));
  }
  static Ptr<T> make(ParamBinder &binder) { return Ptr<T>(binder.next(), binder.at); }
};

template <DType T> struct Bind<Zeroed<T>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    Bind<Ptr<T>>::describe(list, place);
    list.leaves.back().zeroed = true;
  }
  static Zeroed<T> make(ParamBinder &binder) { return Zeroed<T>(Bind<Ptr<T>>::make(binder)); }
};

template <DType T> struct Bind<MayAlias<T>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    Bind<Ptr<T>>::describe(list, place);
    list.leaves.back().mayAlias = true;
  }
  static MayAlias<T> make(ParamBinder &binder) { return MayAlias<T>(Bind<Ptr<T>>::make(binder)); }
};

template <DType T> struct Bind<Scalar<T>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    ParamLeaf leaf;
    leaf.dtype = T;
    leaf.optional = place.optional;
    leaf.path = place.path;
    list.leaves.push_back(std::move(leaf));
  }
  static Scalar<T> make(ParamBinder &binder) { return Scalar<T>(binder.next(), binder.at); }
};

template <DType T, int Rank, int Contiguous> struct Bind<View<T, Rank, Contiguous>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    const std::size_t first = list.leaves.size();
    Bind<Ptr<T>>::describe(list, {place.path, place.optional});
    list.leaves.back().role = ParamLeaf::Role::ViewBase;
    for (int axis = 0; axis < Rank; ++axis) {
      Bind<Int>::describe(list, {place.path + ".extent" + std::to_string(axis), place.optional});
      list.leaves.back().role = ParamLeaf::Role::ViewExtent;
      list.leaves.back().axis = axis;
    }
    for (int axis = 0; axis < Rank; ++axis) {
      Bind<Int>::describe(list, {place.path + ".stride" + std::to_string(axis), place.optional});
      list.leaves.back().role = ParamLeaf::Role::ViewStride;
      list.leaves.back().axis = axis;
    }
    for (std::size_t i = first; i < list.leaves.size(); ++i) {
      list.leaves[i].viewRank = Rank;
      list.leaves[i].contiguous = Contiguous;
    }
  }
  static View<T, Rank, Contiguous> make(ParamBinder &binder) {
    Ptr<T> base = Bind<Ptr<T>>::make(binder);
    std::array<Int, Rank> extents, strides;
    for (Int &extent : extents)
      extent = Bind<Int>::make(binder);
    for (Int &stride : strides)
      stride = Bind<Int>::make(binder);
    const Snapshot value =
        makeView(Operand(base, binder.at), extents.data(), strides.data(), Rank, Contiguous, binder.at);
    return {std::move(base), std::move(extents), std::move(strides), value, binder.at};
  }
};

template <class X> struct Bind<Opt<X>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    list.optionals.push_back(place.optional);
    Bind<X>::describe(list, {place.path, static_cast<int>(list.optionals.size()) - 1});
  }
  static Opt<X> make(ParamBinder &binder) {
    if (binder.present())
      return Opt<X>(Bind<X>::make(binder));
    ParamList inner;
    Bind<X>::describe(inner, {});
    binder.skip(inner.leaves.size(), inner.optionals.size());
    return {};
  }
};

template <class X, std::size_t N> struct Bind<std::array<X, N>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    for (std::size_t i = 0; i < N; ++i)
      Bind<X>::describe(list, {place.path + "." + std::to_string(i), place.optional});
  }
  static std::array<X, N> make(ParamBinder &binder) { return makeEach(binder, std::make_index_sequence<N>()); }

private:
  template <std::size_t... I> static std::array<X, N> makeEach(ParamBinder &binder, std::index_sequence<I...>) {
    return {(static_cast<void>(I), Bind<X>::make(binder))...};
  }
};

} // namespace detail

} // namespace tessera

#endif // TESSERA_LANG_PARAMS_H
