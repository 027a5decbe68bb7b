//===- Bundle.h - kernels compiled ahead of time ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A bundle holds compiled kernels for a list of chips. The header made with it, which includes this one, declares a
// BundledKernel for each: a program that launches those links libtessera_runtime.so and no compiler. docs/deploying.md
// tells how bundles are made.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLE_H
#define TESSERA_RUNTIME_BUNDLE_H

#include "tessera/core/Error.h"
#include "tessera/core/Export.h"
#include "tessera/runtime/LaunchArguments.h"
#include "tessera/runtime/LaunchPlace.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera {

namespace rt {
class BundleState;
class BundledFunction;
} // namespace rt

/// An open bundle. A handle: copies share what was loaded of it. Usable from any thread. What is damaged in the file is
/// a UsageError that names it, when the bundle is opened or, for the code of a kernel, when that is first needed.
class TESSERA_API Bundle {
public:
  /// The bundle in a file, which stays open.
  static Bundle load(const std::string &path, std::source_location at = std::source_location::current());
  /// The bundle in memory that stays as it is for as long as the process lives.
  static Bundle in_memory(std::span<const std::byte> bytes, std::source_location at = std::source_location::current());

  const std::string &name() const;
  /// What it can launch, by the names of the header.
  std::vector<std::string> functions() const;
  /// What its functions were compiled for, sorted: "cpu:x86-64-v3", "cuda:sm_80", "cuda:sm_80+ptx".
  std::vector<std::string> targets() const;

  /// Loads every function onto \p device, so that no launch has to. UsageError if one has no code for it.
  void preload(const Device &device, std::source_location at = std::source_location::current()) const;
  /// Lets kernels of this process that are launched by their C++ objects take their code from this bundle instead of
  /// compiling it, where it was made from the same text of the kernel; and tuned ones their choices.
  void serve() const;

  /// \name For other parts of this library
  /// @{
  explicit Bundle(std::shared_ptr<rt::BundleState> state) : state_(std::move(state)) {}
  rt::BundleState &state() const { return *state_; }
  /// @}

private:
  std::shared_ptr<rt::BundleState> state_;
};

namespace detail {

/// Where the functions of a generated header come from: the bundle linked into the program, or one named with take().
/// Constant-initialised, so that static objects may launch.
class TESSERA_API BundleSource {
public:
  constexpr BundleSource(const char *name, const unsigned char *begin, const unsigned char *end)
      : name(name), begin(begin), end(end) {}
  BundleSource(const BundleSource &) = delete;
  BundleSource &operator=(const BundleSource &) = delete;

  /// Opens it if need be. UsageError at \p at if no bundle is linked in and none was named.
  Bundle get(std::source_location at = std::source_location::current());
  /// Takes functions from \p bundle from now on. UsageError if it is called otherwise than the header's.
  void take(const Bundle &bundle, std::source_location at);
  /// Function \p number, which must have \p signature; UsageError at \p at if the bundle is not the header's.
  const rt::BundledFunction &function(std::uint32_t number, std::uint64_t signature, std::source_location at) {
    rt::BundleState *bundle = state.load(std::memory_order_acquire);
    return find(bundle ? *bundle : open(at), number, signature, at);
  }

private:
  rt::BundleState &open(std::source_location at);
  const rt::BundledFunction &find(rt::BundleState &bundle, std::uint32_t number, std::uint64_t signature,
                                  std::source_location at) const;

  const char *const name;
  const unsigned char *const begin, *const end;
  std::atomic<rt::BundleState *> state{nullptr}; ///< never destroyed
};

TESSERA_API const KernelName &nameOf(const rt::BundledFunction &function);
/// Enqueues the function.
TESSERA_API void launch(const rt::BundledFunction &function, const Stream &stream, const Grid &grid,
                        std::span<const LaunchSlot> slots, std::source_location at);

} // namespace detail

/// A kernel of a bundle: config, options and types of arguments are fixed. A constant in a generated header.
template <class Config, class... Params> class BundledKernel {
public:
  using config_type = Config;
  /// The integer fields of the config it was compiled with.
  static constexpr Config config{};

  constexpr BundledKernel(detail::BundleSource &source, std::uint32_t number, std::uint64_t signature)
      : source(&source), number(number), signature(signature) {}

  /// Enqueues the kernel on a stream, or a device's default one. UsageError at the caller's line for arguments that
  /// cannot be right, or if the bundle has no code for the device; DeviceError from the device.
  template <class... Args> void launch(detail::LaunchPlace place, Grid grid, const Args &...args) const {
    const rt::BundledFunction &function = source->function(number, signature, place.at);
    const detail::LaunchArguments<Params...> arguments(detail::nameOf(function), place.at, args...);
    detail::launch(function, place.stream, grid, {arguments.slots.data(), arguments.count}, place.at);
  }
  /// The same with a grid that depends on the config: `[&](const auto &c) { return Grid(cdiv(n, c.block)); }`.
  template <detail::GridFunction<Config> GridOf, class... Args>
  void launch(detail::LaunchPlace place, const GridOf &grid, const Args &...args) const {
    launch(std::move(place), Grid(grid(config)), args...);
  }

private:
  detail::BundleSource *source;
  std::uint32_t number;
  std::uint64_t signature;
};

} // namespace tessera

#endif // TESSERA_RUNTIME_BUNDLE_H
