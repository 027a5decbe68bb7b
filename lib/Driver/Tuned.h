//===- Tuned.h - candidates of a kernel and what was chosen from them -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_TUNED_H
#define TESSERA_DRIVER_TUNED_H

#include "Driver/EntryTable.h"
#include "Runtime/DeviceState.h"

#include "tessera/lang/KernelSpec.h"
#include "tessera/runtime/Autotune.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace tessera::ir {

/// The leaves of a kernel's parameters and which of them a key reads, for finding both among the slots of a launch.
class KeyReader {
public:
  /// The most parts that a key has.
  static constexpr std::size_t kMostParts = 32;
  using Words = KeyBuilder<2 + kMostParts + 256>;

  /// UsageError at \p at for names that are no numbers among the kernel's parameters.
  KeyReader(const tessera::detail::KernelBase &kernel, const void *config, TuneKey key, std::source_location at);

  /// The words of a problem: device, Opts, bound element types, values of the key.
  void read(Words &words, const rt::DeviceState &device, std::span<const tessera::detail::LaunchSlot> slots,
            std::uint64_t present) const;
  /// `m=4096 n<=512 f16`
  std::string text(std::span<const tessera::detail::LaunchSlot> slots, std::uint64_t present) const;
  /// The leaf of each slot.
  std::vector<const tessera::detail::ParamLeaf *> leavesOf(std::uint64_t present) const;

private:
  bool isPresent(const tessera::detail::ParamLeaf &leaf, std::uint64_t present) const {
    return leaf.optional < 0 || (present >> leaf.optional & 1) != 0;
  }
  /// The slot of leaf number \p leaf; -1 if it is absent.
  std::ptrdiff_t slotOf(std::size_t leaf, std::uint64_t present) const;

  std::vector<tessera::detail::ParamLeaf> leaves;
  bool optionals = false; ///< some leaf may be absent
  struct Part {
    KeyPart part;
    std::size_t leaf = 0; ///< of a parameter
  };
  std::vector<Part> parts;
};

/// What was chosen for one key.
struct TuneChoice {
  std::size_t index = 0;
  TuneReport report;
};

/// One key on one device.
class TunedProblem : public TableEntry {
public:
  using TableEntry::TableEntry;
  ~TunedProblem() { delete choice.load(); }

  std::atomic<const TuneChoice *> choice{nullptr}; ///< set once
  std::mutex mutex;                                ///< held by the thread that chooses
  std::atomic<std::thread::id> chooser{};
};

/// What a choice is made for, and how each candidate would be launched.
struct TuneRequest {
  tessera::detail::TunedState &state;
  rt::StreamState &stream;
  const tessera::detail::GridSource &grid;
  std::span<const tessera::detail::LaunchSlot> slots;
  std::uint64_t present;
  std::source_location at;
};

/// Chooses a candidate: by records, or by compiling and timing what is not on record. TuneSession.cpp.
TuneChoice chooseCandidate(const TuneRequest &request);

} // namespace tessera::ir

struct tessera::detail::TunedState {
  std::shared_ptr<const KernelBase> kernel;
  std::shared_ptr<const void> owner;
  std::vector<TuneItem> items;
  TuneSettings settings;
  ir::KeyReader key;
  ir::EntryTable<ir::TunedProblem> problems;
  std::atomic<const ir::TuneChoice *> latest{nullptr};

  BoundView bound(std::size_t index) const {
    return {*kernel, items[index].config, items[index].words, items[index].options};
  }
};

#endif // TESSERA_DRIVER_TUNED_H
