//===- Bundle.cpp - the public face of bundles ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Bundle.h"

#include "Runtime/Bundle/ServedBundles.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Stream.h"

#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace tessera {

/// Says where the user asked for what went wrong.
template <class Action> static auto saying(std::source_location at, Action action) {
  try {
    return action();
  } catch (const UsageError &error) {
    throw UsageError(at, error.what());
  }
}

Bundle Bundle::load(const std::string &path, std::source_location at) {
  return saying(at, [&] { return Bundle(std::make_shared<rt::BundleState>(rt::BundleFile::open(path))); });
}

Bundle Bundle::in_memory(std::span<const std::byte> bytes, std::source_location at) {
  return saying(at, [&] {
    return Bundle(std::make_shared<rt::BundleState>(rt::BundleFile::view(bytes, "the bundle in this program")));
  });
}

const std::string &Bundle::name() const { return state_->index().name; }

std::vector<std::string> Bundle::functions() const {
  std::vector<std::string> names;
  for (const rt::BundleFunction &function : state_->index().functions)
    names.push_back(function.symbol);
  return names;
}

std::vector<std::string> Bundle::targets() const {
  std::set<std::string> targets;
  for (const rt::BundleFunction &function : state_->index().functions)
    for (const rt::BundleImage &image : function.images)
      targets.insert(image.target + (image.format == "ptx" ? "+ptx" : ""));
  return {targets.begin(), targets.end()};
}

void Bundle::preload(const Device &device, std::source_location at) const {
  for (const rt::BundledFunction &function : state_->functions())
    function.preload(device.state(), at);
}

void Bundle::serve() const { rt::serveBundle(state_); }

namespace detail {

Bundle BundleSource::get(std::source_location at) {
  rt::BundleState *opened = state.load(std::memory_order_acquire);
  // It is never destroyed: a pointer without an owner.
  return Bundle(std::shared_ptr<rt::BundleState>(std::shared_ptr<void>(), opened ? opened : &open(at)));
}

/// Keeps \p bundle for as long as the process lives.
static rt::BundleState *keep(const Bundle &bundle) {
  static std::mutex mutex;
  static auto *const kept = new std::vector<Bundle>;
  const std::lock_guard lock(mutex);
  kept->push_back(bundle);
  return &bundle.state();
}

void BundleSource::take(const Bundle &bundle, std::source_location at) {
  if (bundle.name() != name)
    throw UsageError(at, fmt::format("this header declares the functions of bundle `{}`, and the bundle given is `{}`",
                                     name, bundle.name()));
  state.store(keep(bundle), std::memory_order_release);
}

rt::BundleState &BundleSource::open(std::source_location at) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (rt::BundleState *opened = state.load(std::memory_order_acquire))
    return *opened;
  if (!begin || !end)
    throw UsageError(at, fmt::format("bundle `{0}` is not linked into this program: link the library of "
                                     "tessera_add_bundle({0} …), or call {0}::use(tessera::Bundle::load(path))",
                                     name));
  take(Bundle::in_memory(std::as_bytes(std::span(begin, end)), at), at);
  return *state.load(std::memory_order_acquire);
}

const rt::BundledFunction &BundleSource::find(rt::BundleState &bundle, std::uint32_t number, std::uint64_t signature,
                                              std::source_location at) const {
  if (number < bundle.functions().size() && bundle.functions()[number].signature() == signature)
    return bundle.functions()[number];
  throw UsageError(at,
                   fmt::format("{} was not made with the header this program was built with: its function number {} "
                               "{}; build the program with the header that was made with it",
                               bundle.file().title(), number,
                               number < bundle.functions().size()
                                   ? fmt::format("is `{}` for {}", bundle.functions()[number].info().symbol,
                                                 bundle.functions()[number].info().typesText())
                                   : "is not there"));
}

const KernelName &nameOf(const rt::BundledFunction &function) { return function.name(); }

void launch(const rt::BundledFunction &function, const Stream &stream, const Grid &grid,
            std::span<const LaunchSlot> slots, std::source_location at) {
  function.launch(stream.state(), grid, slots, at);
}

} // namespace detail

} // namespace tessera
