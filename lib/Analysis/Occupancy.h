//===- Occupancy.h - blocks that run on one multiprocessor ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_OCCUPANCY_H
#define TESSERA_ANALYSIS_OCCUPANCY_H

#include "Arch/Chip.h"

#include <cstdint>
#include <string_view>

namespace tessera::ir {

/// What a block of threads takes.
struct BlockNeeds {
  std::int64_t threads = 1;
  std::int64_t registersOfThread = 0; ///< 0: not known, no limit
  std::int64_t sharedBytes = 0;
};

/// Blocks of one kind that run on a multiprocessor at once.
struct Occupancy {
  /// What there is too little of for one block more.
  enum class Limit { Blocks, Threads, Registers, SharedMemory };

  std::int64_t blocks = 0; ///< 0: not even one fits
  std::int64_t warps = 0;  ///< of all of them
  Limit limit = Limit::Blocks;
  double share = 0; ///< of the warps that the multiprocessor can hold
};

/// The occupancy of \p chip, which must state its multiprocessors' facts; what it does not state limits nothing.
Occupancy occupancyOf(const arch::Chip &chip, const BlockNeeds &needs);

/// "blocks", "threads", "registers", "shared memory".
std::string_view nameOf(Occupancy::Limit limit);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_OCCUPANCY_H
