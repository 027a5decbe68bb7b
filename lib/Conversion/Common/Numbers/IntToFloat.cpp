//===- IntToFloat.cpp - integer to float, rounding once -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/FloatFormat.h"
#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir::numbers {

/// \p x (i64) with its bits below 2^11 folded into one above them where x has more than 40 bits: a value that f64 holds
/// and that rounds to 41 bits or fewer as x does.
static Value foldLowBits(MathBuilder &b, Value x, bool isUnsigned) {
  const Value mask = b.constI(0x7ff, x), low = b.andI(x, mask), zero = b.constI(0, x);
  const Value high = b.andI(x, b.notI(mask));
  const Value folded = b.orI(high, b.select(b.eqI(low, zero), zero, b.constI(0x800, x)));
  const Value limit = b.constI(std::int64_t(1) << 40, x);
  const Value isSmall = isUnsigned ? b.ltU(x, limit) : b.ltU(b.addI(x, limit), b.addI(limit, limit));
  return b.select(isSmall, x, folded);
}

Value intToFloat(MathBuilder &b, Value x, Type to, bool isUnsigned) {
  const unsigned bits = MathBuilder::bitsOf(x);
  if (bits < 32)
    x = isUnsigned ? b.zeroExtend(x, 32) : b.signExtend(x, 32);
  const auto convert = [&](Value value, FloatType element) {
    return isUnsigned && bits >= 32 ? b.fromUnsigned(value, element) : b.fromSigned(value, element);
  };
  const FloatType f32 = mlir::Float32Type::get(x.getContext());
  if (to.isF32() || to.isF64())
    return convert(x, cast<FloatType>(to));
  if (bits < 32) // exact in f32
    return narrow(b, b.fromSigned(x, f32), to);
  if (to.isBF16()) {
    if (bits == 64)
      x = foldLowBits(b, x, isUnsigned);
    return narrow(b, roundToOddF32(b, convert(x, mlir::Float64Type::get(x.getContext()))), to);
  }
  // 2^20 is too large for the other types as well, and exact in f32.
  const Value limit = b.constI(1 << 20, x);
  x = isUnsigned ? b.minU(x, limit) : b.maxS(b.minS(x, limit), b.constI(-(1 << 20), x));
  return narrow(b, b.fromSigned(bits == 64 ? b.truncate(x, 32) : x, f32), to);
}

} // namespace tessera::ir::numbers
