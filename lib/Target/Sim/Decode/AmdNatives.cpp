//===- AmdNatives.cpp - decode AMD's instructions -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `tessera.amd.<name>` is `llvm.amdgcn.<name>`, with the operands of that.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Decode/Decoder.h"

#include "Target/Sim/Ops/AmdMath.h"
#include "Target/Sim/Ops/NativeColumns.h"
#include "Target/Sim/Ops/NativeMfma.h"

namespace tessera::ir::sim {

bool Decoder::decodeMfma(const llvm::CallInst &call, llvm::StringRef instruction) {
  std::optional<MfmaShape> shape = parseMfma(instruction, program.hasFnuz);
  if (!shape || program.warpSize != shape->warpSize())
    return refuse(call);
  // Of integers, WMMA has flags before A, before B and behind C. MFMA has three numbers behind C or, with formats,
  // those of A and B and four numbers.
  const bool hasFlags = shape->isWmma && shape->isInteger();
  const unsigned atA = hasFlags ? 1 : 0, atB = hasFlags ? 3 : 1, atC = atB + 1;
  if (call.arg_size() != (shape->hasFormats ? 9u : hasFlags || !shape->isWmma ? 6u : 3u))
    return refuse(call, "it has other operands");
  const auto constantAt = [&](unsigned operand) {
    const auto *number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
    return number ? std::optional(number->getZExtValue()) : std::nullopt;
  };
  if (hasFlags) {
    const auto isSigned = [&](unsigned operand) { return constantAt(operand) == 1u; };
    shape->first = 1;
    shape->a = isSigned(0) ? MatrixType::S8 : MatrixType::U8;
    shape->b = isSigned(2) ? MatrixType::S8 : MatrixType::U8;
  }
  if (shape->hasFormats)
    for (MatrixType *type : {&shape->a, &shape->b}) {
      const auto format = constantAt(type == &shape->a ? 3 : 4);
      if (!format || *format > 1)
        return refuse(call, "its formats are other than e4m3 and e5m2");
      *type = *format == 0 ? MatrixType::E4M3 : MatrixType::E5M2;
    }
  for (unsigned operand = atC + (shape->hasFormats ? 3 : 1); operand < call.arg_size(); ++operand)
    if (constantAt(operand) != 0u)
      return refuse(call, "its modifiers are not 0");
  if (!emitCall(call, mfmaFunction(), kConverge | kYield))
    return false;
  const Slots a = in(call.getArgOperand(atA)), b = in(call.getArgOperand(atB)), c = in(call.getArgOperand(atC));
  shape->registers = static_cast<unsigned>(a.size());
  shape->registerBytes = bytesOf(slots[a[0]].type);
  const unsigned elements = 8 * shape->registers * shape->registerBytes / bitsOf(shape->a);
  if (shape->isWmma)
    shape->form = elements == shape->k ? MfmaShape::Form::Copies : MfmaShape::Form::Halves;
  Draft &draft = drafts.back();
  const unsigned resultBytes = shape->d == MatrixType::F64 ? 8 : 4;
  if (elements != shape->elements() || b.size() != a.size() || bytesOf(slots[b[0]].type) != shape->registerBytes ||
      c.size() != shape->results() || draft.inst.outs != shape->results() || bytesOf(slots[c[0]].type) != resultBytes ||
      bytesOf(slots[draft.slots[0]].type) != resultBytes)
    return refuse(call, "it has other registers");
  draft.inst.imm = shape->encode();
  return true;
}

bool Decoder::decodeAmdMath(const llvm::CallInst &call, llvm::StringRef instruction) {
  const AmdMath math = amdMathFunction({instruction.data(), instruction.size()}, program.hasFnuz);
  if (!math.exec || !emitCall(call, math.exec))
    return math.exec ? false : refuse(call);
  const Draft &draft = drafts.back();
  // Constants of one width share registers.
  const auto hold = [&](llvm::ArrayRef<std::uint32_t> registers, llvm::ArrayRef<Type> types) {
    return llvm::equal(registers, types,
                       [&](std::uint32_t slot, Type type) { return bytesOf(slots[slot].type) == bytesOf(type); });
  };
  const llvm::ArrayRef<std::uint32_t> all(draft.slots);
  return (hold(all.take_front(draft.inst.outs), math.outs) && hold(all.drop_front(draft.inst.outs), math.ins)) ||
         refuse(call, "it has other registers");
}

bool Decoder::decodeColumnLoad(const llvm::CallInst &call, unsigned elementBytes) {
  constexpr unsigned kBytes = 8, kWarpSize = 64;
  if (program.warpSize != kWarpSize)
    return refuse(call, "it is one of warps of 64 lanes");
  if (!emitCall(call, columnLoadFunction(), kConverge | kYield))
    return false;
  Draft &draft = drafts.back();
  const llvm::ArrayRef<std::uint32_t> all(draft.slots), outs = all.take_front(draft.inst.outs);
  unsigned bytes = 0;
  for (const std::uint32_t slot : outs)
    bytes += bytesOf(slots[slot].type);
  if (bytes != kBytes || all.size() != outs.size() + 1 || bytesOf(slots[all.back()].type) != sizeof(std::uint64_t))
    return refuse(call, "it has other registers");
  draft.inst.imm = elementBytes;
  MemoryOp &op = addMemory(draft.inst);
  op.space = Space::Shared;
  op.elementBytes = kBytes;
  op.align = kBytes;
  return true;
}

bool Decoder::decodeAmdNative(const llvm::CallInst &call, llvm::StringRef instruction) {
  if (instruction.starts_with("mfma.") || instruction.starts_with("wmma."))
    return decodeMfma(call, instruction);
  if (const std::optional<unsigned> bytes = bytesOfColumnLoad({instruction.data(), instruction.size()}))
    return decodeColumnLoad(call, *bytes);
  return decodeAmdMath(call, instruction);
}

} // namespace tessera::ir::sim
