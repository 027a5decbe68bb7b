//===- KernelState.h - what was compiled of a kernel -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The launches of a kernel fall into *families*: same device, options, config, Opts and bound element types. A family
// was traced once and knows which arguments matter; its *variants* are the compiled kernels for its kinds of arguments.
// Finding both takes no lock and no memory; entries are only ever added.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_KERNELSTATE_H
#define TESSERA_DRIVER_KERNELSTATE_H

#include "Driver/CompileGate.h"
#include "Driver/Compiler.h"
#include "Driver/SlotMask.h"
#include "Runtime/LaunchPlan.h"

#include "tessera/runtime/Launch.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tessera::ir {

/// A compiled kernel on a device.
struct LoadedVariant {
  VariantKey key;
  std::shared_ptr<const rt::LaunchPlan> plan;
  const LoadedVariant *next = nullptr; ///< older ones of the family
};

/// What decides a family, as words; and by itself what those words mean, for reasons in logs.
struct FamilyKey {
  std::span<const std::uint64_t> words;
  std::uint64_t hash = 0;
};

class Family {
public:
  Family(const FamilyKey &key, rt::DeviceState &device)
      : device(device), words(key.words.begin(), key.words.end()), hash(key.hash) {}
  ~Family();

  bool matches(const FamilyKey &key) const {
    return hash == key.hash && std::equal(words.begin(), words.end(), key.words.begin(), key.words.end());
  }
  /// The facts, or null before the first compilation.
  const KernelFacts *facts() const { return facts_.load(std::memory_order_acquire); }
  /// The variant, or null.
  const LoadedVariant *find(const VariantKey &key) const {
    const LoadedVariant *variant = variants.load(std::memory_order_acquire);
    while (variant && variant->key != key)
      variant = variant->next;
    return variant;
  }
  /// Inside `gate`.
  void setFacts(KernelFacts facts) { facts_.store(new KernelFacts(std::move(facts)), std::memory_order_release); }
  const LoadedVariant &add(VariantKey key, std::shared_ptr<const rt::LaunchPlan> plan);

  rt::DeviceState &device;
  const std::vector<std::uint64_t> words;
  const std::uint64_t hash;
  CompileGate gate; ///< entered to compile a variant: whoever needs the same waits
  std::atomic<bool> compiledBefore{false};

private:
  std::atomic<const KernelFacts *> facts_{nullptr};
  std::atomic<const LoadedVariant *> variants{nullptr};
};

/// All families of a kernel: a hash table that readers search while it grows.
class FamilyTable {
public:
  FamilyTable();
  ~FamilyTable();

  Family *find(const FamilyKey &key) const;
  /// The family, made if need be.
  Family &findOrAdd(const FamilyKey &key, rt::DeviceState &device);
  /// Calls \p visit with every family.
  template <class Visit> void forEach(Visit visit) {
    const std::lock_guard lock(mutex);
    for (const std::unique_ptr<Family> &family : families)
      visit(*family);
  }

private:
  struct Slots {
    explicit Slots(std::size_t size) : size(size), entries(new std::atomic<Family *>[size]()) {}
    const std::size_t size; ///< a power of two
    const std::unique_ptr<std::atomic<Family *>[]> entries;
  };
  static void insert(Slots &slots, Family *family);

  std::mutex mutex;
  std::vector<std::unique_ptr<Family>> families;
  std::vector<std::unique_ptr<Slots>> generations; ///< old ones may still be read
  std::atomic<Slots *> current;
};

/// A plan for an image on a device, loaded once however many kernels share the image.
std::shared_ptr<const rt::LaunchPlan> loadPlan(const CompiledKernel &compiled, rt::DeviceState &device);

} // namespace tessera::ir

/// The compiled half of a kernel.
struct tessera::detail::KernelBase::State {
  ir::FamilyTable families;
  std::mutex recordMutex;
  std::vector<CompileRecord> records;
};

#endif // TESSERA_DRIVER_KERNELSTATE_H
