//===- Waits.cpp - a wave waits for its own accesses ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Waits.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/MC/MCSubtargetInfo.h"

#include <algorithm>

namespace tessera::ir::amd {

/// As many as a counter can hold: no wait.
static constexpr unsigned kAnyMemory = 63, kAnyShared = 15, kAnyExports = 7;

static void wait(llvm::IRBuilderBase &b, llvm::Intrinsic::ID id, llvm::Value *count) {
  b.CreateIntrinsic(b.getVoidTy(), id, {count});
}

/// `s_waitcnt` of gfx9.
static void waitOfTwo(llvm::IRBuilderBase &b, unsigned memory, unsigned shared) {
  const unsigned code = (memory & 15) | kAnyExports << 4 | shared << 8 | (memory >> 4) << 14;
  wait(b, llvm::Intrinsic::amdgcn_s_waitcnt, b.getInt32(code));
}

/// `s_waitcnt` of gfx11, which knows no stores.
static void waitOfThree(llvm::IRBuilderBase &b, unsigned loads, unsigned shared) {
  wait(b, llvm::Intrinsic::amdgcn_s_waitcnt, b.getInt32(kAnyExports | shared << 4 | loads << 10));
}

Waits::Waits(const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo &chip = *machine.getMCSubtargetInfo();
  counters = chip.checkFeatures("+gfx12-insts")   ? Counters::Each
             : chip.checkFeatures("+gfx11-insts") ? Counters::Three
                                                  : Counters::Two;
}

void Waits::forShared(llvm::IRBuilderBase &b) const {
  switch (counters) {
  case Counters::Two:
    return waitOfTwo(b, kAnyMemory, 0);
  case Counters::Three:
    return waitOfThree(b, kAnyMemory, 0);
  case Counters::Each:
    return wait(b, llvm::Intrinsic::amdgcn_s_wait_dscnt, b.getInt16(0));
  }
}

void Waits::forAll(llvm::IRBuilderBase &b) const {
  switch (counters) {
  case Counters::Two:
    return waitOfTwo(b, 0, 0);
  case Counters::Three: {
    waitOfThree(b, 0, 0);
    llvm::FunctionType *const type = llvm::FunctionType::get(b.getVoidTy(), /*isVarArg=*/false);
    b.CreateCall(type, llvm::InlineAsm::get(type, "s_waitcnt_vscnt null, 0x0", "", /*hasSideEffects=*/true));
    return;
  }
  case Counters::Each:
    for (const llvm::Intrinsic::ID id : {llvm::Intrinsic::amdgcn_s_wait_loadcnt,
                                         llvm::Intrinsic::amdgcn_s_wait_storecnt, llvm::Intrinsic::amdgcn_s_wait_dscnt})
      wait(b, id, b.getInt16(0));
    return;
  }
}

void Waits::forCopies(llvm::IRBuilderBase &b, std::uint64_t kept) const {
  waitOfTwo(b, static_cast<unsigned>(std::min<std::uint64_t>(kAnyMemory, kept)), kAnyShared);
}

} // namespace tessera::ir::amd
