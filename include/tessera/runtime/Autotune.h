//===- Autotune.h - the fastest config, found by measuring -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   auto tuned = autotune(matmul<f16>, matmul_space(device.target()), key("m", "n", "k"));
//   tuned.launch(stream, [&](const MatmulConfig &c) { return Grid{cdiv(m, c.bm) * cdiv(n, c.bn)}; }, a, b, out, m, n,
//   k);
//
// The first launch with a key compiles the candidates and times them; later ones, in later processes too, launch the
// fastest. What tuning does to the arguments is undone: the launch leaves what one launch leaves. docs/tuning.md
// explains spaces, keys and what is kept.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_H
#define TESSERA_RUNTIME_AUTOTUNE_H

#include "tessera/core/CompileOptions.h"
#include "tessera/core/DType.h"
#include "tessera/core/Reflect.h"
#include "tessera/core/Target.h"
#include "tessera/runtime/Launch.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

/// One way to run a kernel.
template <class Config> struct Candidate {
  Config config = {};
  CompileOptions options = {};
};

/// What a kernel may be run with. Of candidates that are equally fast the earliest is taken.
template <class Config> using Space = std::vector<Candidate<Config>>;

/// A field of a config or of CompileOptions and values for it. Made by vary.
template <class Struct, class Field> struct Axis {
  Field Struct::*field;
  std::vector<Field> values;
};

/// `vary(&MatmulConfig::bm, {64, 128})`
template <class Struct, class Field>
Axis<Struct, Field> vary(Field Struct::*field, std::initializer_list<std::type_identity_t<Field>> values) {
  return {field, values};
}
template <class Struct, class Field>
Axis<Struct, Field> vary(Field Struct::*field, std::vector<std::type_identity_t<Field>> values) {
  return {field, std::move(values)};
}

namespace detail {

template <class Type> struct IsAxis : std::false_type {};
template <class Struct, class Field> struct IsAxis<Axis<Struct, Field>> : std::true_type {};

template <class Config, class Struct, class Field>
void setField(Candidate<Config> &candidate, Field Struct::*field, const Field &value) {
  static_assert(std::same_as<Struct, Config> || std::same_as<Struct, CompileOptions>,
                "a space varies fields of the kernel's config and of CompileOptions");
  if constexpr (std::same_as<Struct, CompileOptions>)
    candidate.options.*field = value;
  else
    candidate.config.*field = value;
}

/// The config among the structs whose fields are varied.
template <class... Axes> struct ConfigOf {
  using Type = NoConfig;
};
template <class Struct, class Field, class... Rest> struct ConfigOf<Axis<Struct, Field>, Rest...> {
  using Type = std::conditional_t<std::same_as<Struct, CompileOptions>, typename ConfigOf<Rest...>::Type, Struct>;
};

} // namespace detail

/// Every combination of the values, the other fields as in \p base; the last axis changes fastest. Drop what makes no
/// sense with std::erase_if or TuneOptions::constraint.
template <class Config, class... Axes>
  requires(detail::IsAxis<Axes>::value && ...)
Space<Config> combinations(const Candidate<Config> &base, const Axes &...axes) {
  Space<Config> space{base};
  const auto extend = [&space]<class Struct, class Field>(const Axis<Struct, Field> &axis) {
    Space<Config> longer;
    for (const Candidate<Config> &candidate : space)
      for (const Field value : axis.values) {
        longer.push_back(candidate);
        detail::setField(longer.back(), axis.field, value);
      }
    space = std::move(longer);
  };
  (extend(axes), ...);
  return space;
}
/// The same on top of the defaults: `combinations(vary(&MatmulConfig::bm, {64, 128}), vary(&CompileOptions::num_warps,
/// {4}))`.
template <class... Axes>
  requires(sizeof...(Axes) > 0 && (detail::IsAxis<Axes>::value && ...))
auto combinations(const Axes &...axes) {
  return combinations(Candidate<typename detail::ConfigOf<Axes...>::Type>(), axes...);
}

/// A part of a key: a value, or the name of a parameter whose value counts at each launch.
struct TESSERA_API KeyPart {
  std::string text;       ///< the name, or the value as text
  bool parameter = false; ///< a name
  bool rounded = false;   ///< its value is rounded up to a power of two

  KeyPart(const char *name) : text(name), parameter(true) {}
  KeyPart(std::string name) : text(std::move(name)), parameter(true) {}
  template <class Value>
    requires(std::is_arithmetic_v<Value> || std::is_enum_v<Value> || std::same_as<Value, DType>)
  KeyPart(const Value &value) {
    detail::appendValue(text, value);
  }
};

/// What a choice holds for, beside the device, the kernel and its element types: other values are tuned anew.
using TuneKey = std::vector<KeyPart>;

/// `key("m", "n")` names parameters of the kernel, `key(m, n)` gives values that stay. A view's extents and strides
/// are called "a.extent0", "a.stride1".
template <class... Parts> TuneKey key(const Parts &...parts) { return {KeyPart(parts)...}; }

/// An integer parameter that counts as the next power of two, so that sizes nearby share a choice: `key(bucket("m"))`.
inline KeyPart bucket(const char *name) {
  KeyPart part(name);
  part.rounded = true;
  return part;
}

/// The launch that is tuned, for models of its cost.
struct TESSERA_API TuneProblem {
  Target target;
  std::vector<std::pair<std::string, std::int64_t>> integers; ///< arguments by the names of their parameters

  /// The integer argument called \p name. UsageError if there is none.
  std::int64_t operator[](std::string_view name) const;
};

/// How to tune.
template <class Config> struct TuneOptions {
  /// Candidates for which it is false do not take part.
  std::function<bool(const Config &, const CompileOptions &)> constraint = {};
  /// A guess of a candidate's time, in any unit: only the `keep` cheapest are compiled and timed. Infinite or NaN: the
  /// candidate does not take part.
  std::function<double(const Config &, const CompileOptions &, const TuneProblem &)> cost = {};
  int keep = 16;
  double budget_ms = 1000;      ///< for timing; compiling comes on top
  double time_limit_ms = 10000; ///< of one call: candidates that take longer are given up
  bool allow_spills = false;    ///< candidates may keep registers in memory
  /// Candidates are timed in a process of their own, where one that faults or never ends does no harm. The process is
  /// tessera-tune; hooks are not called there.
  bool isolate = false;
  /// The most memory that copies of arguments may take; 0: a quarter of the device's, or 1 GiB where that is unknown.
  std::int64_t snapshot_bytes = 0;
  /// Called before and after each launch that is timed, and pre_hook before the launch that tuning was for. With a
  /// pre_hook memory of unknown size that the kernel reads and writes is the hook's affair.
  std::function<void(const Stream &)> pre_hook = {}, post_hook = {};
  /// Files with records that come with a program: read, never written to. Beside those of TESSERA_TUNE_RECORDS.
  std::vector<std::string> records = {};
};

/// What is known of one candidate.
struct TuneRow {
  std::string config;       ///< `{block=1024}`
  std::string options;      ///< what differs from the defaults
  double ms = 0;            ///< median time of a call
  double low = 0, high = 0; ///< 95 % confidence interval of the median
  int samples = 0;          ///< 0: not timed
  double compile_ms = 0;    ///< what finding out cost
  double timing_ms = 0;
  std::string skipped;   ///< why it was not timed, or not for long
  bool recorded = false; ///< known from an earlier tuning
  bool chosen = false;
};

/// How a choice was made.
struct TuneReport {
  std::string kernel, arguments, key, device;
  std::vector<TuneRow> rows; ///< in the order of the space
  std::string ending;        ///< why timing ended: `separated`, `tied`, `budget spent`, `recorded`, `only candidate` …
  double compile_ms = 0;     ///< wall time
  double timing_ms = 0;
};

namespace detail {

/// What TuneOptions says, without types; candidates go by number.
struct TuneSettings {
  std::function<double(std::size_t, const TuneProblem &)> cost;
  int keep = 16;
  double budgetMs = 0, timeLimitMs = 0;
  bool allowSpills = false, isolate = false;
  std::int64_t snapshotBytes = 0;
  std::function<void(const Stream &)> preHook, postHook;
  std::vector<std::string> records;
};

/// A candidate without types.
struct TuneItem {
  const void *config = nullptr;
  std::span<const std::uint64_t> words;
  CompileOptions options;
};

/// The grid that a launch has with a config.
struct GridSource {
  const void *function = nullptr;
  Grid (*call)(const void *function, const void *config) = nullptr;
};
template <class Config, class Function> GridSource gridSource(const Function &function) {
  return {&function, [](const void *function, const void *config) {
            return Grid((*static_cast<const Function *>(function))(*static_cast<const Config *>(config)));
          }};
}
inline GridSource gridSource(const Grid &grid) {
  return {&grid, [](const void *grid, const void *) { return *static_cast<const Grid *>(grid); }};
}

/// Candidates and what was chosen from them; defined in lib/Driver.
struct TunedState;

/// UsageError at \p at if there are no candidates or the key makes no sense. \p owner keeps what \p items point to.
TESSERA_API std::shared_ptr<TunedState> makeTuned(std::shared_ptr<const KernelBase> kernel,
                                                  std::shared_ptr<const void> owner, std::vector<TuneItem> items,
                                                  TuneKey key, TuneSettings settings, std::source_location at);
/// Launches the candidate chosen for these arguments, choosing it if need be.
TESSERA_API void launchTuned(TunedState &state, const Stream &stream, const GridSource &grid,
                             std::span<const LaunchSlot> slots, std::uint64_t present, std::source_location at);
/// The number of the candidate for these arguments, which are as they were afterwards.
TESSERA_API std::size_t chooseTuned(TunedState &state, const Stream &stream, const GridSource &grid,
                                    std::span<const LaunchSlot> slots, std::uint64_t present, std::source_location at);
/// The number of the candidate chosen last; -1 if none was.
TESSERA_API std::ptrdiff_t latestChoice(const TunedState &state);
TESSERA_API TuneReport latestReport(const TunedState &state);

} // namespace detail

/// A tuned launch with its arguments packed, to be enqueued many times. Buffers it was given must outlive its calls.
template <class Config, class... Params> class PreparedTuned {
public:
  /// Enqueues the launch with the candidate for its arguments.
  void operator()(detail::LaunchPlace place) const {
    detail::launchTuned(*state_, place.stream, detail::gridSource<Config>(grid_),
                        {arguments_.slots.data(), arguments_.count}, arguments_.present, place.at);
  }
  /// Replaces argument number \p Index.
  template <std::size_t Index, class Value>
  PreparedTuned &set(const Value &value, std::source_location at = std::source_location::current()) {
    detail::setArgument<Index>(*kernel_, arguments_, value, at);
    return *this;
  }

private:
  template <class, class...> friend class Tuned;
  PreparedTuned(std::shared_ptr<detail::TunedState> state, std::shared_ptr<const detail::KernelBase> kernel,
                std::function<Grid(const Config &)> grid, detail::LaunchArguments<Params...> arguments)
      : state_(std::move(state)), kernel_(std::move(kernel)), grid_(std::move(grid)), arguments_(std::move(arguments)) {
  }

  std::shared_ptr<detail::TunedState> state_;
  std::shared_ptr<const detail::KernelBase> kernel_;
  std::function<Grid(const Config &)> grid_;
  detail::LaunchArguments<Params...> arguments_;
};

/// A kernel that finds its config by measuring. A handle: copies share what was chosen. Usable from any thread; threads
/// that need the same choice wait for one of them, processes share it through the cache's folder.
///
/// Tuning waits for the stream. UsageError while the stream is being captured and nothing was chosen yet, for
/// memory that the kernel reads and writes and whose size is unknown, or if every candidate is wrong; CompileError if
/// none can run.
template <class Config, class... Params> class Tuned {
public:
  /// Enqueues the kernel; the grid depends on the config: `[&](const AddConfig &c) { return Grid{cdiv(n, c.block)}; }`.
  template <detail::GridFunction<Config> GridOf, class... Args>
  void launch(detail::LaunchPlace place, const GridOf &grid, const Args &...args) const {
    const detail::LaunchArguments<Params...> arguments(*kernel_, place.at, args...);
    detail::launchTuned(*state_, place.stream, detail::gridSource<Config>(grid),
                        {arguments.slots.data(), arguments.count}, arguments.present, place.at);
  }
  /// The same with one grid for all candidates.
  template <class... Args> void launch(detail::LaunchPlace place, Grid grid, const Args &...args) const {
    const detail::LaunchArguments<Params...> arguments(*kernel_, place.at, args...);
    detail::launchTuned(*state_, place.stream, detail::gridSource(grid), {arguments.slots.data(), arguments.count},
                        arguments.present, place.at);
  }
  /// Chooses without launching, for warming up: the memory is as before. Gives the choice.
  template <detail::GridFunction<Config> GridOf, class... Args>
  Candidate<Config> tune(detail::LaunchPlace place, const GridOf &grid, const Args &...args) const {
    const detail::LaunchArguments<Params...> arguments(*kernel_, place.at, args...);
    return (*space_)[detail::chooseTuned(*state_, place.stream, detail::gridSource<Config>(grid),
                                         {arguments.slots.data(), arguments.count}, arguments.present, place.at)];
  }
  template <class... Args> Candidate<Config> tune(detail::LaunchPlace place, Grid grid, const Args &...args) const {
    const detail::LaunchArguments<Params...> arguments(*kernel_, place.at, args...);
    return (*space_)[detail::chooseTuned(*state_, place.stream, detail::gridSource(grid),
                                         {arguments.slots.data(), arguments.count}, arguments.present, place.at)];
  }
  /// Packs the arguments for many launches: `auto go = tuned.prepare(grid, x, n); go(stream); go.set<1>(m);`.
  template <detail::GridFunction<Config> GridOf, class... Args>
  PreparedTuned<Config, Params...> prepare(const GridOf &grid, const Args &...args) const {
    return {state_, kernel_, std::function<Grid(const Config &)>(grid),
            detail::LaunchArguments<Params...>(*kernel_, kernel_->at, args...)};
  }
  template <class... Args>
  PreparedTuned<Config, Params...> prepare(detail::GridPlace place, const Args &...args) const {
    return {state_, kernel_, [grid = place.grid](const Config &) { return grid; },
            detail::LaunchArguments<Params...>(*kernel_, place.at, args...)};
  }

  /// What was chosen last, by this handle or a copy; nothing before the first choice.
  std::optional<Candidate<Config>> best_config() const {
    const std::ptrdiff_t index = detail::latestChoice(*state_);
    return index < 0 ? std::nullopt : std::optional((*space_)[static_cast<std::size_t>(index)]);
  }
  /// How that choice was made.
  TuneReport report() const { return detail::latestReport(*state_); }
  /// The candidates that take part.
  const Space<Config> &space() const { return *space_; }

  /// \name For other parts of this library
  /// @{
  Tuned(std::shared_ptr<const detail::TypedKernel<Config>> kernel, std::shared_ptr<const Space<Config>> space,
        std::shared_ptr<detail::TunedState> state)
      : kernel_(std::move(kernel)), space_(std::move(space)), state_(std::move(state)) {}
  /// @}

private:
  std::shared_ptr<const detail::TypedKernel<Config>> kernel_;
  std::shared_ptr<const Space<Config>> space_;
  std::shared_ptr<detail::TunedState> state_;
};

/// \p kernel with the fastest candidate of \p space, chosen for each value of \p key: see Tuned.
template <class Config, class... Params>
Tuned<Config, Params...> autotune(const Kernel<Config, Params...> &kernel, std::type_identity_t<Space<Config>> space,
                                  TuneKey key = {}, std::type_identity_t<TuneOptions<Config>> options = {},
                                  std::source_location at = std::source_location::current()) {
  /// The candidates and their configs' parts of keys.
  struct Owner {
    std::shared_ptr<const Space<Config>> space;
    std::vector<detail::ConfigWords<Config>> words;
  };
  if (options.constraint)
    std::erase_if(space, [&](const Candidate<Config> &c) { return !options.constraint(c.config, c.options); });
  const auto owner = std::make_shared<Owner>();
  owner->space = std::make_shared<const Space<Config>>(std::move(space));
  for (const Candidate<Config> &candidate : *owner->space)
    owner->words.emplace_back(candidate.config);
  std::vector<detail::TuneItem> items;
  for (std::size_t i = 0; i != owner->words.size(); ++i)
    items.push_back({&(*owner->space)[i].config, owner->words[i].get(), (*owner->space)[i].options});

  detail::TuneSettings settings{.cost = {},
                                .keep = options.keep,
                                .budgetMs = options.budget_ms,
                                .timeLimitMs = options.time_limit_ms,
                                .allowSpills = options.allow_spills,
                                .isolate = options.isolate,
                                .snapshotBytes = options.snapshot_bytes,
                                .preHook = std::move(options.pre_hook),
                                .postHook = std::move(options.post_hook),
                                .records = std::move(options.records)};
  if (options.cost)
    settings.cost = [cost = std::move(options.cost), space = owner->space](std::size_t i, const TuneProblem &problem) {
      return cost((*space)[i].config, (*space)[i].options, problem);
    };
  std::shared_ptr<detail::TunedState> state =
      detail::makeTuned(kernel.typed(), owner, std::move(items), std::move(key), std::move(settings), at);
  return {kernel.typed(), owner->space, std::move(state)};
}

} // namespace tessera

#endif // TESSERA_RUNTIME_AUTOTUNE_H
