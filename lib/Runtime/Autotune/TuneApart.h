//===- TuneApart.h - candidates timed in a process of their own -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// A candidate that faults takes its process with it, and one that never ends cannot be stopped but with it. So a
// worker, tessera-tune, is given the compiled candidates and the arguments with the memory behind them, times them in
// turn and says what it does: whichever it was at when it died is left out, and another worker goes on with the rest.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_TUNEAPART_H
#define TESSERA_RUNTIME_AUTOTUNE_TUNEAPART_H

#include "Runtime/Autotune/Snapshot.h"
#include "Runtime/Autotune/TuneTiming.h"
#include "Runtime/Image.h"
#include "Runtime/LaunchPlan.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::rt {

/// A compiled candidate. The second image, if there is one, is for arguments that break a requirement of the first.
struct ApartCandidate {
  std::shared_ptr<const Image> image, general;
  std::array<std::int64_t, 3> programs{1, 1, 1};
};

/// Memory that arguments point to.
struct ApartMemory {
  MemoryRange range;
  bool restored = false; ///< launches change it for the next one
  std::vector<std::byte> contents;
};

/// What a worker is given.
struct ApartJob {
  std::string device; ///< "cuda:0"
  TimingLimits limits;
  std::vector<CallArgument> arguments; ///< those that are `sized` are pointers into `memory`
  std::vector<ApartMemory> memory;     ///< ranges apart from each other
  std::vector<ApartCandidate> candidates;

  std::vector<std::byte> serialize() const;
  /// UsageError for bytes that serialize() did not write.
  static ApartJob deserialize(std::span<const std::byte> bytes);
};

struct ApartOutcome : TimingOutcome {
  std::vector<bool> lethal; ///< one a trial: it took a worker with it
};

/// Starts workers until every candidate was timed or is known to be lethal. DeviceError if there is no worker or none
/// gets as far as the first candidate.
ApartOutcome timeApart(const ApartJob &job);

/// The worker: reads a job from \p file and writes what it finds out to standard output. Returns its exit status.
int runApart(const std::string &file);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_TUNEAPART_H
