//===- Rehearsal.h - the programs in reverse order ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where programs communicate, what one of them acquires depends on who ran before. A program that acquires but does not
// look at what it read seems to be ordered after all that ran before it, and races with those that may run later
// (SEMANTICS M4). So kernels that acquire and release first run in reverse order, on the same memory, which then gets
// its contents back. Only races and waiting are looked for; results and all other findings are those of grid order.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_REHEARSAL_H
#define TESSERA_TARGET_INTERP_CHECKS_REHEARSAL_H

#include "Target/Interp/Launch.h"

namespace tessera::ir::interp {

/// Whether another order may show what \p launch would not, at a sane cost: all memory the kernel may write is known,
/// and there is not too much of it to keep.
bool wantsRehearsal(const Launch &launch);

/// Runs the programs in reverse order and returns what it found. Memory is as before afterwards.
FaultLog rehearse(const Code &code, const LaunchRequest &request);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_REHEARSAL_H
