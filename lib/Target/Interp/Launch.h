//===- Launch.h - built code, and one execution of it -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `Code` is what the lowering of a module produces and all launches share; `Launch` is what the threads of one launch
// share.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_LAUNCH_H
#define TESSERA_TARGET_INTERP_LAUNCH_H

#include "Target/Interp/Checks/Buffers.h"
#include "Target/Interp/Checks/Races.h"
#include "Target/Interp/Instr.h"
#include "Target/Interp/Program.h"

#include <vector>

namespace tessera::ir::interp {

/// The parameters a pointer may have been computed from, by number.
struct Roots {
  bool unknown = false; ///< loaded from memory or made from an integer: may be any
  std::vector<std::uint32_t> origins;
  bool meets(const Roots &other) const;
  /// The only origin there is, or -1.
  int only() const { return !unknown && origins.size() == 1 ? static_cast<int>(origins[0]) : -1; }
};

/// What is known, before execution, of an instruction that touches memory.
struct MemorySite {
  std::uint32_t site = 0;  ///< index into Code::sites
  std::uint32_t index = 0; ///< its own place in Code::memory
  Elem elem = Elem::I32;
  bool writes = false;
  bool atomic = false;
  bool mayAlias = false; ///< some origin is declared may_alias
  Roots roots;
  std::vector<std::uint32_t> moved; ///< of a store: the loads whose elements changed their lanes on the way to it
};

/// A constant of the kernel, copied into each thread's registers once.
struct Constant {
  Slot slot;
  std::vector<std::byte> bytes; ///< one element (repeated) or all of them
};

/// A kernel, ready to execute. Immutable once built.
struct Code {
  std::string name;
  Block prologue; ///< what is the same for all programs; each thread runs it once, before its first program
  Block body;
  std::vector<Site> sites;
  std::vector<MemorySite> memory;
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;
  std::vector<Slot> parameterSlots;
  std::uint32_t frameBytes = 0;
  bool inGridOrder = false; ///< runs on one thread: the kernel has atomics or prints
  bool acquires = false;    ///< some atomic learns of other programs
  bool releases = false;    ///< some atomic tells other programs
  bool stops = false;       ///< TESSERA_BREAK stops in it
};

/// One launch in progress.
struct Launch {
  Launch(const Code &code, const LaunchRequest &request, bool isRehearsal = false);

  const Code &code;
  const bool isRehearsal; ///< runs in reverse order and only looks for races
  std::array<std::int64_t, 3> grid;
  std::uint64_t programs;
  llvm::ArrayRef<const void *> arguments;
  llvm::ArrayRef<DType> pointees;
  const RunOptions &options;
  Buffers buffers;
  std::unique_ptr<RaceChecker> races; ///< null when checks are off
  bool argumentsShareBuffer = false;  ///< two pointer arguments point into one buffer that the kernel writes

  /// The number of the program whose turn is number \p turn.
  std::uint64_t programAt(std::uint64_t turn) const { return isRehearsal ? programs - 1 - turn : turn; }
  /// The address that parameter \p origin, a pointer, has.
  std::uint64_t addressOfOrigin(std::uint32_t origin) const;
  /// The buffer that parameter \p origin points into, or null.
  const Buffer *bufferOfOrigin(std::uint32_t origin) const { return argumentBuffers[origin]; }
  /// Of the buffers of \p roots, or of all where they are unknown, the one nearest to \p address.
  const Buffer *nearestOrigin(const Roots &roots, std::uint64_t address) const;
  /// "`x` or `y`".
  std::string namesOf(const Roots &roots) const;
  /// "f32": what the pointers of \p roots point to, or nothing where that is not known.
  std::string pointeeOf(const Roots &roots) const;

private:
  std::vector<const Buffer *> argumentBuffers; ///< per parameter; null for scalars and pointers to nowhere
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_LAUNCH_H
