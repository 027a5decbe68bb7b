//===- PhaseBarrier.h - barriers in shared memory --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_PHASEBARRIER_H
#define TESSERA_TARGET_SIM_MEMORY_PHASEBARRIER_H

#include "Target/Sim/Memory/Clocks.h"

#include <cstdint>

namespace tessera::ir::sim {

/// An mbarrier: a phase ends when all arrivals and all promised bytes are there.
class PhaseBarrier {
public:
  explicit PhaseBarrier(std::uint32_t arrivals = 0) : arrivals(arrivals), pending(arrivals) {}

  /// \p count arrivals; false if that is more than the phase waits for. What the arriving warp has \p released is known
  /// to those who wait for the phase.
  bool arrive(std::uint32_t count, const BlockClocks &released) {
    if (count > pending)
      return false;
    pending -= count;
    join(arrived, released);
    advance();
    return true;
  }
  /// More bytes are to come in this phase.
  void expect(std::uint32_t bytes) { missing += bytes; }
  /// \p bytes have come, written by whoever \p released it.
  void deliver(std::uint32_t bytes, const BlockClocks &released) {
    missing -= bytes;
    join(arrived, released);
    advance();
  }
  /// How many phases have ended.
  std::uint64_t phase() const { return ended; }
  /// What happened before the phases that have ended.
  const BlockClocks &released() const { return known; }
  std::uint32_t missingArrivals() const { return pending; }
  std::int64_t missingBytes() const { return missing; }

private:
  void advance() {
    if (pending != 0 || missing != 0)
      return;
    ++ended;
    pending = arrivals;
    join(known, arrived);
    arrived = {};
  }

  std::uint32_t arrivals, pending;
  std::int64_t missing = 0;
  std::uint64_t ended = 0;
  BlockClocks arrived, known;
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_PHASEBARRIER_H
