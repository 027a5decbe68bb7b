//===- Border.h - parts of lowering the border's functions -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_BORDER_H
#define TESSERA_TARGET_AMD_BORDER_H

#include "Target/AMD/Waits.h"
#include "Target/Gpu/LowerBorder.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Target/TargetMachine.h"

namespace tessera::ir::amd {

using gpu::BorderCall;
using gpu::Lowered;

/// How lanes can reach others without memory, beside permutations in groups of four.
struct LanePaths {
  bool permutesRows = false; ///< any lane of the row of 16 or of its neighbour
  bool sharesLanes = false;  ///< one lane of the row
  bool swapsRows = false;    ///< exchanges rows of two registers
  bool swapsHalves = false;  ///< exchanges halves of two registers
};
LanePaths lanePathsOf(const llvm::TargetMachine &machine);

/// shuffle.
llvm::Value *lowerShuffle(const BorderCall &call, const LanePaths &paths);
/// ballot.
llvm::Value *lowerBallot(const BorderCall &call);
/// Makes masked accesses of global memory in \p module those of buffers, which need no branch, where addresses allow.
void useBuffers(llvm::Module &module, const arch::Chip &chip, llvm::TargetMachine &machine);
/// load, volatile_load, store, shared_load, shared_store, all of them in \p module. Accesses of one mask that lie
/// together share a branch.
llvm::Error lowerAccesses(llvm::Module &module);
/// copy_to_shared of what no buffer serves: lanes that are masked out copy zeros that are constants.
Lowered lowerCopy(const BorderCall &call);
/// copy_wait.
Lowered lowerCopyWait(const BorderCall &call, const Waits &waits);
/// Whether \p module copies to shared memory beside the program.
bool hasCopies(const llvm::Module &module);
/// Tells the code generator that what copies of \p function write meanwhile is read by nobody: it need not wait for
/// them.
void separateCopies(llvm::Function &function);
/// atomic, atomic.cas, atomic.load, atomic.store.
Lowered lowerAtomic(const BorderCall &call, const Waits &waits);
/// `tessera.amd.<name>`: the intrinsic `llvm.amdgcn.<name>`. Types that it leaves open are those of the call.
Lowered lowerNative(const BorderCall &call);

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_BORDER_H
