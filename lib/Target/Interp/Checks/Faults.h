//===- Faults.h - what checked execution found ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A fault stops nothing: the lane reads zero or writes nothing and the program goes on, so that one run shows many.
// One executed instruction gives at most one fault of a kind; it names the first lane and counts the others. Faults of
// one kind at one place of the kernel are told in one line with their number.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_FAULTS_H
#define TESSERA_TARGET_INTERP_CHECKS_FAULTS_H

#include "Target/Interp/Instr.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::ir::interp {

/// Places in the order of findings about one program: before it runs (from 0), while it runs, and after all have run.
inline constexpr std::uint64_t kProgramOrder = std::uint64_t(1) << 32, kAfterOrder = std::uint64_t(1) << 63;

/// What was found at one place of the kernel against one rule: the first finding and how many there were. Ordered by
/// the program of the first, then by the order in which that program met it.
struct Fault {
  std::uint64_t program = 0;
  std::uint64_t order = 0;
  std::uint64_t count = 0;
  std::string text; ///< what was observed
  std::string rule; ///< rule and hint
};

/// The findings of a launch.
struct Faults {
  std::vector<Fault> shown; ///< the first ones, in order
  std::uint64_t total = 0;
  bool none() const { return total == 0; }
  /// One line per fault and, last, how many more there were. Empty when there are none.
  std::string text() const;
};

/// The findings of one thread, or of all once they are merged. A thread takes its programs in ascending order, so its
/// first finding at a place is the one to keep.
class FaultLog {
public:
  /// \p firstOrder places these findings among those of other logs about the same program.
  explicit FaultLog(std::uint64_t firstOrder = 0) : firstOrder(firstOrder) {}
  /// Adds a finding. \p place tells places of the kernel apart; `text` is called for the first finding there.
  template <class Text> void add(std::uint64_t program, std::string place, std::string_view rule, Text &&text) {
    Fault &fault = faults[{std::move(place), std::string(rule)}];
    if (fault.count++ == 0) {
      fault.program = program;
      fault.order = firstOrder + total;
      fault.text = text();
      fault.rule = rule;
    }
    ++total;
  }
  /// Adds the findings of \p other.
  void merge(const FaultLog &other);
  /// Adds those of \p other at places where this log has none.
  void mergeMissing(const FaultLog &other);
  /// All findings in order, the first \p limit of them to be shown.
  Faults result(std::size_t limit) const;

private:
  std::uint64_t firstOrder;
  std::map<std::pair<std::string, std::string>, Fault> faults; ///< by place and rule
  std::uint64_t total = 0;
};

/// "program (1, 0, 0)".
std::string programName(const std::array<std::int64_t, 3> &id);

/// The program id of a linear number in \p grid; x runs fastest.
std::array<std::int64_t, 3> programId(std::uint64_t program, const std::array<std::int64_t, 3> &grid);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_FAULTS_H
