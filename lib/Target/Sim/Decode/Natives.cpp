//===- Natives.cpp - decode NVIDIA's instructions -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `tessera.nv.<opcode>` is the instruction of PTX with that opcode: results, then operands, in PTX's order.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Decode/Decoder.h"

#include "Target/Sim/Ops/NativeMath.h"

namespace tessera::ir::sim {

bool Decoder::decodeNative(const llvm::CallInst &call, llvm::StringRef instruction) {
  if (const NativeMath math = nativeMathFunction(instruction, call.arg_size()); math.exec) {
    if (!emitCall(call, math.exec))
      return false;
    drafts.back().inst.imm = math.imm;
    return true;
  }
  return refuse(call);
}

} // namespace tessera::ir::sim
