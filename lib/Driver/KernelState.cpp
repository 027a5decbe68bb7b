//===- KernelState.cpp - what was compiled of a kernel --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/KernelState.h"

#include <map>

namespace tessera::ir {

Family::~Family() {
  delete facts_.load();
  for (const LoadedVariant *variant = variants.load(); variant;) {
    const LoadedVariant *next = variant->next;
    delete variant;
    variant = next;
  }
}

const LoadedVariant &Family::add(VariantKey key, std::shared_ptr<const rt::LaunchPlan> plan,
                                 std::shared_ptr<const rt::Image> image) {
  auto *variant = new LoadedVariant{key, std::move(plan), std::move(image), variants.load(std::memory_order_relaxed)};
  variants.store(variant, std::memory_order_release);
  return *variant;
}

std::shared_ptr<const rt::LaunchPlan> loadPlan(const CompiledKernel &compiled, rt::DeviceState &device) {
  // Never destroyed, as the devices themselves.
  struct Plans {
    std::mutex mutex;
    std::map<std::pair<support::Hash128, rt::DeviceState *>, std::weak_ptr<const rt::LaunchPlan>> byContents;
  };
  static Plans *const plans = new Plans;
  const std::lock_guard lock(plans->mutex);
  std::weak_ptr<const rt::LaunchPlan> &known = plans->byContents[{compiled.identity.contents, &device}];
  if (std::shared_ptr<const rt::LaunchPlan> plan = known.lock())
    return plan;
  auto plan = std::make_shared<const rt::LaunchPlan>(device, *compiled.image);
  known = plan;
  return plan;
}

} // namespace tessera::ir

namespace tessera::detail {

KernelBase::KernelBase(std::string name, std::source_location at)
    : KernelName{std::move(name)}, at(at), state(std::make_unique<State>()) {}

KernelBase::~KernelBase() = default;

} // namespace tessera::detail
