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
template <DType Element> class Zeroed : public Ptr<Element> {
public:
  explicit Zeroed(Ptr<Element> pointer) : Ptr<Element>(std::move(pointer)) {}
};

/// A pointer parameter that may overlap other arguments; without it arguments are assumed disjoint (SEMANTICS M3).
template <DType Element> class MayAlias : public Ptr<Element> {
public:
  explicit MayAlias(Ptr<Element> pointer) : Ptr<Element>(std::move(pointer)) {}
};

/// A parameter that may be left out at launch (`none`). Its presence is known while tracing: `if (bias) x +=
/// load(*bias)` is ordinary C++, and the two cases are two compiled kernels.
template <class Inner> class Opt {
public:
  Opt() = default;
  explicit Opt(Inner value) : value(std::move(value)) {}
  explicit operator bool() const { return value.has_value(); }
  bool has_value() const { return value.has_value(); }
  /// The parameter; throws std::bad_optional_access when absent.
  Inner &operator*() { return value.value(); }
  const Inner &operator*() const { return value.value(); }
  Inner *operator->() { return &value.value(); }
  const Inner *operator->() const { return &value.value(); }

private:
  std::optional<Inner> value;
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

/// How a parameter of type Param is flattened and rebuilt. The general case is a plain struct of parameters.
template <class Param> struct Bind {
  static_assert(!std::is_arithmetic_v<Param>,
                "a kernel parameter is a C++ number (int, float, bool, ...), but its value is not known while the "
                "kernel is recorded: write Int, I32, F32, Bool or another Scalar<T>, or make it a field of the config");
  static_assert(std::is_aggregate_v<Param> || std::is_arithmetic_v<Param>,
                "a kernel parameter is Ptr<T>, View<T, rank>, Int, F32, Bool or another Scalar<T>, "
                "Opt<...>, std::array<..., N>, Zeroed<T>, MayAlias<T>, or a plain struct of these");

  static void describe(ParamList &list, const ParamPlace &place) {
    describeFields(list, place, std::make_index_sequence<fieldCount<Param>>());
  }
  static Param make(ParamBinder &binder) { return makeFields(binder, std::make_index_sequence<fieldCount<Param>>()); }

private:
  template <std::size_t Index> static auto fieldType() {
    using Fields = decltype(withFields(std::declval<Param &>(), [](auto &...fields) {
      return std::type_identity<std::tuple<std::remove_cvref_t<decltype(fields)>...>>();
    }));
    return std::type_identity<std::tuple_element_t<Index, typename Fields::type>>();
  }
  template <std::size_t Index> using Field = typename decltype(fieldType<Index>())::type;
  template <std::size_t... Index>
  static void describeFields(ParamList &list, const ParamPlace &place, std::index_sequence<Index...>) {
    (Bind<Field<Index>>::describe(list, {place.path + "." + std::string(fieldNames<Param>[Index]), place.optional}),
     ...);
  }
  template <std::size_t... Index> static Param makeFields(ParamBinder &binder, std::index_sequence<Index...>) {
    return Param{Bind<Field<Index>>::make(binder)...};
  }
};

template <DType Element> struct Bind<Ptr<Element>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    ParamLeaf leaf;
    leaf.form = ParamLeaf::Form::Pointer;
    leaf.dtype = Element;
    leaf.optional = place.optional;
    leaf.path = place.path;
    list.leaves.push_back(std::move(leaf));
  }
  static Ptr<Element> make(ParamBinder &binder) { return Ptr<Element>(binder.next(), binder.at); }
};

template <DType Element> struct Bind<Zeroed<Element>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    Bind<Ptr<Element>>::describe(list, place);
    list.leaves.back().zeroed = true;
  }
  static Zeroed<Element> make(ParamBinder &binder) { return Zeroed<Element>(Bind<Ptr<Element>>::make(binder)); }
};

template <DType Element> struct Bind<MayAlias<Element>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    Bind<Ptr<Element>>::describe(list, place);
    list.leaves.back().mayAlias = true;
  }
  static MayAlias<Element> make(ParamBinder &binder) { return MayAlias<Element>(Bind<Ptr<Element>>::make(binder)); }
};

template <DType Element> struct Bind<Scalar<Element>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    ParamLeaf leaf;
    leaf.dtype = Element;
    leaf.optional = place.optional;
    leaf.path = place.path;
    list.leaves.push_back(std::move(leaf));
  }
  static Scalar<Element> make(ParamBinder &binder) { return Scalar<Element>(binder.next(), binder.at); }
};

template <DType Element, int Rank, int Contiguous> struct Bind<View<Element, Rank, Contiguous>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    const std::size_t first = list.leaves.size();
    Bind<Ptr<Element>>::describe(list, {place.path, place.optional});
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
  static View<Element, Rank, Contiguous> make(ParamBinder &binder) {
    Ptr<Element> base = Bind<Ptr<Element>>::make(binder);
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

template <class Inner> struct Bind<Opt<Inner>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    list.optionals.push_back(place.optional);
    Bind<Inner>::describe(list, {place.path, static_cast<int>(list.optionals.size()) - 1});
  }
  static Opt<Inner> make(ParamBinder &binder) {
    if (binder.present())
      return Opt<Inner>(Bind<Inner>::make(binder));
    ParamList inner;
    Bind<Inner>::describe(inner, {});
    binder.skip(inner.leaves.size(), inner.optionals.size());
    return {};
  }
};

template <class Inner, std::size_t Count> struct Bind<std::array<Inner, Count>> {
  static void describe(ParamList &list, const ParamPlace &place) {
    for (std::size_t i = 0; i < Count; ++i)
      Bind<Inner>::describe(list, {place.path + "." + std::to_string(i), place.optional});
  }
  static std::array<Inner, Count> make(ParamBinder &binder) {
    return makeEach(binder, std::make_index_sequence<Count>());
  }

private:
  template <std::size_t... Index>
  static std::array<Inner, Count> makeEach(ParamBinder &binder, std::index_sequence<Index...>) {
    return {(static_cast<void>(Index), Bind<Inner>::make(binder))...};
  }
};

} // namespace detail

} // namespace tessera

#endif // TESSERA_LANG_PARAMS_H
