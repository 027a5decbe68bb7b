//===- Waiting.h - a program that waits for another -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Programs have no promise of progress, so one must not wait for another (SEMANTICS M4). Here, where they run one after
// the other, it would wait for ever. Such a program polls: the same atomics at the same places see the same values
// again and again and change nothing.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_WAITING_H
#define TESSERA_TARGET_INTERP_CHECKS_WAITING_H

#include <cstdint>
#include <unordered_map>

namespace tessera::ir::interp {

struct Inst;

/// Ends the launch; what was found so far is reported. Thrown by an instruction after its fault.
struct StopLaunch {};

/// Counts the polls of one thread.
class WaitDetector {
public:
  /// So many polls without any change are waiting; far more than a program needs that looks at a flag now and then.
  static constexpr std::uint64_t kPolls = std::uint64_t(1) << 22;

  /// Notes an executed atomic \p inst of program \p program of the launch \p launch; \p seen stands for its addresses
  /// and the values it saw, \p changed tells whether it changed memory. Returns whether the program waits.
  bool note(const void *launch, std::uint64_t program, const Inst &inst, std::uint64_t seen, bool changed);

private:
  const void *launch = nullptr;
  std::uint64_t program = 0;
  std::uint64_t polls = 0;
  std::unordered_map<const Inst *, std::uint64_t> last; ///< what each atomic saw since memory changed
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_WAITING_H
