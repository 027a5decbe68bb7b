//===- BundleState.h - a bundle's kernels on devices -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A function finds the images for a device at its first launch there, and loads each when arguments ask for it. From
// then on a launch takes no lock and no memory here.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLE_BUNDLESTATE_H
#define TESSERA_RUNTIME_BUNDLE_BUNDLESTATE_H

#include "Runtime/Bundle/BundleFile.h"
#include "Runtime/LaunchPlan.h"

#include "tessera/runtime/Grid.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <source_location>
#include <span>

namespace tessera::rt {

/// A function of an open bundle. Launches may come from any thread.
class BundledFunction {
public:
  BundledFunction(const BundleFile &file, const BundleFunction &info);
  ~BundledFunction();

  /// Enqueues it with \p slots, one for each argument. UsageError at \p at.
  void launch(StreamState &stream, const Grid &grid, std::span<const tessera::detail::LaunchSlot> slots,
              std::source_location at) const;
  /// Loads all that a launch on \p device may need. UsageError at \p at if there is nothing for it.
  void preload(DeviceState &device, std::source_location at) const;

  const BundleFunction &info() const { return info_; }
  std::uint64_t signature() const { return signature_; }
  const tessera::detail::KernelName &name() const { return name_; }

private:
  struct Variant;
  struct OnDevice;
  const OnDevice &on(DeviceState &device, std::source_location at) const;
  const LaunchPlan &load(const Variant &variant, DeviceState &device, std::source_location at) const;
  void enqueue(StreamState &stream, const Grid &grid, bool fold, std::span<const tessera::detail::LaunchSlot> slots,
               std::span<CallArgument> arguments, std::source_location at) const;
  [[noreturn]] void refuse(const OnDevice &device, const VariantKey &wanted, std::source_location at) const;

  const BundleFile &file;
  const BundleFunction &info_;
  const LaunchFacts facts_;
  const std::uint64_t signature_;
  const tessera::detail::KernelName name_;
  mutable std::mutex mutex; ///< of loading
  mutable std::atomic<const OnDevice *> devices{nullptr};
};

class BundleState {
public:
  explicit BundleState(std::shared_ptr<const BundleFile> file);

  const BundleFile &file() const { return *file_; }
  const BundleIndex &index() const { return file_->index(); }
  const std::deque<BundledFunction> &functions() const { return functions_; }

private:
  std::shared_ptr<const BundleFile> file_;
  std::deque<BundledFunction> functions_; ///< in the order of the index
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_BUNDLE_BUNDLESTATE_H
