//===- Faults.h - what checked execution found ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A fault stops nothing: the lane reads zero or writes nothing and the program goes on, so that one run shows many.
// One executed instruction gives at most one fault of a kind; it names the first lane and counts the others.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_FAULTS_H
#define TESSERA_TARGET_INTERP_CHECKS_FAULTS_H

#include "Target/Interp/Instr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::ir::interp {

/// Places in the order of findings about one program: before it runs (from 0), while it runs, and after all have run.
inline constexpr std::uint64_t kProgramOrder = std::uint64_t(1) << 32, kAfterOrder = std::uint64_t(1) << 63;

/// One finding. Ordered by program, then by the order in which the program met it.
struct Fault {
  std::uint64_t program = 0;
  std::uint64_t order = 0;
  std::string text;
};

/// The findings of a launch.
struct Faults {
  std::vector<Fault> shown; ///< the first ones, in order
  std::uint64_t total = 0;
  bool none() const { return total == 0; }
  /// One line per fault and, last, how many more there were. Empty when there are none.
  std::string text() const;
};

/// The findings of one thread. A thread takes its programs in ascending order, so the first ones are the ones to keep.
class FaultLog {
public:
  /// \p firstOrder places these findings among those of other logs about the same program.
  explicit FaultLog(std::size_t limit = 20, std::uint64_t firstOrder = 0) : limit(limit), firstOrder(firstOrder) {}
  /// Whether the text of the next fault would be kept; without it only the count matters.
  bool wantsText() const { return kept.size() < limit; }
  void add(std::uint64_t program, std::string text) {
    if (wantsText())
      kept.push_back({program, firstOrder + total, std::move(text)});
    ++total;
  }
  /// Adds this thread's findings to \p all.
  void mergeInto(Faults &all) const;

private:
  std::size_t limit;
  std::uint64_t firstOrder;
  std::vector<Fault> kept;
  std::uint64_t total = 0;
};

/// Puts the merged findings in order and keeps the first \p limit.
void sortFaults(Faults &faults, std::size_t limit);

/// "program (1, 0, 0)".
std::string programName(const std::array<std::int64_t, 3> &id);

/// The program id of a linear number in \p grid; x runs fastest.
std::array<std::int64_t, 3> programId(std::uint64_t program, const std::array<std::int64_t, 3> &grid);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_FAULTS_H
