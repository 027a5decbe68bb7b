//===- Fma.cpp - multiply and add, rounding once --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir::numbers {

namespace {

/// A sum or product of f64 as a rounded value and its exact error.
struct Exact {
  Value value, error;
};

} // namespace

/// Knuth's sum.
static Exact sumOf(MathBuilder &b, Value x, Value y) {
  const Value sum = b.add(x, y), other = b.sub(sum, x);
  return {sum, b.add(b.sub(x, b.sub(sum, other)), b.sub(y, other))};
}

/// \p x rounded to its upper 26 bits, and the rest, which has 26 bits and a sign.
static Exact splitOf(MathBuilder &b, Value x) {
  const Value bits = b.toBits(x), half = b.constI(std::int64_t(1) << 26, bits);
  const Value upper = b.andI(b.addI(bits, half), b.constI(~((std::int64_t(1) << 27) - 1), bits));
  const Value high = b.f64FromBits(upper);
  return {high, b.sub(x, high)};
}

/// Dekker's product.
static Exact productOf(MathBuilder &b, Value x, Value y) {
  const Exact p = splitOf(b, x), q = splitOf(b, y);
  const Value product = b.mul(x, y);
  Value error = b.sub(b.mul(p.value, q.value), product);
  error = b.add(error, b.mul(p.value, q.error));
  error = b.add(error, b.mul(p.error, q.value));
  return {product, b.add(error, b.mul(p.error, q.error))};
}

Value addRoundToOdd(MathBuilder &b, Value x, Value y) {
  const auto [sum, error] = sumOf(b, x, y); // the error of an infinity is NaN, for which all comparisons fail
  const Value bits = b.toBits(sum), one = b.constI(1, bits), zero = b.constF(0, sum);
  const Value up = b.gt(error, zero), inexact = b.orI(up, b.lt(error, zero));
  const Value even = b.eqI(b.andI(bits, one), b.constI(0, bits));
  // The exact value lies between `sum` and its odd neighbour on the error's side.
  const Value towardZero = b.xorI(up, b.gt(sum, zero));
  const Value neighbour = b.addI(bits, b.select(towardZero, b.constI(-1, bits), one));
  return b.f64FromBits(b.select(b.andI(inexact, even), neighbour, bits));
}

Value fmaOfF32ByF64(MathBuilder &b, Value x, Value y, Value z) {
  return b.narrowToF32(addRoundToOdd(b, b.mul(b.widenToF64(x), b.widenToF64(y)), b.widenToF64(z)));
}

/// S. Boldo and G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd.
Value fmaOfF64ByParts(MathBuilder &b, Value x, Value y, Value z) {
  const Value infinity = b.f64FromBits(b.constI(std::int64_t(0x7ff) << 52, 64, x));
  const Value one = b.constF(1, x), up = b.constF(0x1p64, x), down = b.constF(0x1p-64, x), huge = b.constF(0x1p960, x);
  // Parts of numbers near the end of the range may lie beyond it: these are brought away from there, and the result
  // back.
  const Value plainProduct = b.mul(x, y), plain = b.add(plainProduct, z);
  const Value isLarger = b.ge(b.abs(x), b.abs(y));
  const Value large = b.select(isLarger, x, y), small = b.select(isLarger, y, x);
  const Value isHuge = b.gt(b.abs(plainProduct), huge), hasHuge = b.gt(b.abs(large), huge);
  // An addend so far below a huge product only decides ties; it must not vanish on the way down.
  const Value zero = b.constF(0, x), sign = b.select(b.gt(z, zero), one, b.constF(-1, x));
  const Value isFar = b.andI(isHuge, b.andI(b.lt(b.abs(z), one), b.ne(z, zero)));
  const Value addend = b.select(isFar, sign, b.mul(z, b.select(isHuge, down, one)));
  const Exact product = productOf(b, b.mul(large, b.select(b.orI(isHuge, hasHuge), down, one)),
                                  b.mul(small, b.select(b.andI(hasHuge, b.notI(isHuge)), up, one)));
  const Exact low = sumOf(b, addend, product.error), high = sumOf(b, product.value, low.value);
  const Value exact = b.add(high.value, addRoundToOdd(b, high.error, low.error));
  // Where something is infinite or NaN the errors are meaningless. A sum that is 0 keeps the sign IEEE gives it.
  const Value isFinite = b.andI(b.lt(b.abs(product.value), infinity), b.lt(b.abs(z), infinity));
  const Value isOrdinary = b.andI(isFinite, b.ne(exact, zero));
  return b.select(isOrdinary, b.mul(exact, b.select(isHuge, up, one)), plain);
}

Value fusedMultiplyAdd(MathBuilder &b, Value x, Value y, Value z, Type element) {
  if (element.isF32() || element.isF64())
    return b.fma(x, y, z);
  const auto wide = [&](Value stored) { return b.widenToF64(widen(b, stored, element)); };
  // The product is exact. In f16 it and the addend span few enough bits that the sum is exact wherever it decides a
  // tie; in bf16 a tiny addend may decide one.
  const Value product = b.mul(wide(x), wide(y));
  const Value sum = element.isF16() ? b.add(product, wide(z)) : addRoundToOdd(b, product, wide(z));
  return narrow(b, roundToOddF32(b, sum), element);
}

} // namespace tessera::ir::numbers
