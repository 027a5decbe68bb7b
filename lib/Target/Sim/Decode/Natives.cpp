//===- Natives.cpp - decode NVIDIA's instructions -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `tessera.nv.<opcode>` is the instruction of PTX with that opcode: results, then operands, in PTX's order.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Decode/Decoder.h"

#include "Target/Sim/Ops/NativeAsync.h"
#include "Target/Sim/Ops/NativeBarrier.h"
#include "Target/Sim/Ops/NativeBulk.h"
#include "Target/Sim/Ops/NativeMath.h"
#include "Target/Sim/Ops/NativeMatrix.h"
#include "Target/Sim/Ops/NativeWgmma.h"
#include "Target/Sim/Ops/Words.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tessera::ir::sim {

bool Decoder::decodeMma(const llvm::CallInst &call, llvm::StringRef instruction) {
  const std::optional<MmaShape> shape = parseMma(instruction);
  if (!shape || program.warpSize != 32)
    return refuse(call);
  if (!emitCall(call, mmaFunction(), kConverge | kYield))
    return false;
  const Draft &draft = drafts.back();
  const unsigned registers = 2 * shape->registersOfD() + shape->registersOfA() + shape->registersOfB();
  if (draft.inst.outs != shape->registersOfD() || draft.slots.size() != registers)
    return refuse(call, "it has another number of registers");
  const auto wide = [&](std::uint32_t slot) { return bytesOf(slots[slot].type) == 8; };
  if (llvm::any_of(draft.slots, [&](std::uint32_t slot) {
        return bytesOf(slots[slot].type) < 4 || wide(slot) != (shape->d == MatrixType::F64);
      }))
    return refuse(call, "its registers have another width");
  drafts.back().inst.imm = shape->encode();
  return true;
}

bool Decoder::decodeMatrixMove(const llvm::CallInst &call, llvm::StringRef instruction) {
  const std::optional<MatrixMove> move = parseMatrixMove(instruction);
  if (!move || program.warpSize != 32)
    return refuse(call);
  if (!emitCall(call, matrixMoveFunction(move->isStore), kConverge | kYield))
    return false;
  Draft &draft = drafts.back();
  const std::size_t registers = draft.slots.size() - 1;
  if (registers != move->count || draft.inst.outs != (move->isStore ? 0 : move->count) ||
      llvm::any_of(draft.slots, [&](std::uint32_t slot) {
        return bytesOf(slots[slot].type) != (slot == draft.slots[draft.inst.outs] ? 8u : 4u);
      }))
    return refuse(call, "it has other registers");
  draft.inst.imm = move->isTransposed;
  MemoryOp &op = addMemory(draft.inst);
  op.space = Space::Shared;
  op.elementBytes = 16;
  op.count = static_cast<std::uint8_t>(move->count);
  op.align = 16;
  op.writes = move->isStore;
  return true;
}

bool Decoder::decodeAsyncCopy(const llvm::CallInst &call, llvm::StringRef instruction) {
  Words words = wordsOf({instruction.data(), instruction.size()});
  const auto numbered = [&](ExecFn exec) {
    if (!emitCall(call, exec, kYield))
      return false;
    drafts.back().inst.imm = waits++;
    return true;
  };
  const std::string_view what = words.size() > 2 ? words[2] : "";
  if (what == "commit_group")
    return emitCall(call, asyncCommitFunction());
  if (what == "wait_group")
    return call.arg_size() == 1 ? numbered(asyncWaitFunction()) : refuse(call);
  if (what == "wait_all")
    return numbered(asyncWaitAllFunction());
  std::erase_if(words, [](std::string_view word) { return word.starts_with("L2::"); });
  const auto *bytes = call.arg_size() > 2 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2)) : nullptr;
  const bool isCa = words == Words{"cp", "async", "ca", "shared", "global"};
  if ((!isCa && words != Words{"cp", "async", "cg", "shared", "global"}) || call.arg_size() > 4 || !bytes)
    return refuse(call);
  const std::uint64_t count = bytes->getZExtValue();
  if (count != 16 && (!isCa || (count != 4 && count != 8)))
    return refuse(call, "copies are 16 bytes wide, and with `ca` also 4 and 8");
  if (!emitCall(call, asyncCopyFunction()))
    return false;
  Draft &draft = drafts.back();
  draft.inst.imm = call.arg_size();
  MemoryOp write;
  write.space = Space::Shared;
  write.elementBytes = static_cast<std::uint8_t>(count);
  write.align = static_cast<std::uint32_t>(count);
  write.writes = true;
  MemoryOp read = write;
  read.space = Space::Global;
  read.writes = false;
  addMemoryPair(draft.inst, write, read);
  return true;
}

bool Decoder::decodePhaseBarrier(const llvm::CallInst &call, llvm::StringRef instruction) {
  const unsigned results = call.getType()->isVoidTy() ? 0 : 1;
  const ExecFn exec = phaseBarrierFunction(instruction, call.arg_size(), results);
  if (!exec || !emitCall(call, exec, kYield))
    return refuse(call);
  Inst &inst = drafts.back().inst;
  inst.imm = call.arg_size();
  MemoryOp &op = addMemory(inst);
  op.space = Space::Shared;
  op.elementBytes = 8;
  op.align = 8;
  op.writes = true;
  op.atomic = !instruction.contains(".init") && !instruction.contains(".inval");
  return true;
}

bool Decoder::decodeBulk(const llvm::CallInst &call, llvm::StringRef instruction) {
  const std::optional<BulkInstruction> bulk = parseBulk(instruction);
  if (bulk && bulk->kind == BulkInstruction::Nothing)
    return true;
  if (!bulk || !emitCall(call, bulkFunction(bulk->kind), kYield))
    return refuse(call);
  Draft &draft = drafts.back();
  switch (bulk->kind) {
  case BulkInstruction::Commit:
    return true;
  case BulkInstruction::Wait:
    draft.inst.imm = waits++;
    return draft.slots.size() == 1 || refuse(call);
  case BulkInstruction::Fence:
    draft.inst.imm = counters[draft.inst.exec]++;
    return true;
  default:
    break;
  }
  const bool isLoad = bulk->kind == BulkInstruction::TensorLoad;
  const bool hasPolicy = instruction.ends_with(".L2::cache_hint");
  if (draft.slots.size() != bulk->rank + (isLoad ? 3 : 2) + hasPolicy)
    return refuse(call, "it has other operands");
  draft.inst.imm = bulk->rank;
  MemoryOp onShared;
  onShared.space = Space::Shared;
  onShared.align = 1;
  onShared.writes = isLoad;
  MemoryOp onGlobal = onShared;
  onGlobal.space = Space::Global;
  onGlobal.writes = !isLoad;
  addMemoryPair(draft.inst, onShared, onGlobal);
  return true;
}

/// The first user of \p value, an accumulator that is still being computed, that is neither a product, a wait, nor a
/// mere move; null if there is none.
static const llvm::User *earlyUserOf(const llvm::Value *value, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  for (const llvm::User *user : value->users()) {
    if (llvm::isa<llvm::PHINode, llvm::ExtractValueInst, llvm::InsertValueInst, llvm::ExtractElementInst,
                  llvm::InsertElementInst>(user)) {
      if (seen.insert(user).second)
        if (const llvm::User *found = earlyUserOf(user, seen))
          return found;
      continue;
    }
    const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || !call->getCalledFunction() || !call->getCalledFunction()->getName().starts_with("tessera.nv.wgmma."))
      return user;
  }
  return nullptr;
}

bool Decoder::decodeWgmma(const llvm::CallInst &call, llvm::StringRef instruction) {
  if (program.warpSize != 32)
    return refuse(call);
  if (instruction == "wgmma.fence.sync.aligned")
    return true; // orders registers, which here have an order anyway
  if (instruction == "wgmma.commit_group.sync.aligned")
    return emitCall(call, wgmmaCommitFunction(), kConverge);
  if (instruction == "wgmma.wait_group.sync.aligned") {
    if (!emitCall(call, wgmmaWaitFunction(), kConverge | kYield))
      return false;
    Draft &draft = drafts.back();
    draft.inst.imm = waits++;
    return draft.slots.size() == 1 + 2 * std::size_t(draft.inst.outs) || refuse(call, "it has other operands");
  }
  // The accumulator, A, B, whether the accumulator counts, the signs of A and B, whether they are transposed. Products
  // of integers have no signs.
  std::optional<WgmmaShape> shape = parseWgmma(instruction);
  if (!shape)
    return refuse(call);
  const bool hasSigns = shape->d != MatrixType::S32;
  if (call.arg_size() < (hasSigns ? 6 : 4))
    return refuse(call);
  const auto flag = [&](unsigned operand) {
    const auto *number =
        operand < call.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand)) : nullptr;
    return number ? static_cast<int>(number->getSExtValue()) : operand < 6 ? -2 : 0;
  };
  Slots ins = in(call.getArgOperand(0));
  const Slots a = in(call.getArgOperand(1)), b = in(call.getArgOperand(2)), scale = in(call.getArgOperand(3));
  shape->hasAInRegisters = a.size() == 4;
  shape->transposesB = flag(shape->hasAInRegisters ? 6 : 7) == 1;
  shape->transposesA = !shape->hasAInRegisters && flag(6) == 1;
  if ((hasSigns && (flag(4) != 1 || flag(5) != 1)) || ins.size() != shape->registersOfD() ||
      (a.size() != 1 && a.size() != 4) || b.size() != 1 || scale.size() != 1)
    return refuse(call, "it has other operands");
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  if (const llvm::User *early = earlyUserOf(&call, seen))
    return fail(*llvm::cast<llvm::Instruction>(early),
                "the result of `" + instruction + "` is used before a wait for it");
  for (const Slots &more : {a, b, scale})
    ins.append(more);
  const ExecFn exec = wgmmaFunction(slots[scale[0]].type);
  const Slots outs = in(&call);
  if (!exec || outs.size() != shape->registersOfD())
    return refuse(call, "it has other operands");
  Inst &inst = emit(exec, outs, ins, kConverge | kYield);
  inst.imm = shape->encode();
  MemoryOp &op = addMemory(inst);
  op.space = Space::Shared;
  op.align = 1;
  return true;
}

bool Decoder::decodeNative(const llvm::CallInst &call, llvm::StringRef instruction) {
  if (instruction.starts_with("mma."))
    return decodeMma(call, instruction);
  if (instruction.starts_with("ldmatrix.") || instruction.starts_with("stmatrix."))
    return decodeMatrixMove(call, instruction);
  if (instruction.starts_with("fence.mbarrier_init.") || instruction == "prefetch.tensormap")
    return true; // orders and speeds up what is in order and near here anyway
  if (instruction.starts_with("mbarrier."))
    return decodePhaseBarrier(call, instruction);
  if (instruction.starts_with("cp.async.bulk.") || instruction.starts_with("fence.proxy."))
    return decodeBulk(call, instruction);
  if (instruction.starts_with("wgmma."))
    return decodeWgmma(call, instruction);
  if (instruction.starts_with("cp.async."))
    return decodeAsyncCopy(call, instruction);
  if (const NativeMath math = nativeMathFunction(instruction, call.arg_size()); math.exec) {
    if (!emitCall(call, math.exec))
      return false;
    drafts.back().inst.imm = math.imm;
    return true;
  }
  return refuse(call);
}

} // namespace tessera::ir::sim
