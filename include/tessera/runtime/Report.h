//===- Report.h - what became of a kernel ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_REPORT_H
#define TESSERA_RUNTIME_REPORT_H

#include "tessera/core/Export.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// How a line of the kernel moves its tile from or to global memory. Of several versions of it in the code, the best.
struct MemoryAccess {
  std::string at;         ///< file:line:column
  std::string kind;       ///< "load", "store", "copy" (to shared memory, beside the program), "tensor copy"
  std::int64_t bytes = 0; ///< that a thread moves at once, or of the whole box of a tensor copy
  std::int64_t held = 0;  ///< that it has of the tile, or could move at once if these are more

  bool operator==(const MemoryAccess &) const = default;
};

/// What multiplies for a `dot`.
struct MatrixProduct {
  std::string at;   ///< file:line:column
  std::string unit; ///< the matrix instruction, or "fma" for multiplication element by element

  bool operator==(const MatrixProduct &) const = default;
};

/// What is known of a compiled kernel without running it. Numbers that a target does not state are absent. Lines are
/// those of the text that was compiled: of an equal kernel from the cache, where it stood then.
struct TESSERA_API Report {
  std::string target;
  std::optional<std::int64_t> threads;      ///< of a program: warps x warp size; of all that share a block
  std::optional<std::int64_t> warp_size;    ///< lanes
  std::optional<std::int64_t> registers;    ///< of a thread
  std::optional<std::int64_t> spill_bytes;  ///< that a thread keeps in memory for want of registers
  std::optional<std::int64_t> shared_bytes; ///< of a block
  std::optional<double> occupancy;          ///< warps that run on a core at once, of those that it could hold
  std::string occupancy_limit;              ///< "registers", "shared memory", "threads", "blocks"
  std::vector<MemoryAccess> accesses;
  std::vector<MatrixProduct> products;
  /// Turns that the banks of shared memory take for the accesses in the code, over the fewest possible; 1 if no two
  /// lanes meet in a bank.
  std::optional<double> bank_conflicts;
  std::vector<std::pair<std::string, double>> stages; ///< milliseconds, if it was compiled in this process
  bool source_changed = false;                        ///< since it was compiled: lines are those of then

  /// A table for people.
  std::string text() const;
};

namespace detail {
/// The report that facts about a binary for \p target give.
TESSERA_API Report reportOf(const std::string &target, const std::vector<std::pair<std::string, std::string>> &facts);
} // namespace detail

} // namespace tessera

#endif // TESSERA_RUNTIME_REPORT_H
