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

#include "tessera/core/HostRange.h"
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
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

/// Memory with extents and strides, to launch for a `View<T, rank>` parameter. Made by view_arg.
template <DType Element, int Rank> struct ViewArg {
  Borrowed<Element> base;
  std::array<std::int64_t, Rank> extents{};
  std::array<std::int64_t, Rank> strides{}; ///< in elements
  bool dense = false;                       ///< no strides were given: dense, contiguous along the view's own axis
};

namespace detail {

/// How messages speak of a kernel.
struct KernelName {
  const std::string name;
  std::vector<std::string> names = {}; ///< of parameters, where given; fixed before the first launch
};

/// One argument of the compiled kernel on its way to a launch.
struct LaunchSlot {
  enum class Form : std::uint8_t {
    Scalar,
    Pointer,
    NoMemory ///< a buffer that has none
  };
  std::uint64_t bits = 0;            ///< the number or address
  std::uint64_t bytes = 0;           ///< what the pointer spans, if `sized`
  rt::DeviceState *device = nullptr; ///< of the memory; null: unknown
  DType dtype;                       ///< of the scalar or the elements
  Form form = Form::Scalar;
  bool bound = false;          ///< the parameter's element type is `any`: part of the key
  std::uint16_t parameter = 0; ///< number of the kernel's parameter this is a part of
  bool sized = false;          ///< a pointer whose span is known
  bool readOnly = false;       ///< a pointer to const
};

/// Memory given for a pointer parameter: Borrowed without its type.
struct LaunchMemory {
  const void *address = nullptr;
  std::int64_t count = 0; ///< elements, if `sized`
  rt::DeviceState *device = nullptr;
  bool sized = false;
  bool readOnly = false;
};

struct LaunchPacker;
/// UsageError: nobody has memory for \p count elements of \p dtype.
[[noreturn]] TESSERA_API void throwBadCount(const LaunchPacker &packer, std::int64_t count, DType dtype);

/// Where slots are written while the arguments of a launch are taken apart.
struct LaunchPacker {
  const KernelName &kernel;
  std::source_location at;
  LaunchSlot *slots;
  std::size_t count = 0;
  std::uint16_t parameter = 0;
  std::uint64_t present = 0; ///< one bit an Opt
  unsigned optionals = 0;

  void scalar(std::uint64_t bits, DType dtype) {
    slots[count++] = {bits, 0, nullptr, dtype, LaunchSlot::Form::Scalar, false, parameter, false, false};
  }
  void pointer(const LaunchMemory &memory, DType dtype, bool bound) {
    if (memory.count < 0 || memory.count > maxCount(dtype))
      throwBadCount(*this, memory.count, dtype);
    slots[count++] = {reinterpret_cast<std::uint64_t>(memory.address),
                      static_cast<std::uint64_t>(memory.count) * static_cast<std::uint64_t>(dtype.bytes()),
                      memory.device,
                      dtype,
                      LaunchSlot::Form::Pointer,
                      bound,
                      parameter,
                      memory.sized,
                      memory.readOnly};
  }
  void noMemory(DType dtype, bool bound) {
    slots[count++] = {0, 0, nullptr, dtype, LaunchSlot::Form::NoMemory, bound, parameter, false, false};
  }
};

/// UsageError: the integer argument \p value (its low bits, signed if \p negative) does not fit \p dtype.
[[noreturn]] TESSERA_API void throwOutOfRange(const LaunchPacker &packer, std::uint64_t value, bool negative,
                                              DType dtype);
/// UsageError if an extent is negative or the memory, where its size is known, is smaller than the view.
TESSERA_API void checkView(const LaunchPacker &packer, const LaunchMemory &memory, const std::int64_t *extents,
                           const std::int64_t *strides, int rank);

template <class Given> struct PointeeOf : std::integral_constant<bool, false> {};
template <DType Other> struct PointeeOf<Buffer<Other>> : std::true_type {
  static constexpr DType dtype = Other;
};
template <DType Other> struct PointeeOf<Borrowed<Other>> : PointeeOf<Buffer<Other>> {};
template <class Host>
  requires(dtype_of<Host>.kind != Kind::None)
struct PointeeOf<Host *> : std::true_type {
  static constexpr DType dtype = dtype_of<Host>;
};

/// Whether \p Given points to elements that a parameter of element type \p Element takes.
template <DType Element, class Given> constexpr bool pointsTo() {
  if constexpr (!PointeeOf<Given>::value)
    return false;
  else
    return Element.kind == Kind::Any
               ? !Element.isPointer()
               : PointeeOf<Given>::dtype == Element || (Element == i1 && PointeeOf<Given>::dtype == u8);
}

template <DType Element> LaunchMemory untyped(const Borrowed<Element> &memory) {
  return {memory.data, memory.count, memory.device, memory.sized, memory.readOnly};
}

template <DType Element, DType Other> void packPointer(LaunchPacker &packer, const Buffer<Other> &buffer) {
  constexpr bool bound = Element.kind == Kind::Any;
  if (buffer.device())
    packer.pointer({buffer.data(), buffer.size(), buffer.device(), true, false}, bound ? Other : Element, bound);
  else
    packer.noMemory(bound ? Other : Element, bound);
}
template <DType Element, DType Other> void packPointer(LaunchPacker &packer, const Borrowed<Other> &memory) {
  constexpr bool bound = Element.kind == Kind::Any;
  packer.pointer(untyped(memory), bound ? Other : Element, bound);
}
template <DType Element, class Host> void packPointer(LaunchPacker &packer, Host *pointer) {
  constexpr bool bound = Element.kind == Kind::Any;
  packer.pointer({pointer, 0, nullptr, false, std::is_const_v<Host>}, bound ? dtype_of<Host> : Element, bound);
}

template <class Given>
concept LaunchInteger =
    std::integral<Given> && !std::same_as<Given, bool> && !std::same_as<Given, char> && !std::same_as<Given, wchar_t> &&
    !std::same_as<Given, char8_t> && !std::same_as<Given, char16_t> && !std::same_as<Given, char32_t>;
template <class Given> inline constexpr bool isNarrowFloat = dtype_of<Given>.isFloat() && !std::floating_point<Given>;

/// The types of the fields of an aggregate, each wrapped in a std::type_identity.
template <class Type> auto fieldTypesOf() {
  return decltype(withFields(std::declval<Type &>(), [](auto &...fields) {
    return std::type_identity<std::tuple<std::type_identity<std::remove_cvref_t<decltype(fields)>>...>>();
  }))();
}
template <class Type> using FieldTypes = typename decltype(fieldTypesOf<Type>())::type;
/// The types of the values in a tuple or aggregate, in the same form; of anything else, no tuple.
template <class Given> struct GivenTypes {
  using Types = void;
};
template <class... Given> struct GivenTypes<std::tuple<Given...>> {
  using Types = std::tuple<std::type_identity<std::remove_cvref_t<Given>>...>;
};
template <class Given>
  requires(std::is_class_v<Given> && std::is_aggregate_v<Given>)
struct GivenTypes<Given> {
  using Types = FieldTypes<Given>;
};

template <class Param> struct Pass;

/// How the fields of a struct parameter are passed: \p Fields is its FieldTypes.
template <class Fields> struct PassFields;
template <class... Field> struct PassFields<std::tuple<std::type_identity<Field>...>> {
  static constexpr std::size_t slots = (Pass<Field>::slots + ... + 0);
  static constexpr std::size_t optionals = (Pass<Field>::optionals + ... + 0);
  template <class Types> struct Takes : std::false_type {};
  template <class... Given>
    requires(sizeof...(Given) == sizeof...(Field))
  struct Takes<std::tuple<std::type_identity<Given>...>>
      : std::bool_constant<(Pass<Field>::template takes<Given>() && ...)> {};
  template <class... Given> static void pack(LaunchPacker &packer, const Given &...values) {
    (Pass<Field>::pack(packer, values), ...);
  }
};

/// Passing a value for a parameter of type \p Param: the most slots it takes (`slots`), the Opts in it, which argument
/// types are right (`takes`), and how they become slots (`pack`). The general case is a plain struct of parameters.
template <class Param> struct Pass {
  using Fields = PassFields<FieldTypes<Param>>;
  static constexpr std::size_t slots = Fields::slots, optionals = Fields::optionals;

  /// A tuple or an aggregate with a value for each field.
  template <class Given> static constexpr bool takes() {
    return Fields::template Takes<typename GivenTypes<Given>::Types>::value;
  }
  template <class Given> static void pack(LaunchPacker &packer, const Given &value) {
    const auto each = [&](const auto &...fields) { Fields::pack(packer, fields...); };
    if constexpr (std::is_aggregate_v<Given>)
      withFields(value, each);
    else
      std::apply(each, value);
  }
  template <class Given> static constexpr void require() {
    static_assert(takes<Given>(),
                  "a launch argument has the wrong type: its parameter is a struct, which takes a std::tuple or "
                  "a plain struct with a value for each field; LaunchArgument<index, parameter, given> in the "
                  "lines around this one says which");
  }
};

template <DType Element> struct Pass<Ptr<Element>> {
  static constexpr std::size_t slots = 1, optionals = 0;
  template <class Given> static constexpr bool takes() { return pointsTo<Element, std::remove_const_t<Given>>(); }
  template <class Given> static void pack(LaunchPacker &packer, const Given &value) {
    packPointer<Element>(packer, value);
  }
  template <class Given> static constexpr void require() {
    static_assert(takes<Given>() || !PointeeOf<Given>::value,
                  "a launch argument has another element type than its parameter: a Ptr<T> takes a Buffer<T>, "
                  "borrow<T>(pointer, count) or a pointer to the host type of T, with the same T; "
                  "LaunchArgument<index, parameter, given> in the lines around this one says which");
    static_assert(!HostRange<Given>,
                  "a launch argument is a std::vector or other range of the host, and its parameter is a Ptr<T>, which "
                  "takes memory of the device: pass device.upload(values), kept in a Buffer; "
                  "LaunchArgument<index, parameter, given> in the lines around this one says which");
    static_assert(!std::is_null_pointer_v<Given>,
                  "a launch argument is nullptr, and its parameter is a Ptr<T>, which takes memory: make the parameter "
                  "an Opt<Ptr<T>> and pass tessera::none; LaunchArgument<index, parameter, given> in the lines around "
                  "this one says which");
    static_assert(takes<Given>() || PointeeOf<Given>::value || HostRange<Given> || std::is_null_pointer_v<Given>,
                  "a launch argument has the wrong type: its parameter is a Ptr<T>, which takes a Buffer<T>, "
                  "borrow<T>(pointer, count) or a pointer to the host type of T, with the same T; "
                  "LaunchArgument<index, parameter, given> in the lines around this one says which");
  }
};
template <DType Element> struct Pass<Zeroed<Element>> : Pass<Ptr<Element>> {};
template <DType Element> struct Pass<MayAlias<Element>> : Pass<Ptr<Element>> {};

template <DType Element> struct Pass<Scalar<Element>> {
  static constexpr std::size_t slots = 1, optionals = 0;

  template <class Given> static constexpr bool takes() {
    if constexpr (Element.isBool())
      return std::same_as<Given, bool>;
    else if constexpr (Element.isInt())
      return LaunchInteger<Given>;
    else
      return std::floating_point<Given> || isNarrowFloat<Given>;
  }
  template <class Given> static void pack(LaunchPacker &packer, const Given &value) {
    using Host = host_type<Element>;
    if constexpr (Element.isBool()) {
      packer.scalar(value ? 1 : 0, Element);
    } else if constexpr (Element.isInt()) {
      if (!std::in_range<Host>(value))
        throwOutOfRange(packer, static_cast<std::uint64_t>(value), value < Given(0), Element);
      packer.scalar(static_cast<std::make_unsigned_t<Host>>(value), Element);
    } else {
      const Host host = static_cast<Host>(value);
      std::uint64_t bits = 0;
      __builtin_memcpy(&bits, &host, sizeof host);
      packer.scalar(bits, Element);
    }
  }
  template <class Given> static constexpr void require() {
    static_assert(!Element.isBool() || takes<Given>(),
                  "a launch argument has the wrong type: its parameter is a Bool, which takes a bool; "
                  "LaunchArgument<index, parameter, given> in the lines around this one says which");
    static_assert(
        !Element.isInt() || takes<Given>(),
        "a launch argument has the wrong type: its parameter is an integer (Int, I32, ...), which takes a C++ "
        "integer; LaunchArgument<index, parameter, given> in the lines around this one says which");
    static_assert(
        !Element.isFloat() || takes<Given>(),
        "a launch argument has the wrong type: its parameter is a floating-point number (F32, ...), which takes "
        "a float or double; LaunchArgument<index, parameter, given> in the lines around this one says which");
  }
};

template <DType Element, int Rank, int Contiguous> struct Pass<View<Element, Rank, Contiguous>> {
  static constexpr std::size_t slots = 1 + 2 * Rank, optionals = 0;

  template <class Given> struct GivenView : std::false_type {};
  template <DType Other>
  struct GivenView<ViewArg<Other, Rank>> : std::bool_constant<pointsTo<Element, Borrowed<Other>>()> {};
  template <class Given> static constexpr bool takes() { return GivenView<Given>::value; }

  template <DType Other> static void pack(LaunchPacker &packer, const ViewArg<Other, Rank> &value) {
    const std::array<std::int64_t, Rank> strides = value.dense ? denseStrides(value.extents) : value.strides;
    checkView(packer, untyped(value.base), value.extents.data(), strides.data(), Rank);
    packPointer<Element>(packer, value.base);
    for (std::int64_t extent : value.extents)
      packer.scalar(static_cast<std::uint64_t>(extent), i64);
    for (std::int64_t stride : strides)
      packer.scalar(static_cast<std::uint64_t>(stride), i64);
  }
  template <class Given> static constexpr void require() {
    static_assert(takes<Given>(), "a launch argument has the wrong type: its parameter is a View<T, rank>, which takes "
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

template <class Param> struct Pass<Opt<Param>> {
  static constexpr std::size_t slots = Pass<Param>::slots, optionals = 1 + Pass<Param>::optionals;

  template <class Given> struct Inner {
    using Type = Given;
  };
  template <class Given> struct Inner<std::optional<Given>> {
    using Type = Given;
  };
  template <class Given> static constexpr bool takes() {
    if constexpr (std::same_as<Given, None>)
      return true;
    else
      return Pass<Param>::template takes<typename Inner<Given>::Type>();
  }
  template <class Given> static void pack(LaunchPacker &packer, const Given &value) {
    packer.present |= std::uint64_t{1} << packer.optionals++;
    Pass<Param>::pack(packer, value);
  }
  static void pack(LaunchPacker &packer, const None &) { packer.optionals += optionals; }
  template <class Given> static void pack(LaunchPacker &packer, const std::optional<Given> &value) {
    if (value)
      pack(packer, *value);
    else
      pack(packer, none);
  }
  template <class Given> static constexpr void require() {
    if constexpr (!std::same_as<Given, None>)
      Pass<Param>::template require<typename Inner<Given>::Type>();
  }
};

template <class Param, std::size_t Count> struct Pass<std::array<Param, Count>> {
  static constexpr std::size_t slots = Count * Pass<Param>::slots, optionals = Count * Pass<Param>::optionals;

  template <class Given> struct GivenArray : std::false_type {};
  template <class Given>
  struct GivenArray<std::array<Given, Count>> : std::bool_constant<Pass<Param>::template takes<Given>()> {};
  template <class Given> static constexpr bool takes() { return GivenArray<Given>::value; }
  template <class Given> static void pack(LaunchPacker &packer, const std::array<Given, Count> &values) {
    for (const Given &value : values)
      Pass<Param>::pack(packer, value);
  }
  template <class Given> static constexpr void require() {
    static_assert(takes<Given>(),
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

  template <class... Args> LaunchArguments(const KernelName &kernel, std::source_location at, const Args &...args) {
    static_assert(sizeof...(Args) == sizeof...(Params), "a launch needs one argument for each parameter of the kernel");
    if constexpr (sizeof...(Args) == sizeof...(Params))
      fill(kernel, at, std::index_sequence_for<Params...>(), args...);
  }

private:
  template <std::size_t... Indices, class... Args>
  void fill(const KernelName &kernel, std::source_location at, std::index_sequence<Indices...>, const Args &...args) {
    static_assert((LaunchArgument<Indices, Params, std::decay_t<const Args>>::checked && ...));
    LaunchPacker packer{kernel, at, slots.data()};
    const auto one = [&]<std::size_t Index, class Param>(std::integral_constant<std::size_t, Index>,
                                                         std::type_identity<Param>, const auto &value) {
      packer.parameter = static_cast<std::uint16_t>(Index);
      Pass<Param>::pack(packer, value);
    };
    (one(std::integral_constant<std::size_t, Indices>(), std::type_identity<Params>(), args), ...);
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
    arg.base = borrow(memory);
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
