//===- ServedBundles.cpp - code from bundles instead of compiling ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/ServedBundles.h"

#include "Runtime/Autotune/TuneStore.h"
#include "Runtime/Bundle/PickImage.h"
#include "Support/Log.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace tessera::rt {

namespace {
/// Never destroyed, as the kernels that are served.
struct Served {
  std::mutex mutex;
  std::vector<std::shared_ptr<const BundleState>> bundles;

  static Served &get() {
    static Served *const instance = new Served;
    return *instance;
  }
};
} // namespace

void serveBundle(std::shared_ptr<const BundleState> bundle) {
  std::size_t damaged = 0;
  std::vector<TuneRecord> records = parseRecords(bundle->file().records(), damaged);
  Served &served = Served::get();
  {
    const std::lock_guard lock(served.mutex);
    if (std::ranges::find(served.bundles, bundle) != served.bundles.end())
      return;
    served.bundles.push_back(std::move(bundle));
  }
  TuneStore::get().ship(std::move(records));
}

/// Whether code compiled as \p variant is right wherever code compiled as \p wanted is.
static bool replaces(const VariantKey &variant, const VariantKey &wanted) {
  return variant.fold == wanted.fold && !without(variant.unit, wanted.unit).any() &&
         (!variant.aligned || (wanted.aligned && variant.unit == wanted.unit));
}

/// The best image of \p function for a request; null if there is none.
static const BundleImage *imageFor(const BundleFunction &function, const VariantKey &wanted,
                                   const DeviceProperties &device, bool substitute) {
  const BundleImage *best = nullptr;
  for (const BundleImage &each : function.images)
    if ((each.variant == wanted || (substitute && replaces(each.variant, wanted))) &&
        (!best || isBetter(each.variant, best->variant)) &&
        pickImage({device.target, device.instructionSets}, {{{each.target, each.format, each.instructions}}}) >= 0)
      best = &each;
  if (!best)
    return nullptr;
  std::vector<const BundleImage *> images;
  std::vector<ImageKind> kinds;
  for (const BundleImage &each : function.images)
    if (each.variant == best->variant) {
      images.push_back(&each);
      kinds.push_back({each.target, each.format, each.instructions});
    }
  return images[static_cast<std::size_t>(pickImage({device.target, device.instructionSets}, kinds))];
}

std::optional<ServedImage> findServed(const ImageRequest &request, const DeviceProperties &device, bool substitute) {
  std::vector<std::shared_ptr<const BundleState>> bundles;
  {
    Served &served = Served::get();
    const std::lock_guard lock(served.mutex);
    bundles = served.bundles;
  }
  std::string stale;
  for (const std::shared_ptr<const BundleState> &bundle : bundles)
    for (const BundleFunction &function : bundle->index().functions) {
      if (function.kernel != request.kernel || function.config != request.config ||
          function.options != request.options || function.typesText() != request.types)
        continue;
      if (function.program != request.program) {
        stale = bundle->file().title();
        continue;
      }
      const BundleImage *image = imageFor(function, request.variant, device, substitute);
      if (!image)
        continue;
      try {
        return ServedImage{bundle->file().entry(function, *image).image, image->block.hash, bundle->file().title()};
      } catch (const UsageError &error) {
        support::noteOnce(error.what());
      }
    }
  if (!stale.empty())
    support::noteOnce(
        fmt::format("{} does not serve kernel `{}`, arguments: {}, config {}: it was made from another text "
                    "of the kernel; make it again",
                    stale, request.kernel, request.types, request.config));
  return std::nullopt;
}

} // namespace tessera::rt
