//===- Launch.h - run a decoded kernel -------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_LAUNCH_H
#define TESSERA_TARGET_SIM_LAUNCH_H

#include "Target/Interp/Checks/Faults.h"
#include "Target/Interp/Program.h"
#include "Target/Sim/Program.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tessera::ir::sim {

/// What a test breaks on purpose, to see that it is found. Counts start at 0; below 0 nothing is broken.
struct Sabotage {
  int dropBarrier = -1;          ///< the barrier of this place in the code does nothing
  int dropClusterBarrier = -1;   ///< likewise
  int dropWarpSync = -1;         ///< likewise
  int dropWait = -1;             ///< this wait for asynchronous copies does nothing
  int weakenWait = -1;           ///< this wait for copies of warps leaves one more under way
  int dropFence = -1;            ///< this proxy fence does nothing
  bool swapSwizzle = false;      ///< shared stores exchange bits 4 and 5 of the offset
  bool misorderFragment = false; ///< matrix products read A in another order
};

/// One launch.
struct LaunchRequest {
  std::array<std::int64_t, 3> grid{1, 1, 1};
  unsigned threads = 32; ///< of a block
  unsigned cluster = 1;  ///< neighbouring blocks on axis x that execute together; divides its extent
  std::uint32_t sharedBytes = 0;
  std::span<const void *const> arguments; ///< the value of parameter i lies at arguments[i]
  std::span<const interp::LiveBuffer> buffers;
  /// An address in a buffer and what the user calls it.
  std::span<const std::pair<std::uint64_t, std::string>> names;
  std::uint64_t seed = 0;
  std::uint64_t maxSteps = std::uint64_t(1) << 28; ///< instructions of one block, all its warps together
  unsigned maxFaults = 20;
  Sabotage sabotage;
};

/// Executes all blocks of the grid in an order drawn by the seed; gives what the checks found. The same request gives
/// the same findings and results.
interp::Faults run(const Program &program, const LaunchRequest &request);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_LAUNCH_H
