//===- IntDivide.cpp - integer quotients that never fault -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Vectors of up to 32 bits divide as floats, whose quotient truncates to the exact one: for integers of n bits the true
// quotient keeps at least 1/y from the next integer, which a float of 2n bits resolves. The rest is left to the
// machine, with divisors that would fault replaced.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/Numbers.h"
#include "Conversion/Common/VectorMathBuilder.h"

#include "mlir/IR/Matchers.h"

namespace tessera::ir::numbers {

Value quotientByFloats(MathBuilder &b, Value x, Value y, bool isUnsigned) {
  const unsigned bits = MathBuilder::bitsOf(x);
  MLIRContext *context = x.getContext();
  if (bits < 32) {
    const auto convert = [&](Value v) {
      const Value word = isUnsigned ? b.zeroExtend(v, 32) : b.signExtend(v, 32);
      return b.fromSigned(word, mlir::Float32Type::get(context));
    };
    return b.truncate(b.toSigned(b.div(convert(x), convert(y)), 32), bits);
  }
  const FloatType f64 = mlir::Float64Type::get(context);
  if (bits == 64)
    return b.toSigned(b.div(b.fromSigned(x, f64), b.fromSigned(y, f64)), 64);
  if (isUnsigned) { // moved down by 2^31 into the signed range
    const Value q = b.floor(b.div(b.fromUnsigned(x, f64), b.fromUnsigned(y, f64)));
    const Value moved = b.toSigned(b.sub(q, b.constF(0x1p31, q)), 32);
    return b.xorI(moved, b.constI(0x80000000, moved));
  }
  const Value q = b.div(b.fromSigned(x, f64), b.fromSigned(y, f64));
  const Value largest = b.constF(0x1p31 - 1, q); // what the smallest integer by -1 does not fit
  return b.toSigned(b.select(b.lt(q, largest), q, largest), 32);
}

/// Whether \p r is not 0 and its sign is, or is not, that of \p y.
static Value restHasSign(MathBuilder &b, Value r, Value y, bool ofDivisor) {
  const Value zero = b.constI(0, r), signs = b.xorI(r, y);
  const Value matches = ofDivisor ? b.notI(b.ltS(signs, zero)) : b.ltS(signs, zero);
  return b.andI(b.neI(r, zero), matches);
}

Value adjustQuotient(MathBuilder &b, Value q, Value r, Value y, const Division &how) {
  const unsigned bits = MathBuilder::bitsOf(q);
  switch (how.rounding) {
  case tile::DivRounding::Trunc:
    return q;
  case tile::DivRounding::Floor:
    return how.isUnsigned ? q : b.subI(q, b.zeroExtend(restHasSign(b, r, y, false), bits));
  case tile::DivRounding::Ceil: {
    const Value up = how.isUnsigned ? b.neI(r, b.constI(0, r)) : restHasSign(b, r, y, true);
    return b.addI(q, b.zeroExtend(up, bits));
  }
  }
  return q;
}

Value adjustRemainder(MathBuilder &b, Value r, Value y, const Division &how) {
  if (how.rounding != tile::DivRounding::Floor || how.isUnsigned)
    return r;
  return b.select(restHasSign(b, r, y, false), b.addI(r, y), r);
}

namespace {

/// A truncated quotient by a divisor that is not 0.
struct Truncated {
  Value quotient, divisor;
};

} // namespace

/// By the machine's own division.
static Value divideByMachine(VectorMathBuilder &b, Value x, Value divisor, bool isUnsigned) {
  if (isUnsigned)
    return b.divide(x, divisor, true);
  const Value zero = b.constI(0, x), negates = b.eqI(divisor, b.constI(-1, x));
  const Value q = b.divide(x, b.select(negates, b.constI(1, x), divisor), false);
  return b.select(negates, b.subI(zero, x), q);
}

/// Lanes of 64 bits: through floats if all of them are small enough.
static Value divideWords(VectorMathBuilder &b, Value x, Value divisor, bool isUnsigned) {
  const Value limit = b.constI(kFloatQuotientLimit, x);
  const auto isSmall = [&](Value v) {
    return isUnsigned ? b.ltU(v, limit) : b.ltU(b.addI(v, limit), b.addI(limit, limit));
  };
  const Value isLarge = b.notI(b.andI(isSmall(x), isSmall(divisor)));
  return b.ifAny(isLarge, quotientByFloats(b, x, divisor, isUnsigned),
                 [&]() -> MathBuilder::Values { return {divideByMachine(b, x, divisor, isUnsigned)}; })[0];
}

static Truncated truncated(VectorMathBuilder &b, Value x, Value y, bool isUnsigned) {
  const bool isVector = isa<mlir::VectorType>(x.getType());
  const unsigned bits = MathBuilder::bitsOf(x);
  APInt constant;
  if (mlir::matchPattern(y, mlir::m_ConstantInt(&constant)) && !constant.isZero() &&
      (isUnsigned || !constant.isAllOnes())) {
    // Becomes shifts or products, which vectors of 64 bits lack.
    if (!isVector || bits <= 32 || constant.abs().isPowerOf2())
      return {b.divide(x, y, isUnsigned), y};
  }
  const Value divisor = b.select(b.eqI(y, b.constI(0, y)), b.constI(1, y), y);
  if (!isVector)
    return {divideByMachine(b, x, divisor, isUnsigned), divisor};
  return {bits == 64 ? divideWords(b, x, divisor, isUnsigned) : quotientByFloats(b, x, divisor, isUnsigned), divisor};
}

Value quotient(VectorMathBuilder &b, Value x, Value y, const Division &how) {
  if (MathBuilder::bitsOf(x) == 1) // by 1 or -1
    return x;
  const auto [q, divisor] = truncated(b, x, y, how.isUnsigned);
  if (how.rounding == tile::DivRounding::Trunc)
    return q;
  return adjustQuotient(b, q, b.subI(x, b.mulI(q, divisor)), divisor, how);
}

Value remainder(VectorMathBuilder &b, Value x, Value y, const Division &how) {
  if (MathBuilder::bitsOf(x) == 1)
    return b.constI(0, x);
  const auto [q, divisor] = truncated(b, x, y, how.isUnsigned);
  return adjustRemainder(b, b.subI(x, b.mulI(q, divisor)), divisor, how);
}

} // namespace tessera::ir::numbers
