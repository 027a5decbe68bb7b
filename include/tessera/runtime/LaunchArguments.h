//===- LaunchArguments.h - from C++ values to kernel arguments -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Which C++ values may be passed for which parameter type, checked at compile time, and how each becomes slots: one for
// every leaf of the parameter (SEMANTICS P1b). What only the run can tell, a range or a null pointer, is a UsageError.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LAUNCHARGUMENTS_H
#define TESSERA_RUNTIME_LAUNCHARGUMENTS_H

#include "tessera/core/HostTypes.h"
#include "tessera/core/Reflect.h"
#include "tessera/lang/Params.h"
#include "tessera/runtime/Buffer.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera {

/// Memory with extents and strides, to launch for a `View<T, rank>` parameter. Made by view_arg.
template <DType T, int Rank> struct ViewArg {
  Borrowed<T> base;
  std::array<std::int64_t, Rank> extents{};
  std::array<std::int64_t, Rank> strides{}; ///< in elements
  bool dense = false;                       ///< no strides were given: dense, contiguous along the view's own axis
};

namespace detail {

class KernelBase;

/// One argument of the compiled kernel on its way to a launch.
struct LaunchSlot {
  enum class Form : std::uint8_t {
    Scalar,
    Pointer,
    NoMemory ///< a buffer that has none
  };
  std::uint64_t bits = 0;            ///< the number or address
  std::uint64_t bytes = 0;           ///< what the pointer is known to span; 0: unknown
  rt::DeviceState *device = nullptr; ///< of the memory; null: unknown
  DType dtype;                       ///< of the scalar or the elements
  Form form = Form::Scalar;
  bool bound = false;          ///< the parameter's element type is `any`: part of the key
  std::uint16_t parameter = 0; ///< number of the kernel's parameter this is a part of
};

/// Where slots are written while the arguments of a launch are taken apart.
struct LaunchPacker {
  const KernelBase &kernel; ///< for messages
  std::source_location at;
  LaunchSlot *slots;
  std::size_t count = 0;
  std::uint16_t parameter = 0;
  std::uint64_t present = 0; ///< one bit an Opt
  unsigned optionals = 0;

  void scalar(std::uint64_t bits, DType dtype) {
    slots[count++] = {bits, 0, nullptr, dtype, LaunchSlot::Form::Scalar, false, parameter};
  }
  void pointer(const void *address, std::int64_t elements, rt::DeviceState *device, DType dtype, bool bound) {
    slots[count++] = {reinterpret_cast<std::uint64_t>(address),
                      elements > 0 ? static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(dtype.bytes())
                                   : 0,
                      device,
                      dtype,
                      LaunchSlot::Form::Pointer,
                      bound,
                      parameter};
  }
  void noMemory(DType dtype, bool bound) {
    slots[count++] = {0, 0, nullptr, dtype, LaunchSlot::Form::NoMemory, bound, parameter};
  }
};

/// UsageError: the integer argument \p value (its low bits, signed if \p negative) does not fit \p dtype.
[[noreturn]] TESSERA_API void throwOutOfRange(const LaunchPacker &packer, std::uint64_t value, bool negative,
                                              DType dtype);
/// UsageError if an extent is negative or the memory, where its size is known, is smaller than the view.
TESSERA_API void checkView(const LaunchPacker &packer, std::int64_t elements, const std::int64_t *extents,
                           const std::int64_t *strides, int rank);

template <class A> struct PointeeOf : std::integral_constant<bool, false> {};
template <DType U> struct PointeeOf<Buffer<U>> : std::true_type {
  static constexpr DType dtype = U;
};
template <DType U> struct PointeeOf<Borrowed<U>> : PointeeOf<Buffer<U>> {};
template <class H>
  requires(dtype_of<H>.kind != Kind::None)
struct PointeeOf<H *> : std::true_type {
  static constexpr DType dtype = dtype_of<H>;
};

/// Whether \p A points to elements that a parameter of element type \p T takes.
template <DType T, class A> constexpr bool pointsTo() {
  if constexpr (!PointeeOf<A>::value)
    return false;
  else
    return T.kind == Kind::Any ? !T.isPointer() : PointeeOf<A>::dtype == T || (T == i1 && PointeeOf<A>::dtype == u8);
}

template <DType T, DType U> void packPointer(LaunchPacker &packer, const Buffer<U> &buffer) {
  constexpr bool bound = T.kind == Kind::Any;
  if (buffer.device())
    packer.pointer(buffer.data(), buffer.size(), buffer.device(), bound ? U : T, bound);
  else
    packer.noMemory(bound ? U : T, bound);
}
template <DType T, DType U> void packPointer(LaunchPacker &packer, const Borrowed<U> &memory) {
  constexpr bool bound = T.kind == Kind::Any;
  packer.pointer(memory.data, memory.count, memory.device, bound ? U : T, bound);
}
template <DType T, class H> void packPointer(LaunchPacker &packer, H *pointer) {
  constexpr bool bound = T.kind == Kind::Any;
  packer.pointer(pointer, 0, nullptr, bound ? dtype_of<H> : T, bound);
}

template <class A>
concept LaunchInteger =
    std::integral<A> && !std::same_as<A, bool> && !std::same_as<A, char> && !std::same_as<A, wchar_t> &&
    !std::same_as<A, char8_t> && !std::same_as<A, char16_t> && !std::same_as<A, char32_t>;
template <class A> inline constexpr bool isNarrowFloat = dtype_of<A>.isFloat() && !std::floating_point<A>;

/// The types of the fields of an aggregate, each wrapped in a std::type_identity.
template <class T> auto fieldTypesOf() {
  return decltype(withFields(std::declval<T &>(), [](auto &...fields) {
    return std::type_identity<std::tuple<std::type_identity<std::remove_cvref_t<decltype(fields)>>...>>();
  }))();
}
template <class T> using FieldTypes = typename decltype(fieldTypesOf<T>())::type;
/// The types of the values in a tuple or aggregate, in the same form; of anything else, no tuple.
template <class A> struct GivenTypes {
  using Types = void;
};
template <class... E> struct GivenTypes<std::tuple<E...>> {
  using Types = std::tuple<std::type_identity<std::remove_cvref_t<E>>...>;
};
template <class A>
  requires(std::is_class_v<A> && std::is_aggregate_v<A>)
struct GivenTypes<A> {
  using Types = FieldTypes<A>;
};

template <class P> struct Pass;

/// How the fields of a struct parameter are passed: \p Fields is its FieldTypes.
template <class Fields> struct PassFields;
template <class... F> struct PassFields<std::tuple<std::type_identity<F>...>> {
  static constexpr std::size_t slots = (Pass<F>::slots + ... + 0);
  static constexpr std::size_t optionals = (Pass<F>::optionals + ... + 0);
  template <class Types> struct Takes : std::false_type {};
  template <class... A>
    requires(sizeof...(A) == sizeof...(F))
  struct Takes<std::tuple<std::type_identity<A>...>> : std::bool_constant<(Pass<F>::template takes<A>() && ...)> {};
  template <class... A> static void pack(LaunchPacker &packer, const A &...values) {
    (Pass<F>::pack(packer, values), ...);
  }
};

/// Passing a value for a parameter of type \p P: the most slots it takes (`slots`), the Opts in it, which argument
/// types are right (`takes`), and how they become slots (`pack`). The general case is a plain struct of parameters.
template <class P> struct Pass {
  using Fields = PassFields<FieldTypes<P>>;
  static constexpr std::size_t slots = Fields::slots, optionals = Fields::optionals;

  /// A tuple or an aggregate with a value for each field.
  template <class A> static constexpr bool takes() {
    return Fields::template Takes<typename GivenTypes<A>::Types>::value;
  }
  template <class A> static void pack(LaunchPacker &packer, const A &value) {
    const auto each = [&](const auto &...fields) { Fields::pack(packer, fields...); };
    if constexpr (std::is_aggregate_v<A>)
      withFields(value, each);
    else
      std::apply(each, value);
  }
  template <class A> static constexpr void require() {
    static_assert(takes<A>(),
                  "a launch argument has the wrong type: its parameter is a struct, which takes a std::tuple or "
                  "a plain struct with a value for each field; LaunchArgument<index, parameter, given> in the "
                  "lines around this one says which");
  }
};

template <DType T> struct Pass<Ptr<T>> {
  static constexpr std::size_t slots = 1, optionals = 0;
  template <class A> static constexpr bool takes() { return pointsTo<T, std::remove_const_t<A>>(); }
  template <class A> static void pack(LaunchPacker &packer, const A &value) { packPointer<T>(packer, value); }
  template <class A> static constexpr void require() {
    static_assert(takes<A>(),
                  "a launch argument has the wrong type: its parameter is a Ptr<T>, which takes a Buffer<T>, "
                  "borrow<T>(pointer, count) or a pointer to the host type of T, with the same T; "
                  "LaunchArgument<index, parameter, given> in the lines around this one says which");
  }
};
template <DType T> struct Pass<Zeroed<T>> : Pass<Ptr<T>> {};
template <DType T> struct Pass<MayAlias<T>> : Pass<Ptr<T>> {};

template <DType T> struct Pass<Scalar<T>> {
  static constexpr std::size_t slots = 1, optionals = 0;

  template <class A> static constexpr bool takes() {
    if constexpr (T.isBool())
      return std::same_as<A, bool>;
    else if constexpr (T.isInt())
      return LaunchInteger<A>;
    else
      return std::floating_point<A> || isNarrowFloat<A>;
  }
  template <class A> static void pack(LaunchPacker &packer, const A &value) {
    using Host = host_type<T>;
    if constexpr (T.isBool()) {
      packer.scalar(value ? 1 : 0, T);
    } else if constexpr (T.isInt()) {
      if (!std::in_range<Host>(value))
        throwOutOfRange(packer, static_cast<std::uint64_t>(value), value < A(0), T);
      packer.scalar(static_cast<std::make_unsigned_t<Host>>(value), T);
    } else {
      const Host host = static_cast<Host>(value);
      std::uint64_t bits = 0;
      __builtin_memcpy(&bits, &host, sizeof host);
      packer.scalar(bits, T);
    }
  }
  template <class A> static constexpr void require() {
    static_assert(!T.isBool() || takes<A>(),
                  "a launch argument has the wrong type: its parameter is a Bool, which takes a bool; "
                  "LaunchArgument<index, parameter, given> in the lines around this one says which");
    static_assert(
        !T.isInt() || takes<A>(),
        "a launch argument has the wrong type: its parameter is an integer (Int, I32, ...), which takes a C++ "
        "integer; LaunchArgument<index, parameter, given> in the lines around this one says which");
    static_assert(
        !T.isFloat() || takes<A>(),
        "a launch argument has the wrong type: its parameter is a floating-point number (F32, ...), which takes "
        "a float or double; LaunchArgument<index, parameter, given> in the lines around this one says which");
  }
};

template <DType T, int Rank, int Contiguous> struct Pass<View<T, Rank, Contiguous>> {
  static constexpr std::size_t slots = 1 + 2 * Rank, optionals = 0;

  template <class A> struct Given : std::false_type {};
  template <DType U> struct Given<ViewArg<U, Rank>> : std::bool_constant<pointsTo<T, Borrowed<U>>()> {};
  template <class A> static constexpr bool takes() { return Given<A>::value; }

  template <DType U> static void pack(LaunchPacker &packer, const ViewArg<U, Rank> &value) {
    const std::array<std::int64_t, Rank> strides = value.dense ? denseStrides(value.extents) : value.strides;
    checkView(packer, value.base.count, value.extents.data(), strides.data(), Rank);
    packPointer<T>(packer, value.base);
    for (std::int64_t extent : value.extents)
      packer.scalar(static_cast<std::uint64_t>(extent), i64);
    for (std::int64_t stride : strides)
      packer.scalar(static_cast<std::uint64_t>(stride), i64);
  }
  template <class A> static constexpr void require() {
    static_assert(takes<A>(), "a launch argument has the wrong type: its parameter is a View<T, rank>, which takes "
                              "view_arg(buffer, {extents...}, {strides...}) with the same T and rank; "
                              "LaunchArgument<index, parameter, given> in the lines around this one says which");
  }

private:
  /// The contiguous axis first, then the others from the last to the first. Products wrap; checkView reports them.
  static std::array<std::int64_t, Rank> denseStrides(const std::array<std::int64_t, Rank> &extents) {
    std::array<std::int64_t, Rank> strides{};
    std::uint64_t next = static_cast<std::uint64_t>(extents[Contiguous]);
    strides[Contiguous] = 1;
    for (int axis = Rank - 1; axis >= 0; --axis) {
      if (axis == Contiguous)
        continue;
      strides[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(next);
      next *= static_cast<std::uint64_t>(extents[static_cast<std::size_t>(axis)]);
    }
    return strides;
  }
};

template <class X> struct Pass<Opt<X>> {
  static constexpr std::size_t slots = Pass<X>::slots, optionals = 1 + Pass<X>::optionals;

  template <class A> struct Inner {
    using Type = A;
  };
  template <class A> struct Inner<std::optional<A>> {
    using Type = A;
  };
  template <class A> static constexpr bool takes() {
    if constexpr (std::same_as<A, None>)
      return true;
    else
      return Pass<X>::template takes<typename Inner<A>::Type>();
  }
  template <class A> static void pack(LaunchPacker &packer, const A &value) {
    packer.present |= std::uint64_t{1} << packer.optionals++;
    Pass<X>::pack(packer, value);
  }
  static void pack(LaunchPacker &packer, const None &) { packer.optionals += optionals; }
  template <class A> static void pack(LaunchPacker &packer, const std::optional<A> &value) {
    if (value)
      pack(packer, *value);
    else
      pack(packer, none);
  }
  template <class A> static constexpr void require() {
    if constexpr (!std::same_as<A, None>)
      Pass<X>::template require<typename Inner<A>::Type>();
  }
};

template <class X, std::size_t N> struct Pass<std::array<X, N>> {
  static constexpr std::size_t slots = N * Pass<X>::slots, optionals = N * Pass<X>::optionals;

  template <class A> struct Element : std::false_type {};
  template <class E> struct Element<std::array<E, N>> : std::bool_constant<Pass<X>::template takes<E>()> {};
  template <class A> static constexpr bool takes() { return Element<A>::value; }
  template <class E> static void pack(LaunchPacker &packer, const std::array<E, N> &values) {
    for (const E &value : values)
      Pass<X>::pack(packer, value);
  }
  template <class A> static constexpr void require() {
    static_assert(takes<A>(),
                  "a launch argument has the wrong type: its parameter is a std::array, which takes a "
                  "std::array of the same length with a right type of element; LaunchArgument<index, parameter, "
                  "given> in the lines around this one says which");
  }
};

/// Compiles only if \p Given may be passed for parameter number \p Index, of type \p Parameter.
template <std::size_t Index, class Parameter, class Given> struct LaunchArgument {
  static constexpr bool checked = (Pass<Parameter>::template require<Given>(), true);
};

/// The slots of one launch of a kernel with these parameters.
template <class... Params> struct LaunchArguments {
  static constexpr std::size_t maxSlots = (Pass<Params>::slots + ... + 0);
  static_assert(maxSlots <= 256, "a kernel takes at most 256 arguments once views, arrays and structs are taken apart");
  static_assert((Pass<Params>::optionals + ... + 0) <= 64, "a kernel takes at most 64 Opts");

  std::array<LaunchSlot, maxSlots == 0 ? 1 : maxSlots> slots;
  std::size_t count = 0;
  std::uint64_t present = 0;

  template <class... Args> LaunchArguments(const KernelBase &kernel, std::source_location at, const Args &...args) {
    static_assert(sizeof...(Args) == sizeof...(Params), "a launch needs one argument for each parameter of the kernel");
    if constexpr (sizeof...(Args) == sizeof...(Params))
      fill(kernel, at, std::index_sequence_for<Params...>(), args...);
  }

private:
  template <std::size_t... I, class... Args>
  void fill(const KernelBase &kernel, std::source_location at, std::index_sequence<I...>, const Args &...args) {
    static_assert((LaunchArgument<I, Params, std::decay_t<const Args>>::checked && ...));
    LaunchPacker packer{kernel, at, slots.data()};
    const auto one = [&]<std::size_t Index, class P>(std::integral_constant<std::size_t, Index>, std::type_identity<P>,
                                                     const auto &value) {
      packer.parameter = static_cast<std::uint16_t>(Index);
      Pass<P>::pack(packer, value);
    };
    (one(std::integral_constant<std::size_t, I>(), std::type_identity<Params>(), args), ...);
    count = packer.count;
    present = packer.present;
  }
};

} // namespace detail

/// \p memory (a Buffer, borrow(...), or a pointer) as an array to launch for a `View<T, rank>`: dense, contiguous along
/// the axis the view's type names. Launching checks that it fits where the memory's size is known.
template <class Memory, std::size_t Rank>
  requires(detail::PointeeOf<Memory>::value)
auto view_arg(const Memory &memory, const std::int64_t (&extents)[Rank]) {
  ViewArg<detail::PointeeOf<Memory>::dtype, static_cast<int>(Rank)> arg;
  if constexpr (std::is_pointer_v<Memory>)
    arg.base = borrow(memory, 0);
  else
    arg.base = memory;
  for (std::size_t i = 0; i != Rank; ++i)
    arg.extents[i] = extents[i];
  arg.dense = true;
  return arg;
}
/// The same with strides, in elements: any, zero and negative included.
template <class Memory, std::size_t Rank>
  requires(detail::PointeeOf<Memory>::value)
auto view_arg(const Memory &memory, const std::int64_t (&extents)[Rank], const std::int64_t (&strides)[Rank]) {
  auto arg = view_arg(memory, extents);
  for (std::size_t i = 0; i != Rank; ++i)
    arg.strides[i] = strides[i];
  arg.dense = false;
  return arg;
}

} // namespace tessera

#endif // TESSERA_RUNTIME_LAUNCHARGUMENTS_H
