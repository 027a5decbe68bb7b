//===- FloatRemainder.cpp - the remainder of truncated division -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// With |x| < 2^k |y| for k one less than the significand's bits, the truncated quotient of floats is the true one or
// one more, and x - q y is exact with a fused multiply-add. Larger quotients take several steps, each by y times a
// power of two: 12 at most for f32, 41 for f64, one for most operands.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/FloatFormat.h"
#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir::numbers {

namespace {

class Remainder {
public:
  Remainder(MathBuilder &b, Value like)
      : b(b), element(cast<FloatType>(MathBuilder::elementOf(like))), format(FloatFormat::of(element)) {}

  Value of(Value x, Value y) {
    const Value top = b.abs(x), divisor = b.abs(y);
    const Value infinity = b.fromBits(constant(format.overflow(), x), element), zero = b.constF(0, x);
    // Lanes without a remainder, and those that keep x, divide 0 by 1.
    const Value defined = b.andI(b.lt(top, infinity), b.gt(divisor, zero)); // the latter false for NaN
    const Value finite = b.lt(divisor, infinity);
    const Value works = b.andI(defined, finite);
    const Value numerator = b.select(works, top, zero), denominator = b.select(works, divisor, b.constF(1, x));
    const Value exponent = exponentOf(denominator);
    const Value result = b.whileAny(
        {numerator}, [&](ValueRange r) { return b.ge(r[0], denominator); },
        [&](ValueRange r) { return MathBuilder::Values{step(r[0], denominator, exponent)}; })[0];
    const Value sign = b.andI(b.toBits(x), constant(format.signBit(), x));
    const Value signedResult = b.fromBits(b.orI(b.toBits(result), sign), element);
    const Value nan = b.fromBits(constant(format.nan(), x), element);
    return b.select(works, signedResult, b.select(b.andI(defined, b.notI(finite)), x, nan));
  }

private:
  Value constant(std::uint64_t bits, Value like) {
    return b.constI(static_cast<std::int64_t>(bits), format.bits, like);
  }
  Value fieldOf(Value x) { return b.shrU(b.toBits(x), format.mantissa); }

  /// The exponent field that \p x, positive, would have if there were no denormals.
  Value exponentOf(Value x) {
    const Value isDenormal = b.eqI(fieldOf(x), constant(0, x));
    const Value normal = b.select(isDenormal, b.mul(x, b.constF(double(std::uint64_t(1) << format.mantissa), x)), x);
    const Value field = fieldOf(normal);
    return b.select(isDenormal, b.subI(field, constant(format.mantissa, x)), field);
  }

  /// 2^n for n at most the bias.
  Value powerOfTwo(Value n) { return b.fromBits(b.shl(b.addI(n, constant(format.bias, n)), format.mantissa), element); }

  /// \p x, at least 0, reduced by multiples of \p y.
  Value step(Value x, Value y, Value exponent) {
    const Value zero = constant(0, x);
    // A denormal x is less than 2^mantissa times any y, and its field 0 asks for no scaling.
    const Value difference = b.subI(b.subI(fieldOf(x), exponent), constant(format.mantissa - 1, x));
    const Value n = b.maxS(difference, zero), half = b.shrU(n, 1);
    const Value scaled = b.mul(b.mul(y, powerOfTwo(half)), powerOfTwo(b.subI(n, half)));
    const Value quotient = b.trunc(b.div(x, scaled));
    const Value rest = b.fma(b.neg(quotient), scaled, x);
    return b.select(b.lt(rest, b.constF(0, x)), b.add(rest, scaled), rest);
  }

  MathBuilder &b;
  FloatType element;
  FloatFormat format;
};

} // namespace

Value floatRemainder(MathBuilder &b, Value x, Value y) { return Remainder(b, x).of(x, y); }

} // namespace tessera::ir::numbers
