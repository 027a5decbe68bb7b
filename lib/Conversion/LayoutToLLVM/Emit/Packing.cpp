//===- Packing.cpp - elements in the words that an access moves -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Packing.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>

namespace tessera::ir::gpu {

namespace vector = mlir::vector;

border::AccessType accessTypeOf(Type element, unsigned count) {
  const unsigned bytes = storedBytes(element), total = bytes * count;
  const unsigned word = std::min(total, std::max(bytes, 4U));
  return border::integers(8 * word, total / word);
}

/// The bits of an element as memory has them.
static Value toStoredBits(Emitter &e, Type element, Value code) {
  MathBuilder &m = e.math();
  if (element.isInteger(1))
    return m.zeroExtend(code, 8);
  return isa<FloatType>(code.getType()) ? m.toBits(code) : code;
}

static Value fromStoredBits(Emitter &e, Type element, Value bits) {
  MathBuilder &m = e.math();
  if (element.isInteger(1))
    return m.neI(bits, e.integer(8, 0));
  auto number = dyn_cast<FloatType>(laneElement(element));
  return number ? m.fromBits(bits, number) : bits;
}

Value pack(Emitter &e, Type element, ArrayRef<Value> elements) {
  MathBuilder &m = e.math();
  const border::AccessType type = accessTypeOf(element, static_cast<unsigned>(elements.size()));
  const unsigned wordBits = type.bits() / type.lanes, bits = 8 * storedBytes(element), perWord = wordBits / bits;
  SmallVector<Value> words;
  for (size_t first = 0; first != elements.size(); first += perWord) {
    Value word;
    for (unsigned i = 0; i != perWord; ++i) {
      Value part = toStoredBits(e, element, elements[first + i]);
      if (bits != wordBits)
        part = m.zeroExtend(part, wordBits);
      word = word ? m.orI(word, m.shl(part, i * bits)) : part;
    }
    words.push_back(word);
  }
  if (words.size() == 1)
    return words[0];
  return vector::FromElementsOp::create(e.builder(), e.loc(), cast<mlir::VectorType>(e.border().typeOf(type)), words);
}

SmallVector<Value> unpack(Emitter &e, Type element, unsigned count, Value packed) {
  MathBuilder &m = e.math();
  const border::AccessType type = accessTypeOf(element, count);
  const unsigned wordBits = type.bits() / type.lanes, bits = 8 * storedBytes(element), perWord = wordBits / bits;
  SmallVector<Value> elements;
  for (unsigned w = 0; w != type.lanes; ++w) {
    const Value word =
        type.lanes == 1 ? packed : vector::ExtractOp::create(e.builder(), e.loc(), packed, static_cast<int64_t>(w));
    for (unsigned i = 0; i != perWord; ++i) {
      Value part = i ? m.shrU(word, i * bits) : word;
      if (bits != wordBits)
        part = m.truncate(part, bits);
      elements.push_back(fromStoredBits(e, element, part));
    }
  }
  return elements;
}

} // namespace tessera::ir::gpu
