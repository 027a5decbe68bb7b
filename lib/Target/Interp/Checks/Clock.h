//===- Clock.h - what one program knows of the others ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_CLOCK_H
#define TESSERA_TARGET_INTERP_CHECKS_CLOCK_H

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::ir::interp {

/// A vector clock: for each program, how many of its epochs are known to have happened; 0 for most. A program's epoch
/// ends with each release. Neighbouring programs with one value are one entry, so the clock of a counter that every
/// program of a grid has passed is short.
class Clock {
public:
  /// How many epochs of \p program are known.
  std::uint32_t of(std::uint64_t program) const;
  /// Knows \p epochs of \p program, or what it knew if that is more.
  void raise(std::uint64_t program, std::uint32_t epochs);
  /// Knows whatever this or \p other knows.
  void join(const Clock &other);
  /// The first program in [first, last] of which fewer than \p epochs are known.
  std::optional<std::uint64_t> firstBelow(std::uint64_t first, std::uint64_t last, std::uint32_t epochs) const;
  void clear() { runs.clear(); }
  /// How many entries it takes.
  std::size_t size() const { return runs.size(); }

private:
  struct Run {
    std::uint64_t first, last;
    std::uint32_t epochs;
  };
  std::vector<Run> runs; ///< in order, not overlapping, epochs > 0, neighbours with one value merged
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_CLOCK_H
