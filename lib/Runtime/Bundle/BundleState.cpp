//===- BundleState.cpp - a bundle's kernels on devices --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleState.h"

#include "Runtime/Bundle/PickImage.h"
#include "Runtime/LaunchCheck.h"
#include "Runtime/LaunchGrid.h"
#include "Support/Log.h"
#include "Support/Options.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace tessera::rt {

using tessera::detail::KernelName;
using tessera::detail::LaunchSlot;

/// One variant on one device. Loaded when it is needed.
struct BundledFunction::Variant {
  Variant(const BundleImage &image) : image(image) {}

  const BundleImage &image;
  mutable std::unique_ptr<const LaunchPlan> owned;
  mutable std::atomic<const LaunchPlan *> plan{nullptr};
};

/// All variants that a device runs, the best first.
struct BundledFunction::OnDevice {
  explicit OnDevice(DeviceState &device) : device(device) {}

  DeviceState &device;
  std::deque<Variant> variants;
  const OnDevice *next = nullptr;
};

static KernelName nameFor(const BundleFunction &info) {
  KernelName name{info.kernel};
  // Parameters as the generated headers have them: a view is one.
  for (const BundleArgument &argument : info.arguments)
    if (argument.role == BundleRole::Plain || argument.role == BundleRole::ViewBase)
      name.names.push_back(argument.name);
  return name;
}

BundledFunction::BundledFunction(const BundleFile &file, const BundleFunction &info)
    : file(file), info_(info), facts_(info.facts()), signature_(info.signature()), name_(nameFor(info)) {}

BundledFunction::~BundledFunction() {
  for (const OnDevice *each = devices.load(); each;) {
    const OnDevice *next = each->next;
    delete each;
    each = next;
  }
}

/// `cuda:sm_80 (cubin), cuda:sm_80 (ptx)`: what \p function was compiled for.
static std::string targetsText(const BundleFunction &function) {
  std::vector<std::string> targets;
  for (const BundleImage &image : function.images)
    if (std::string text = fmt::format("{} ({})", image.target, image.format);
        std::ranges::find(targets, text) == targets.end())
      targets.push_back(std::move(text));
  return targets.empty() ? "nothing" : fmt::format("{}", fmt::join(targets, ", "));
}

const BundledFunction::OnDevice &BundledFunction::on(DeviceState &device, std::source_location at) const {
  for (const OnDevice *each = devices.load(std::memory_order_acquire); each; each = each->next)
    if (&each->device == &device)
      return *each;

  const DeviceCode code{device.properties.target, device.properties.instructionSets};
  auto found = std::make_unique<OnDevice>(device);
  for (const BundleImage &first : info_.images) {
    if (std::ranges::any_of(found->variants,
                            [&](const Variant &known) { return known.image.variant == first.variant; }))
      continue;
    // Those of one variant, which chips tell apart.
    std::vector<const BundleImage *> same;
    std::vector<ImageKind> kinds;
    for (const BundleImage &image : info_.images)
      if (image.variant == first.variant) {
        same.push_back(&image);
        kinds.push_back({image.target, image.format, image.instructions});
      }
    if (const std::ptrdiff_t best = pickImage(code, kinds); best >= 0)
      found->variants.emplace_back(*same[static_cast<std::size_t>(best)]);
  }
  if (found->variants.empty())
    throwLaunchError(name_, at,
                     fmt::format("{} has no code of `{}` for device {} ({}); it was compiled for {}", file.title(),
                                 info_.symbol, device.name, device.properties.target.str(), targetsText(info_)));

  const std::lock_guard lock(mutex);
  const OnDevice *first = devices.load(std::memory_order_relaxed);
  for (const OnDevice *each = first; each; each = each->next)
    if (&each->device == &device)
      return *each;
  found->next = first;
  devices.store(found.get(), std::memory_order_release);
  return *found.release();
}

/// What \p file holds as \p image; UsageError at \p at if that is damaged.
static CacheEntry entryAt(const BundleFile &file, const BundleFunction &info, const BundleImage &image,
                          const KernelName &name, std::source_location at) {
  try {
    return file.entry(info, image);
  } catch (const UsageError &error) {
    throwLaunchError(name, at, error.what());
  }
}

const LaunchPlan &BundledFunction::load(const Variant &variant, DeviceState &device, std::source_location at) const {
  const std::lock_guard lock(mutex);
  if (!variant.owned) {
    const CacheEntry entry = entryAt(file, info_, variant.image, name_, at);
    variant.owned = std::make_unique<const LaunchPlan>(device, entry.image);
    variant.plan.store(variant.owned.get(), std::memory_order_release);
    if (support::logs(support::LogTopic::Compile))
      support::log(support::LogTopic::Compile,
                   fmt::format("kernel `{}` for {}, arguments: {}, config {}, variant: {}; from {}", info_.kernel,
                               variant.image.target, info_.typesText(), info_.config, variant.image.variant.str(facts_),
                               file.title()));
  }
  return *variant.owned;
}

void BundledFunction::refuse(const OnDevice &device, const VariantKey &wanted, std::source_location at) const {
  std::vector<std::string> present;
  for (const Variant &variant : device.variants)
    present.push_back(fmt::format("`{}`", variant.image.variant.str(facts_)));
  throwLaunchError(
      name_, at,
      fmt::format("{} lacks arguments: {}, config {}, options: {}, target: {}, variant: {}; of that kernel "
                  "for this target it has {}",
                  file.title(), info_.typesText(), info_.config, support::describeOptionKey(info_.options),
                  device.device.properties.target.str(), wanted.str(facts_), fmt::join(present, ", ")));
}

void BundledFunction::enqueue(StreamState &stream, const Grid &grid, bool fold, std::span<const LaunchSlot> slots,
                              std::span<CallArgument> arguments, std::source_location at) const {
  DeviceState &device = stream.device;
  const SlotPattern pattern = checkSlots(name_, slots, device, arguments, at);
  if ((pattern.readOnly & facts_.stored).any())
    throwReadOnly(name_, slots, facts_.stored, at);
  const OnDevice &here = on(device, at);
  // Variants that do not serve, or whose requirements the arguments break, leave the launch to a worse one.
  std::vector<const Variant *> refused;
  for (;;) {
    const Variant *best = nullptr;
    for (const Variant &variant : here.variants)
      if (serves(variant.image.variant, facts_, pattern, fold) &&
          (!best || isBetter(variant.image.variant, best->image.variant)) &&
          std::ranges::find(refused, &variant) == refused.end())
        best = &variant;
    if (!best)
      refuse(here, variantFor(facts_, pattern, fold), at);
    const LaunchPlan *plan = best->plan.load(std::memory_order_acquire);
    if (!plan) {
      if (device.driver.isCapturing(device.index, stream.native))
        throwLaunchError(name_, at,
                         "the stream is being captured, and this kernel is not loaded yet for these arguments; launch "
                         "it once before the capture, or call Bundle::preload");
      plan = &load(*best, device, at);
    }
    if (plan->launch(stream, grid.extents(), arguments))
      return;
    refused.push_back(best);
  }
}

void BundledFunction::launch(StreamState &stream, const Grid &grid, std::span<const LaunchSlot> slots,
                             std::source_location at) const {
  const DeviceState &device = stream.device;
  const GridDecision decision = decideGrid(grid.extents(), device.properties.maxGrid, device.name);
  if (decision.kind == GridDecision::Refused)
    throwLaunchError(name_, at, decision.problem);
  if (decision.kind == GridDecision::Empty)
    return;
  if (slots.size() != info_.arguments.size())
    throwLaunchError(name_, at,
                     fmt::format("it takes {} arguments and was given {}", info_.arguments.size(), slots.size()));
  const bool fold = decision.kind == GridDecision::Folded;
  try {
    if (slots.size() <= 32) {
      CallArgument arguments[32];
      enqueue(stream, grid, fold, slots, {arguments, slots.size()}, at);
    } else {
      CallArgument arguments[256];
      enqueue(stream, grid, fold, slots, {arguments, slots.size()}, at);
    }
  } catch (const LaunchProblem &problem) {
    const std::string argument =
        problem.argument < 0 ? ""
                             : argumentText(name_, slots[static_cast<std::size_t>(problem.argument)].parameter) + " ";
    throwLaunchError(name_, at, argument + problem.words);
  }
  if (support::logs(support::LogTopic::Launch))
    support::log(support::LogTopic::Launch,
                 fmt::format("kernel `{}` on {}, arguments: {}, grid ({}, {}, {})", info_.kernel, device.name,
                             info_.typesText(), grid.x, grid.y, grid.z));
}

void BundledFunction::preload(DeviceState &device, std::source_location at) const {
  for (const Variant &variant : on(device, at).variants)
    if (!variant.plan.load(std::memory_order_acquire))
      load(variant, device, at);
}

BundleState::BundleState(std::shared_ptr<const BundleFile> file) : file_(std::move(file)) {
  for (const BundleFunction &function : index().functions)
    functions_.emplace_back(*file_, function);
}

} // namespace tessera::rt
