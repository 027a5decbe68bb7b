//===- Kernel.h - a C++ function as a kernel -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `kernel("name", [](const Config &c, Ptr<f32> x, Int n) { ... })` names a kernel. Its parameter types are the ABI; a
// first parameter that is a plain struct without traced values is the config. The body runs once per specialisation.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_KERNEL_H
#define TESSERA_LANG_KERNEL_H

#include "tessera/lang/Params.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <tuple>

namespace tessera {

/// A kernel with its config type (`NoConfig` if it takes none) and parameter types; defined in runtime/Launch.h.
template <class Config, class... Params> class Kernel;

/// The config of a kernel without one.
struct NoConfig {};

namespace detail {

/// Whether a struct holds traced values, so that it is a parameter and not a config.
template <class Type> struct HoldsTraced : std::bool_constant<std::is_base_of_v<Value, Type>> {};
template <class Inner> struct HoldsTraced<Opt<Inner>> : std::true_type {};
template <DType Element, int Rank, int Contiguous>
struct HoldsTraced<View<Element, Rank, Contiguous>> : std::true_type {};
template <class Inner, std::size_t Count> struct HoldsTraced<std::array<Inner, Count>> : HoldsTraced<Inner> {};
template <class Type>
  requires(std::is_aggregate_v<Type> && std::is_class_v<Type>)
struct HoldsTraced<Type> : std::bool_constant<decltype(withFields(std::declval<Type &>(), [](auto &...fields) {
  return std::bool_constant<(HoldsTraced<std::remove_cvref_t<decltype(fields)>>::value || ...)>();
}))::value> {};

template <class Type>
concept ConfigStruct = std::is_aggregate_v<Type> && std::is_class_v<Type> && !HoldsTraced<Type>::value;

template <class... Param> struct TypeList {};

/// Parameter types as written, without const and references.
template <class Function> struct Signature : Signature<decltype(&Function::operator())> {};
template <class Result, class... Param> struct Signature<Result (*)(Param...)> {
  static_assert(std::is_void_v<Result>, "a kernel returns nothing: store its results");
  using Types = TypeList<std::remove_cvref_t<Param>...>;
};
template <class Function, class Result, class... Param>
struct Signature<Result (Function::*)(Param...) const> : Signature<Result (*)(Param...)> {};
template <class Function, class Result, class... Param>
struct Signature<Result (Function::*)(Param...)> : Signature<Result (*)(Param...)> {
  static_assert(alwaysFalse<Function>,
                "a kernel's lambda must not be mutable: it may be traced several times, by several threads");
};

/// Splits the config from the parameters.
template <class List> struct Split;
template <> struct Split<TypeList<>> {
  using Config = NoConfig;
  using Params = TypeList<>;
};
template <class First, class... Rest> struct Split<TypeList<First, Rest...>> {
  static constexpr bool hasConfig = ConfigStruct<First>;
  using Config = std::conditional_t<hasConfig, First, NoConfig>;
  using Params = std::conditional_t<hasConfig, TypeList<Rest...>, TypeList<First, Rest...>>;
};

/// The kernel type of a config and a list of parameter types, and how its function is called.
template <class Config, class List> struct KernelOf;
template <class Config, class... Param> struct KernelOf<Config, TypeList<Param...>> {
  using Type = Kernel<Config, Param...>;

  static ParamList describe(const std::vector<std::string> &names) {
    ParamList list;
    list.parameters = sizeof...(Param);
    std::size_t index = 0;
    const auto describeOne = [&](auto bind) {
      decltype(bind)::describe(list, {index < names.size() ? names[index] : "arg" + std::to_string(index), -1});
      ++index;
    };
    (describeOne(Bind<Param>()), ...);
    return list;
  }
  template <class Body> static void run(const Body &body, const Config &config, ParamBinder &binder) {
    std::tuple<Param...> arguments{Bind<Param>::make(binder)...};
    std::apply(
        [&](Param &...each) {
          if constexpr (std::same_as<Config, NoConfig>)
            body(std::move(each)...);
          else
            body(config, std::move(each)...);
        },
        arguments);
  }
};

template <class Body> struct KernelTypes {
  using Parts = Split<typename Signature<Body>::Types>;
  using Config = typename Parts::Config;
  using Of = KernelOf<Config, typename Parts::Params>;
};

/// What makes the spec of \p body for a config; \p body is shared by copies.
template <class Body>
std::function<KernelSpec(const typename KernelTypes<Body>::Config &)>
specMaker(std::string_view name, std::vector<std::string> names, Body body, std::source_location at) {
  using Config = typename KernelTypes<Body>::Config;
  using Of = typename KernelTypes<Body>::Of;
  auto shared = std::make_shared<const Body>(std::move(body));
  return [name = std::string(name), names = std::move(names), shared = std::move(shared), at](const Config &config) {
    return KernelSpec{name, at, names, &Of::describe,
                      [shared, config](ParamBinder &binder) { Of::run(*shared, config, binder); }};
  };
}

} // namespace detail

/// Names a kernel. \p body, a lambda or function of an optional config (`const Config &`) and parameters, runs once per
/// specialisation, to record it, on the thread that first needs it; misuse inside it is reported at the user's line.
template <class Body>
auto kernel(std::string_view name, Body body, std::source_location at = std::source_location::current()) {
  using Type = typename detail::KernelTypes<Body>::Of::Type;
  return Type(std::string(name), at, detail::specMaker(name, {}, std::move(body), at));
}
/// The same with names for the parameters, used in printed IR and messages: `kernel("add", {"x", "y", "out", "n"},
/// ...)`.
template <class Body>
auto kernel(std::string_view name, std::initializer_list<const char *> parameters, Body body,
            std::source_location at = std::source_location::current()) {
  using Type = typename detail::KernelTypes<Body>::Of::Type;
  return Type(std::string(name), at, detail::specMaker(name, {}, std::move(body), at)).params(parameters);
}

} // namespace tessera

#endif // TESSERA_LANG_KERNEL_H
