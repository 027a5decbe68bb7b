//===- Border.cpp - calls of the border become intrinsics and PTX ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Border.h"

#include "Target/NVIDIA/Codegen.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tessera::ir::nvidia {

using border::Function;
using llvm::Intrinsic::ID;

/// Blocks of a launch on each axis, at most.
static constexpr std::uint32_t kMaxBlocks[] = {0x7fffffff, 0xffff, 0xffff};

llvm::StringRef spaceOf(llvm::Value *pointer) {
  return pointer->getType()->getPointerAddressSpace() == border::kSharedSpace ? ".shared" : ".global";
}

//===----------------------------------------------------------------------===//
// Numbers of threads and blocks
//===----------------------------------------------------------------------===//

/// A special register whose values lie in [\p low, \p high).
static llvm::Value *readRegister(llvm::IRBuilderBase &b, ID id, std::uint32_t low, std::uint32_t high) {
  llvm::CallInst *call = b.CreateIntrinsic(b.getInt32Ty(), id, {});
  call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, low), llvm::APInt(32, high)));
  return call;
}

/// The value of an id; null if \p callee is none. A block's threads lie on axis x, so that lane and warp are parts of
/// the thread's number.
static llvm::Value *lowerId(const border::Callee &callee, std::uint32_t threads, llvm::IRBuilderBase &b) {
  static constexpr ID kBlock[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                  llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                  llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  static constexpr ID kBlocks[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                   llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                   llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  const auto thread = [&] { return readRegister(b, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, threads); };
  const auto axis = static_cast<std::size_t>(callee.axis);
  switch (callee.function) {
  case Function::ThreadId:
    return thread();
  case Function::LaneId:
    return b.CreateAnd(thread(), 31);
  case Function::WarpId:
    return b.CreateLShr(thread(), 5);
  case Function::BlockId:
    return readRegister(b, kBlock[axis], 0, kMaxBlocks[axis]);
  case Function::NumBlocks:
    return readRegister(b, kBlocks[axis], 1, kMaxBlocks[axis] + 1);
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

static llvm::Value *lowerShuffle(const BorderCall &call) {
  static constexpr ID kKinds[] = {llvm::Intrinsic::nvvm_shfl_sync_idx_i32, llvm::Intrinsic::nvvm_shfl_sync_bfly_i32,
                                  llvm::Intrinsic::nvvm_shfl_sync_up_i32, llvm::Intrinsic::nvvm_shfl_sync_down_i32};
  const bool isUp = call.callee.shuffle == border::Shuffle::Up;
  llvm::IRBuilderBase &b = call.b;
  // The last operand bounds the lanes that are read: up from below, the others from above.
  return b.CreateIntrinsic(b.getInt32Ty(), kKinds[static_cast<std::size_t>(call.callee.shuffle)],
                           {b.getInt32(~0u), call.operand(0), call.operand(1), b.getInt32(isUp ? 0 : 31)});
}

static Lowered lowerReduce(const BorderCall &call) {
  static constexpr ID kKinds[] = {llvm::Intrinsic::nvvm_redux_sync_add,  llvm::Intrinsic::nvvm_redux_sync_min,
                                  llvm::Intrinsic::nvvm_redux_sync_max,  llvm::Intrinsic::nvvm_redux_sync_umin,
                                  llvm::Intrinsic::nvvm_redux_sync_umax, llvm::Intrinsic::nvvm_redux_sync_and,
                                  llvm::Intrinsic::nvvm_redux_sync_or,   llvm::Intrinsic::nvvm_redux_sync_xor};
  if (!call.chip.has(arch::Feature::WarpReduce))
    return llvm::createStringError("the chip reduces no warps");
  return call.b.CreateIntrinsic(call.b.getInt32Ty(), kKinds[static_cast<std::size_t>(call.callee.reduction)],
                                {call.operand(0), call.b.getInt32(~0u)});
}

static llvm::Value *lowerFence(const BorderCall &call) {
  static constexpr llvm::StringLiteral kScopes[] = {"block", "device", ""};
  llvm::LLVMContext &context = call.b.getContext();
  const llvm::StringRef scope = kScopes[static_cast<std::size_t>(call.callee.scope)];
  const llvm::SyncScope::ID system = llvm::SyncScope::System;
  call.b.CreateFence(llvm::AtomicOrdering::AcquireRelease,
                     scope.empty() ? system : context.getOrInsertSyncScopeID(scope));
  return nullptr;
}

/// Its release and acquire are of the cluster's scope.
static Lowered lowerClusterBarrier(const BorderCall &call) {
  if (!call.chip.has(arch::Feature::ClusterLaunch))
    return llvm::createStringError("the chip has no clusters");
  call.b.CreateIntrinsic(call.b.getVoidTy(), llvm::Intrinsic::nvvm_barrier_cluster_arrive_aligned, {});
  call.b.CreateIntrinsic(call.b.getVoidTy(), llvm::Intrinsic::nvvm_barrier_cluster_wait_aligned, {});
  return nullptr;
}

static Lowered lowerCall(const BorderCall &call) {
  llvm::IRBuilderBase &b = call.b;
  llvm::Type *none = b.getVoidTy();
  switch (call.callee.function) {
  case Function::Barrier:
  case Function::SharedBarrier:
    b.CreateIntrinsic(none, llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {b.getInt32(0)});
    return nullptr;
  case Function::ClusterBarrier:
    return lowerClusterBarrier(call);
  case Function::NamedBarrier:
    b.CreateIntrinsic(none, llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count, {call.operand(0), call.operand(1)});
    return nullptr;
  case Function::WarpSync:
    b.CreateIntrinsic(none, llvm::Intrinsic::nvvm_bar_warp_sync, {b.getInt32(~0u)});
    return nullptr;
  case Function::Fence:
    return lowerFence(call);
  case Function::Shuffle:
    return lowerShuffle(call);
  case Function::Ballot:
    return b.CreateZExt(
        b.CreateIntrinsic(b.getInt32Ty(), llvm::Intrinsic::nvvm_vote_ballot_sync, {b.getInt32(~0u), call.operand(0)}),
        b.getInt64Ty());
  case Function::Reduce:
    return lowerReduce(call);
  case Function::Load:
  case Function::VolatileLoad:
  case Function::Store:
  case Function::SharedLoad:
  case Function::SharedStore:
    return lowerAccess(call);
  case Function::ClusterStore:
    return lowerClusterStore(call);
  case Function::Atomic:
  case Function::AtomicCas:
  case Function::AtomicLoad:
  case Function::AtomicStore:
    return lowerAtomic(call);
  case Function::Native:
    if (call.callee.vendor == "nv")
      return lowerNative(call);
    break;
  default:
    break;
  }
  return llvm::createStringError("it is no function of NVIDIA's chips");
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

llvm::Error lowerIds(llvm::Module &module, const arch::Chip &chip, std::uint32_t threads) {
  return gpu::lowerCalls(module, chip, [&](const BorderCall &call) -> gpu::MaybeLowered {
    if (llvm::Value *id = lowerId(call.callee, threads, call.b))
      return id;
    return std::nullopt;
  });
}

llvm::Error lowerBorder(llvm::Module &module, const arch::Chip &chip) {
  return gpu::lowerCalls(module, chip, [](const BorderCall &call) -> gpu::MaybeLowered { return lowerCall(call); });
}

} // namespace tessera::ir::nvidia
