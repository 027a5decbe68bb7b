//===- AsyncCopies.h - copies that are under way ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Copies of a thread from global to shared memory, in the groups it commits. They move their bytes as late as the
// thread's waits allow, in an order drawn by the seed: so whatever relies on an earlier time is found.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_ASYNCCOPIES_H
#define TESSERA_TARGET_SIM_MEMORY_ASYNCCOPIES_H

#include "Target/Sim/Program.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace tessera::ir::sim {

struct AsyncCopy {
  const Inst *inst = nullptr;
  std::uint64_t to = 0; ///< offset in shared memory
  const std::byte *from = nullptr;
  std::uint32_t bytes = 0;  ///< written
  std::uint32_t filled = 0; ///< read; the rest are zeros
};

/// The copies of one lane.
struct AsyncCopies {
  std::vector<AsyncCopy> open; ///< not committed yet
  std::deque<std::vector<AsyncCopy>> groups;

  void commit() {
    groups.push_back(std::move(open));
    open.clear();
  }
  /// Takes out all copies but those of the latest \p kept groups.
  std::vector<AsyncCopy> take(std::size_t kept) {
    std::vector<AsyncCopy> done;
    for (; groups.size() > kept; groups.pop_front())
      done.insert(done.end(), groups.front().begin(), groups.front().end());
    return done;
  }
  void clear() {
    open.clear();
    groups.clear();
  }
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_ASYNCCOPIES_H
