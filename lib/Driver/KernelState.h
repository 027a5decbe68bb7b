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
#include "Driver/EntryTable.h"
#include "Runtime/LaunchPlan.h"

#include "tessera/runtime/Launch.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tessera::ir {

/// A compiled kernel on a device.
struct LoadedVariant {
  VariantKey key;
  std::shared_ptr<const rt::LaunchPlan> plan;
  std::shared_ptr<const rt::Image> image; ///< with its code
  const LoadedVariant *next = nullptr;    ///< older ones of the family
};

class Family : public TableEntry {
public:
  Family(const EntryKey &key, rt::DeviceState &device) : TableEntry(key), device(device) {}
  ~Family();

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
  const LoadedVariant &add(VariantKey key, std::shared_ptr<const rt::LaunchPlan> plan,
                           std::shared_ptr<const rt::Image> image);

  rt::DeviceState &device;
  CompileGate gate; ///< entered to compile a variant: whoever needs the same waits
  std::atomic<bool> compiledBefore{false};

private:
  std::atomic<const KernelFacts *> facts_{nullptr};
  std::atomic<const LoadedVariant *> variants{nullptr};
};

/// All families of a kernel.
using FamilyTable = EntryTable<Family>;

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
