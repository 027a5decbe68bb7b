//===- Waiting.cpp - a program that waits for another ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Waiting.h"

namespace tessera::ir::interp {

bool WaitDetector::note(const void *ofLaunch, std::uint64_t ofProgram, const Inst &inst, std::uint64_t seen,
                        bool changed) {
  if (changed || ofLaunch != launch || ofProgram != program) {
    launch = ofLaunch;
    program = ofProgram;
    polls = 0;
    last.clear();
    if (changed)
      return false;
  }
  auto [it, fresh] = last.try_emplace(&inst, seen);
  polls = !fresh && it->second == seen ? polls + 1 : 0;
  it->second = seen;
  return polls >= kPolls;
}

} // namespace tessera::ir::interp
