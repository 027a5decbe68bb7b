//===- Lanes.cpp - values of other lanes ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"

namespace tessera::ir::gpu {

SmallVector<Value, 2> Emitter::toWords(Value value) {
  MathBuilder &m = math();
  Value bits = isa<FloatType>(value.getType()) ? m.toBits(value) : value;
  const unsigned width = MathBuilder::bitsOf(bits);
  if (width <= 32)
    return {width < 32 ? m.zeroExtend(bits, 32) : bits};
  return {m.truncate(bits, 32), m.truncate(m.shrU(bits, 32), 32)};
}

Value Emitter::fromWords(ValueRange words, Type type) {
  MathBuilder &m = math();
  const unsigned width = type.getIntOrFloatBitWidth();
  Value bits = words[0];
  if (width < 32)
    bits = m.truncate(bits, width);
  else if (width > 32)
    bits = m.orI(m.zeroExtend(words[0], 64), m.shl(m.zeroExtend(words[1], 64), 32));
  auto number = dyn_cast<FloatType>(type);
  return number ? m.fromBits(bits, number) : bits;
}

Value Emitter::shuffle(border::Shuffle how, Value value, Value argument) {
  SmallVector<Value, 2> words = toWords(value);
  for (Value &word : words)
    word = s->border.shuffle(how, word, argument);
  return fromWords(words, value.getType());
}

void Emitter::barrier(bool ofSharedAlone) {
  if (s->shape.numWarps == 1)
    return s->border.warpSync();
  if (s->shape.programsPerBlock == 1)
    return ofSharedAlone ? s->border.sharedBarrier() : s->border.barrier();
  // Barrier 0 is that of the whole block.
  s->border.namedBarrier(add(programInBlock(*this), i32(1)), i32(s->shape.threadsOfProgram()));
}

} // namespace tessera::ir::gpu
