//===- Border.cpp - calls of the border become instructions ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Border.h"

#include "Target/AMD/Codegen.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>

namespace tessera::ir::amd {

using border::Function;
using llvm::Intrinsic::ID;

/// Blocks of a launch on an axis, at most.
static constexpr std::uint32_t kMaxBlocks = 0x7fffffff;

//===----------------------------------------------------------------------===//
// Numbers of threads and blocks
//===----------------------------------------------------------------------===//

/// A register set at the launch whose values lie in [0, \p end).
static llvm::Value *readNumber(llvm::IRBuilderBase &b, ID id, std::uint32_t end) {
  llvm::CallInst *call = b.CreateIntrinsic(b.getInt32Ty(), id, {});
  call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, end)));
  return call;
}

/// `hidden_block_count_*`, which begin what the runtime appends to the arguments.
static llvm::Value *readBlockCount(llvm::IRBuilderBase &b, std::size_t axis) {
  llvm::LLVMContext &context = b.getContext();
  llvm::Value *const hidden =
      b.CreateIntrinsic(b.getPtrTy(4), llvm::Intrinsic::amdgcn_implicitarg_ptr, llvm::ArrayRef<llvm::Value *>());
  llvm::LoadInst *const count =
      b.CreateAlignedLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), hidden, axis), llvm::Align(4));
  count->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  llvm::Metadata *const range[] = {llvm::ConstantAsMetadata::get(b.getInt32(1)),
                                   llvm::ConstantAsMetadata::get(b.getInt32(kMaxBlocks + 1))};
  count->setMetadata(llvm::LLVMContext::MD_range, llvm::MDNode::get(context, range));
  return count;
}

/// The value of an id; null if \p callee is none. A block's threads lie on axis x, so that lane and warp are parts of
/// the thread's number.
static llvm::Value *lowerId(const BorderCall &call, std::uint32_t threads) {
  static constexpr ID kBlock[] = {llvm::Intrinsic::amdgcn_workgroup_id_x, llvm::Intrinsic::amdgcn_workgroup_id_y,
                                  llvm::Intrinsic::amdgcn_workgroup_id_z};
  llvm::IRBuilderBase &b = call.b;
  const auto thread = [&] { return readNumber(b, llvm::Intrinsic::amdgcn_workitem_id_x, threads); };
  const auto warpSize = static_cast<std::uint32_t>(call.chip.warpSize);
  const auto axis = static_cast<std::size_t>(call.callee.axis);
  switch (call.callee.function) {
  case Function::ThreadId:
    return thread();
  case Function::LaneId:
    return b.CreateAnd(thread(), warpSize - 1);
  case Function::WarpId:
    return b.CreateLShr(thread(), llvm::Log2_32(warpSize));
  case Function::BlockId:
    return readNumber(b, kBlock[axis], kMaxBlocks);
  case Function::NumBlocks:
    return readBlockCount(b, axis);
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// What a meeting of threads orders.
enum class Ordered : std::uint8_t {
  Warp,   ///< what lanes of a warp do in either memory
  Shared, ///< what warps do in shared memory
  All,    ///< what they do in either memory
};

/// Lets all see what was written before, and see it: an atomic fence on each side of the meeting, which tells LLVM what
/// not to move. What the chip has to wait for is named. Caches are those of warps that meet only if all is ordered.
static void meet(const BorderCall &call, llvm::Intrinsic::ID how, Ordered ordered, const Waits &waits) {
  llvm::IRBuilderBase &b = call.b;
  const llvm::SyncScope::ID scope =
      b.getContext().getOrInsertSyncScopeID(ordered == Ordered::All ? "workgroup" : "wavefront");
  b.CreateFence(llvm::AtomicOrdering::Release, scope);
  if (ordered == Ordered::All)
    waits.forAll(b);
  else if (ordered == Ordered::Shared)
    waits.forShared(b);
  b.CreateIntrinsic(b.getVoidTy(), how, {});
  b.CreateFence(llvm::AtomicOrdering::Acquire, scope);
}

static void lowerFence(const BorderCall &call, const Waits &waits) {
  static constexpr llvm::StringLiteral kScopes[] = {"workgroup", "agent", ""};
  const llvm::StringRef scope = kScopes[static_cast<std::size_t>(call.callee.scope)];
  waits.forAll(call.b);
  const llvm::SyncScope::ID system = llvm::SyncScope::System;
  call.b.CreateFence(llvm::AtomicOrdering::AcquireRelease,
                     scope.empty() ? system : call.b.getContext().getOrInsertSyncScopeID(scope));
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

static Lowered lowerCall(const BorderCall &call, const LanePaths &paths, const Waits &waits, bool mayCopy) {
  switch (call.callee.function) {
  case Function::Barrier:
    meet(call, llvm::Intrinsic::amdgcn_s_barrier, Ordered::All, waits);
    return nullptr;
  case Function::SharedBarrier:
    meet(call, llvm::Intrinsic::amdgcn_s_barrier, Ordered::Shared, waits);
    return nullptr;
  case Function::NamedBarrier:
    return llvm::createStringError("the chip has no barriers for some of a program's warps");
  case Function::WarpSync:
    if (mayCopy)
      waits.forShared(call.b); // what the warp reads now, a copy may overwrite next
    meet(call, llvm::Intrinsic::amdgcn_wave_barrier, Ordered::Warp, waits);
    return nullptr;
  case Function::CopyToShared:
    return lowerCopy(call);
  case Function::CopyWait:
    return lowerCopyWait(call, waits);
  case Function::Fence:
    lowerFence(call, waits);
    return nullptr;
  case Function::Shuffle:
    return lowerShuffle(call, paths);
  case Function::Ballot:
    return lowerBallot(call);
  case Function::Reduce:
    return llvm::createStringError("the chip reduces no warps");
  case Function::Atomic:
  case Function::AtomicCas:
  case Function::AtomicLoad:
  case Function::AtomicStore:
    return lowerAtomic(call, waits);
  case Function::Native:
    if (call.callee.vendor == "amd")
      return lowerNative(call);
    break;
  default:
    break;
  }
  return llvm::createStringError("it is no function of AMD's chips");
}

llvm::Error lowerIds(llvm::Module &module, const arch::Chip &chip, std::uint32_t threads) {
  return gpu::lowerCalls(module, chip, [&](const BorderCall &call) -> gpu::MaybeLowered {
    if (llvm::Value *id = lowerId(call, threads))
      return id;
    return std::nullopt;
  });
}

llvm::Error lowerBorder(llvm::Module &module, const arch::Chip &chip, llvm::TargetMachine &machine) {
  const bool mayCopy = hasCopies(module);
  useBuffers(module, chip, machine);
  if (llvm::Error error = lowerAccesses(module))
    return error;
  const LanePaths paths = lanePathsOf(machine);
  const Waits waits(machine);
  if (llvm::Error error = gpu::lowerCalls(module, chip, [&](const BorderCall &call) -> gpu::MaybeLowered {
        return lowerCall(call, paths, waits, mayCopy);
      }))
    return error;
  for (llvm::Function &function : module)
    if (mayCopy && !function.isDeclaration())
      separateCopies(function);
  return llvm::Error::success();
}

} // namespace tessera::ir::amd
