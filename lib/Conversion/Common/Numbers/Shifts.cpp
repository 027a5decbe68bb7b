//===- Shifts.cpp - shifts by any amount ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir::numbers {

/// \p amount modulo the width, which is a power of two.
static Value moduloWidth(MathBuilder &b, Value amount) {
  return b.andI(amount, b.constI(MathBuilder::bitsOf(amount) - 1, amount));
}

Value shiftLeft(MathBuilder &b, Value x, Value amount) { return b.shl(x, moduloWidth(b, amount)); }

Value shiftRight(MathBuilder &b, Value x, Value amount, bool isUnsigned) {
  const Value count = moduloWidth(b, amount);
  return isUnsigned ? b.shrU(x, count) : b.shrS(x, count);
}

} // namespace tessera::ir::numbers
