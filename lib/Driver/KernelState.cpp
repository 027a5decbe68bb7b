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

const LoadedVariant &Family::add(VariantKey key, std::shared_ptr<const rt::LaunchPlan> plan) {
  auto *variant = new LoadedVariant{key, std::move(plan), variants.load(std::memory_order_relaxed)};
  variants.store(variant, std::memory_order_release);
  return *variant;
}

FamilyTable::FamilyTable() {
  generations.push_back(std::make_unique<Slots>(8));
  current = generations.back().get();
}

FamilyTable::~FamilyTable() = default;

Family *FamilyTable::find(const FamilyKey &key) const {
  const Slots &slots = *current.load(std::memory_order_acquire);
  for (std::size_t i = key.hash & (slots.size - 1);; i = (i + 1) & (slots.size - 1)) {
    Family *family = slots.entries[i].load(std::memory_order_acquire);
    if (!family || family->matches(key))
      return family;
  }
}

void FamilyTable::insert(Slots &slots, Family *family) {
  std::size_t i = family->hash & (slots.size - 1);
  while (slots.entries[i].load(std::memory_order_relaxed))
    i = (i + 1) & (slots.size - 1);
  slots.entries[i].store(family, std::memory_order_release);
}

Family &FamilyTable::findOrAdd(const FamilyKey &key, rt::DeviceState &device) {
  const std::lock_guard lock(mutex);
  if (Family *family = find(key))
    return *family;
  families.push_back(std::make_unique<Family>(key, device));
  Family *family = families.back().get();
  Slots *slots = current.load(std::memory_order_relaxed);
  // At most half full, so that every search meets an empty entry.
  if (families.size() * 2 > slots->size) {
    generations.push_back(std::make_unique<Slots>(slots->size * 2));
    slots = generations.back().get();
    for (const std::unique_ptr<Family> &each : families)
      insert(*slots, each.get());
    current.store(slots, std::memory_order_release);
  } else {
    insert(*slots, family);
  }
  return *family;
}

std::shared_ptr<const rt::LaunchPlan> loadPlan(const CompiledKernel &compiled, rt::DeviceState &device) {
  // Never destroyed, as the devices themselves.
  struct Plans {
    std::mutex mutex;
    std::map<std::pair<support::Hash128, rt::DeviceState *>, std::weak_ptr<const rt::LaunchPlan>> byContents;
  };
  static Plans *const plans = new Plans;
  const std::lock_guard lock(plans->mutex);
  std::weak_ptr<const rt::LaunchPlan> &known = plans->byContents[{compiled.contents, &device}];
  if (std::shared_ptr<const rt::LaunchPlan> plan = known.lock())
    return plan;
  auto plan = std::make_shared<const rt::LaunchPlan>(device, *compiled.image);
  known = plan;
  return plan;
}

} // namespace tessera::ir

namespace tessera::detail {

KernelBase::KernelBase(std::string name, std::source_location at)
    : name(std::move(name)), at(at), state(std::make_unique<State>()) {}

KernelBase::~KernelBase() = default;

} // namespace tessera::detail
