//===- Bundler.h - compile kernels ahead of time ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   void bundle(tessera::Bundler &b) {
//     b.add(vector_add<f32>.with({.block = 1024}));
//     b.add(softmax<f16>.with({.block = 4096}, {.num_warps = 8}), {.name = "softmax_4096"});
//   }
//
// The CMake function tessera_add_bundle builds a program of a source with this function and runs it: no device is
// needed. docs/deploying.md tells the rest.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLER_H
#define TESSERA_RUNTIME_BUNDLER_H

#include "tessera/runtime/Autotune.h"
#include "tessera/runtime/Launch.h"

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

/// How a kernel is bundled.
struct BundleOptions {
  /// What headers call the function; if empty, the kernel's name and its element types: `vector_add_f32`.
  std::string name = {};
  /// The element type of each `Ptr<any>` and `View<any, …>`, in order.
  std::vector<DType> any = {};
  /// Whether each Opt is there, in order; those beyond the list are absent, and no parameters of the function.
  std::vector<bool> present = {};
  /// Sets of integers that are strides and will be 1, for which code of their own is compiled: `{{"lda"}, {"lda",
  /// "ldb"}}`. The contiguous strides of views are one without being asked for. Other strides launch all the same.
  std::vector<std::vector<std::string>> unit_strides = {};
  /// Code, too, for grids whose extents on y or z are beyond the device's limits, for targets that have such limits.
  bool folded_grid = false;
  /// Of the bundle's targets those to compile for; empty: all.
  std::vector<std::string> targets = {};
};

namespace detail {

/// A kernel to bundle, without types.
struct BundleItem {
  std::shared_ptr<const KernelBase> kernel;
  std::shared_ptr<const void> config;
  std::string configText;
  std::vector<std::pair<std::string, std::int64_t>> constants; ///< integer fields of the config
  CompileOptions options;
  BundleOptions how;
  std::source_location at;
};

/// The integer fields of a config.
template <class Config> std::vector<std::pair<std::string, std::int64_t>> constantsOf(const Config &config) {
  std::vector<std::pair<std::string, std::int64_t>> constants;
  forEachField(config, [&](std::string_view name, const auto &value) {
    using Field = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_integral_v<Field> || std::is_enum_v<Field>)
      constants.emplace_back(std::string(name), static_cast<std::int64_t>(value));
  });
  return constants;
}

} // namespace detail

/// Collects the kernels of a bundle and compiles them. For one thread.
class TESSERA_API Bundler {
public:
  /// \p name, an identifier, is the bundle's; \p targets are what to compile for: "cuda:sm_90a", "hip:gfx942",
  /// "cpu:x86-64-v3"; "cuda:sm_80+ptx" has PTX besides, which the driver of a later chip compiles; "sim:sm_90a" is for
  /// tests of programs that have the compiler. UsageError for others.
  Bundler(std::string name, std::vector<std::string> targets);
  ~Bundler();
  Bundler(const Bundler &) = delete;
  Bundler &operator=(const Bundler &) = delete;

  /// Adds a kernel with config and options.
  template <class Config, class... Params>
  Bundler &add(const BoundKernel<Config, Params...> &kernel, const BundleOptions &how = {},
               std::source_location at = std::source_location::current()) {
    return add({kernel.kernel(), std::make_shared<const Config>(kernel.config()), detail::configText(kernel.config()),
                detail::constantsOf(kernel.config()), kernel.options(), how, at});
  }
  /// Adds a kernel with its default config and options.
  template <class Config, class... Params>
  Bundler &add(const Kernel<Config, Params...> &kernel, const BundleOptions &how = {},
               std::source_location at = std::source_location::current()) {
    return add(kernel.with(), how, at);
  }
  /// Adds all candidates of a space, called `<name>_0`, `<name>_1` …
  template <class Config, class... Params>
  Bundler &add(const Kernel<Config, Params...> &kernel, const std::type_identity_t<Space<Config>> &space,
               const BundleOptions &how = {}, std::source_location at = std::source_location::current()) {
    for (std::size_t i = 0; i != space.size(); ++i)
      addCandidate(detail::BundleItem{kernel.typed(), std::make_shared<const Config>(space[i].config),
                                      detail::configText(space[i].config), detail::constantsOf(space[i].config),
                                      space[i].options, how, at},
                   i);
    return *this;
  }
  /// Adds the tuning records in a file, which programs read that Bundle::serve() the bundle.
  Bundler &add_records(const std::string &path, std::source_location at = std::source_location::current());

  const std::string &name() const;
  /// What it is to compile for, as given.
  const std::vector<std::string> &targets() const;

  /// Compiles all that was added, on all cores, and writes `<name>.tbundle`, `<name>.h`, `<name>_c.h` and
  /// `<name>_bundle.cpp`, which links the bundle into a program, to \p folder. Says on standard output what it wrote.
  /// UsageError without kernels; UsageError or CompileError that tells of every kernel that does not compile.
  void write(const std::string &folder);

private:
  struct State;
  Bundler &add(detail::BundleItem item);
  void addCandidate(detail::BundleItem item, std::size_t number);
  std::unique_ptr<State> state;
};

/// The main function of a bundler program: `--name NAME --out FOLDER --target TARGET … --records FILE …`; \p fill adds
/// the kernels. The exit status; what goes wrong is said on standard error.
TESSERA_API int run_bundler(int argc, char **argv, void (*fill)(Bundler &));

} // namespace tessera

#endif // TESSERA_RUNTIME_BUNDLER_H
