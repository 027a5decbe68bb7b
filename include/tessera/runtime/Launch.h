//===- Launch.h - compile and launch kernels -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `add.with({.block = 2048}, {.num_warps = 8}).launch(stream, {cdiv(n, 2048)}, x, y, out, n)`. The first launch with a
// config, options and kind of arguments compiles; later ones look the result up. All of it may be called from any
// thread; two threads that need the same compilation share it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LAUNCH_H
#define TESSERA_RUNTIME_LAUNCH_H

#include "tessera/core/CompileOptions.h"
#include "tessera/core/Target.h"
#include "tessera/lang/Kernel.h"
#include "tessera/runtime/Binary.h"
#include "tessera/runtime/Device.h"
#include "tessera/runtime/Grid.h"
#include "tessera/runtime/LaunchArguments.h"
#include "tessera/runtime/LaunchPlace.h"

#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

namespace detail {

/// A config as numbers that are equal exactly for equal configs, where its fields allow it: see ConfigWords.
template <class Type> constexpr std::size_t wordCount() {
  if constexpr (std::is_arithmetic_v<Type> || std::is_enum_v<Type> || std::same_as<Type, DType>)
    return 1;
  else if constexpr (IsStdArray<Type>::value)
    return std::tuple_size_v<Type> * wordCount<typename Type::value_type>();
  else if constexpr (std::is_aggregate_v<Type> && std::is_class_v<Type>)
    return decltype(withFields(std::declval<Type &>(), [](auto &...fields) {
      return std::integral_constant<std::size_t, (wordCount<std::remove_cvref_t<decltype(fields)>>() + ... + 0)>();
    }))::value;
  else
    return 4096; // a string or the like
}
template <class Type> void encodeWords(const Type &value, std::uint64_t *&out) {
  if constexpr (std::same_as<Type, DType>)
    *out++ = static_cast<std::uint64_t>(value.kind) << 8 | value.pointers;
  else if constexpr (std::floating_point<Type>)
    *out++ = std::bit_cast<std::uint64_t>(static_cast<double>(value));
  else if constexpr (std::is_arithmetic_v<Type> || std::is_enum_v<Type>)
    *out++ = static_cast<std::uint64_t>(value);
  else if constexpr (IsStdArray<Type>::value)
    for (const auto &element : value)
      encodeWords(element, out);
  else
    withFields(value, [&](const auto &...fields) { (encodeWords(fields, out), ...); });
}
/// Two words that identify \p text.
TESSERA_API std::array<std::uint64_t, 2> hashConfig(std::string_view text);

/// The config's part of a key: its fields, or a hash of its text if it holds strings.
template <class Config> struct ConfigWords {
  static constexpr bool direct = wordCount<Config>() <= 64;
  static constexpr std::size_t count = direct ? wordCount<Config>() : 2;

  std::array<std::uint64_t, count == 0 ? 1 : count> words{};

  explicit ConfigWords(const Config &config) {
    if constexpr (direct) {
      std::uint64_t *out = words.data();
      encodeWords(config, out);
    } else {
      words = hashConfig(configText(config));
    }
  }
  std::span<const std::uint64_t> get() const { return {words.data(), count}; }
};

/// What all copies of a kernel share: its name and what was compiled of it.
class TESSERA_API KernelBase : public KernelName {
public:
  KernelBase(std::string name, std::source_location at);
  virtual ~KernelBase();
  KernelBase(const KernelBase &) = delete;
  KernelBase &operator=(const KernelBase &) = delete;

  /// What tracing starts from. \p config points to a value of the kernel's config type.
  virtual KernelSpec spec(const void *config) const = 0;
  virtual std::string configText(const void *config) const = 0;

  const std::source_location at;

  struct State;
  const std::unique_ptr<State> state;
};

template <class Config> class TypedKernel final : public KernelBase {
public:
  using MakeSpec = std::function<KernelSpec(const Config &)>;

  TypedKernel(std::string name, std::source_location at, MakeSpec makeSpec)
      : KernelBase(std::move(name), at), makeSpec(std::move(makeSpec)) {}

  KernelSpec spec(const void *config) const override {
    KernelSpec spec = makeSpec(*static_cast<const Config *>(config));
    if (!names.empty())
      spec.names = names;
    return spec;
  }
  std::string configText(const void *config) const override {
    return tessera::detail::configText(*static_cast<const Config *>(config));
  }

  const MakeSpec makeSpec;
};

/// A kernel with config and options, without types.
struct BoundView {
  const KernelBase &kernel;
  const void *config;
  std::span<const std::uint64_t> configWords;
  const CompileOptions &options;
};

/// Which compiled kernel a launch took last, for launches with the same arguments and grid. Copies remember the same.
class LaunchMemo {
public:
  LaunchMemo() = default;
  LaunchMemo(const LaunchMemo &other) : variant(other.variant.load(std::memory_order_acquire)) {}
  LaunchMemo &operator=(const LaunchMemo &other) {
    variant.store(other.variant.load(std::memory_order_acquire), std::memory_order_release);
    return *this;
  }

  std::atomic<const void *> variant{nullptr}; ///< of the kernel's state, which lives as long as the kernel
};

/// Compiles if need be and enqueues. \p memo, if given, is used and kept up to date.
TESSERA_API void launch(const BoundView &bound, const Stream &stream, const Grid &grid,
                        std::span<const LaunchSlot> slots, std::uint64_t present, std::source_location at,
                        LaunchMemo *memo = nullptr);
TESSERA_API tessera::Binary compile(const BoundView &bound, const Target &target, const Variant &variant,
                                    std::source_location at);
TESSERA_API std::string emit(const BoundView &bound, const Target &target, std::string_view stage,
                             const Variant &variant, std::source_location at);
TESSERA_API std::vector<CompileRecord> compilations(const KernelBase &kernel);
/// UsageError: a prepared launch was given an argument with another number of slots.
[[noreturn]] TESSERA_API void throwPresenceChanged(const KernelName &kernel, std::size_t parameter,
                                                   std::source_location at);

/// Replaces argument number \p Index among packed ones.
template <std::size_t Index, class Value, class... Params>
void setArgument(const KernelName &kernel, LaunchArguments<Params...> &arguments, const Value &value,
                 std::source_location at) {
  static_assert(Index < sizeof...(Params), "the kernel has fewer parameters than the index given to set");
  using Parameter = std::tuple_element_t<Index, std::tuple<std::type_identity<Params>...>>::type;
  static_assert(LaunchArgument<Index, Parameter, std::decay_t<const Value>>::checked);
  std::array<LaunchSlot, Pass<Parameter>::slots + 1> fresh;
  LaunchPacker packer{kernel, at, fresh.data()};
  packer.parameter = Index;
  Pass<Parameter>::pack(packer, value);
  std::size_t first = 0, old = 0;
  for (std::size_t i = 0; i != arguments.count; ++i) {
    first += arguments.slots[i].parameter < Index;
    old += arguments.slots[i].parameter == Index;
  }
  if (packer.count != old)
    throwPresenceChanged(kernel, Index, at);
  for (std::size_t i = 0; i != old; ++i)
    arguments.slots[first + i] = fresh[i];
}

} // namespace detail

/// A launch with its arguments packed, to be enqueued many times. Buffers it was given must outlive its calls.
template <class... Params> class Prepared {
public:
  /// Enqueues the launch.
  void operator()(detail::LaunchPlace place) const {
    detail::launch({*kernel_, config_.get(), words_, options_}, place.stream, grid_,
                   {arguments_.slots.data(), arguments_.count}, arguments_.present, place.at, &memo_);
  }
  /// Replaces argument number \p Index.
  template <std::size_t Index, class Value>
  Prepared &set(const Value &value, std::source_location at = std::source_location::current()) {
    detail::setArgument<Index>(*kernel_, arguments_, value, at);
    memo_ = {};
    return *this;
  }
  /// Replaces the grid.
  Prepared &set_grid(Grid grid) {
    grid_ = grid;
    memo_ = {};
    return *this;
  }

private:
  template <class, class...> friend class BoundKernel;
  Prepared(std::shared_ptr<const detail::KernelBase> kernel, std::shared_ptr<const void> config,
           std::vector<std::uint64_t> words, const CompileOptions &options, Grid grid,
           detail::LaunchArguments<Params...> arguments)
      : kernel_(std::move(kernel)), config_(std::move(config)), words_(std::move(words)), options_(options),
        grid_(grid), arguments_(std::move(arguments)) {}

  std::shared_ptr<const detail::KernelBase> kernel_;
  std::shared_ptr<const void> config_;
  std::vector<std::uint64_t> words_;
  CompileOptions options_;
  Grid grid_;
  detail::LaunchArguments<Params...> arguments_;
  mutable detail::LaunchMemo memo_;
};

/// A kernel with its config and options fixed. A value; cheap to make and copy.
template <class Config, class... Params> class BoundKernel {
public:
  /// Enqueues the kernel on a stream, or a device's default one. UsageError at the caller's line for arguments that
  /// cannot be right; CompileError if the target cannot run the kernel; DeviceError from the device.
  template <class... Args> void launch(detail::LaunchPlace place, Grid grid, const Args &...args) const {
    const detail::LaunchArguments<Params...> arguments(*kernel_, place.at, args...);
    detail::launch(view(), place.stream, grid, {arguments.slots.data(), arguments.count}, arguments.present, place.at);
  }
  /// The same with a grid that depends on the config: `[&](const AddConfig &c) { return Grid{cdiv(n, c.block)}; }`.
  template <detail::GridFunction<Config> GridOf, class... Args>
  void launch(detail::LaunchPlace place, const GridOf &grid, const Args &...args) const {
    launch(std::move(place), Grid(grid(config_)), args...);
  }
  /// Packs the arguments for many launches: `auto go = k.prepare({n}, x, n); go(stream); go.set<1>(m); go(stream);`.
  template <class... Args> Prepared<Params...> prepare(detail::GridPlace place, const Args &...args) const {
    const std::span<const std::uint64_t> words = words_.get();
    return Prepared<Params...>(kernel_, std::make_shared<const Config>(config_), {words.begin(), words.end()}, options_,
                               place.grid, detail::LaunchArguments<Params...>(*kernel_, place.at, args...));
  }
  /// The same with a grid that depends on the config. Errors name the line of the kernel.
  template <detail::GridFunction<Config> GridOf, class... Args>
  Prepared<Params...> prepare(const GridOf &grid, const Args &...args) const {
    return prepare(detail::GridPlace(Grid(grid(config_)), kernel_->at), args...);
  }

  /// Compiles for a target, which needs no device. CompileError if this library has no back end for it.
  Binary compile(const Target &target, const Variant &variant = {},
                 std::source_location at = std::source_location::current()) const {
    return detail::compile(view(), target, variant, at);
  }
  /// The program after a stage as text: "tile", or what the target's back end has ("layout", "llvm", "asm", "binary").
  std::string print(std::string_view stage = "tile", const Target &target = Target("interp"),
                    const Variant &variant = {}, std::source_location at = std::source_location::current()) const {
    return detail::emit(view(), target, stage, variant, at);
  }

  const Config &config() const { return config_; }
  const CompileOptions &options() const { return options_; }

  /// \name For other parts of this library
  /// @{
  const std::shared_ptr<const detail::TypedKernel<Config>> &kernel() const { return kernel_; }
  /// @}

private:
  template <class, class...> friend class Kernel;
  BoundKernel(std::shared_ptr<const detail::TypedKernel<Config>> kernel, Config config, const CompileOptions &options)
      : kernel_(std::move(kernel)), config_(std::move(config)), words_(config_), options_(options) {}

  detail::BoundView view() const { return {*kernel_, &config_, words_.get(), options_}; }

  std::shared_ptr<const detail::TypedKernel<Config>> kernel_;
  Config config_;
  detail::ConfigWords<Config> words_;
  CompileOptions options_;
};

/// A kernel, made by `kernel(name, body)`. A handle: copies share what was compiled. Usable from any thread.
template <class Config, class... Params> class Kernel {
public:
  using config_type = Config;

  Kernel(std::string name, std::source_location at, typename detail::TypedKernel<Config>::MakeSpec makeSpec)
      : kernel_(std::make_shared<detail::TypedKernel<Config>>(std::move(name), at, std::move(makeSpec))) {}

  const std::string &name() const { return kernel_->name; }

  /// A kernel of its own with names for the parameters, for printed IR and messages.
  Kernel params(std::initializer_list<const char *> names) const {
    Kernel named(kernel_->name, kernel_->at, kernel_->makeSpec);
    named.kernel_->names.assign(names.begin(), names.end());
    return named;
  }

  /// Fixes config and options: `with({.block = 2048}, {.num_warps = 8})`.
  BoundKernel<Config, Params...> with(Config config = {}, const CompileOptions &options = {}) const {
    return {kernel_, std::move(config), options};
  }

  /// Launches with the default config and options; see BoundKernel::launch.
  template <class... Args> void launch(detail::LaunchPlace place, Grid grid, const Args &...args) const {
    with().launch(std::move(place), grid, args...);
  }
  template <detail::GridFunction<Config> GridOf, class... Args>
  void launch(detail::LaunchPlace place, const GridOf &grid, const Args &...args) const {
    with().launch(std::move(place), grid, args...);
  }
  /// Prepares with the default config and options; see BoundKernel::prepare.
  template <class... Args> Prepared<Params...> prepare(detail::GridPlace place, const Args &...args) const {
    return with().prepare(place, args...);
  }
  template <detail::GridFunction<Config> GridOf, class... Args>
  Prepared<Params...> prepare(const GridOf &grid, const Args &...args) const {
    return with().prepare(grid, args...);
  }
  /// Compiles with the default config and the given options; see BoundKernel::compile.
  Binary compile(const Target &target, const CompileOptions &options = {}, const Variant &variant = {},
                 std::source_location at = std::source_location::current()) const {
    return with({}, options).compile(target, variant, at);
  }
  /// Prints with the default config and options; see BoundKernel::print.
  std::string print(std::string_view stage = "tile", const Target &target = Target("interp"),
                    const Variant &variant = {}, std::source_location at = std::source_location::current()) const {
    return with().print(stage, target, variant, at);
  }

  /// Every compilation so far that launches of this kernel caused, in order.
  std::vector<CompileRecord> compilations() const { return detail::compilations(*kernel_); }
  /// What tracing starts from, for tools.
  detail::KernelSpec spec(const Config &config = {}) const { return kernel_->spec(&config); }

  /// \name For other parts of this library
  /// @{
  const std::shared_ptr<detail::TypedKernel<Config>> &typed() const { return kernel_; }
  /// @}

private:
  std::shared_ptr<detail::TypedKernel<Config>> kernel_;
};

/// The text of \p kernel (a Kernel, or one with a config) after a stage for a target: `emit(add<f32>, Target("cpu"),
/// "asm")`. Launches nothing and needs no device. CompileError, naming the target, if this library has no back end for
/// it.
template <class AnyKernel>
std::string emit(const AnyKernel &kernel, const Target &target, std::string_view stage, const Variant &variant = {},
                 std::source_location at = std::source_location::current()) {
  return kernel.print(stage, target, variant, at);
}

} // namespace tessera

#endif // TESSERA_RUNTIME_LAUNCH_H
