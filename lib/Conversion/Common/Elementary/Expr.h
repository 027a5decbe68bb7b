//===- Expr.h - formulas over a MathBuilder --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Values with operators, so that definitions read as the formulas they are. Every operator emits one operation; a
// number beside a value becomes a constant of its type. `a * b + c` is two roundings, `fma(a, b, c)` one.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_ELEMENTARY_EXPR_H
#define TESSERA_CONVERSION_COMMON_ELEMENTARY_EXPR_H

#include "Conversion/Common/MathBuilder.h"

#include <initializer_list>

namespace tessera::ir::elementary {

/// What the three kinds of values share.
struct Expr {
  MathBuilder *builder;
  Value value;
};

/// Conditions, one an element.
struct Bool : Expr {
  friend Bool operator&(Bool a, Bool b) { return {a.builder, a.builder->andI(a.value, b.value)}; }
  friend Bool operator|(Bool a, Bool b) { return {a.builder, a.builder->orI(a.value, b.value)}; }
  friend Bool operator^(Bool a, Bool b) { return {a.builder, a.builder->xorI(a.value, b.value)}; }
  friend Bool operator!(Bool a) { return {a.builder, a.builder->notI(a.value)}; }
};

/// Integers without a sign of their own.
struct Int : Expr {
  Int constant(std::int64_t number) const { return {builder, builder->constI(number, value)}; }

  friend Int operator+(Int a, Int b) { return {a.builder, a.builder->addI(a.value, b.value)}; }
  friend Int operator-(Int a, Int b) { return {a.builder, a.builder->subI(a.value, b.value)}; }
  friend Int operator*(Int a, Int b) { return {a.builder, a.builder->mulI(a.value, b.value)}; }
  friend Int operator&(Int a, Int b) { return {a.builder, a.builder->andI(a.value, b.value)}; }
  friend Int operator|(Int a, Int b) { return {a.builder, a.builder->orI(a.value, b.value)}; }
  friend Int operator^(Int a, Int b) { return {a.builder, a.builder->xorI(a.value, b.value)}; }
  friend Int operator<<(Int a, Int b) { return {a.builder, a.builder->shl(a.value, b.value)}; }
  friend Bool operator==(Int a, Int b) { return {a.builder, a.builder->eqI(a.value, b.value)}; }
  friend Bool operator!=(Int a, Int b) { return {a.builder, a.builder->neI(a.value, b.value)}; }

  friend Int operator+(Int a, std::int64_t b) { return a + a.constant(b); }
  friend Int operator-(Int a, std::int64_t b) { return a - a.constant(b); }
  friend Int operator-(std::int64_t a, Int b) { return b.constant(a) - b; }
  friend Int operator&(Int a, std::int64_t b) { return a & a.constant(b); }
  friend Int operator|(Int a, std::int64_t b) { return a | a.constant(b); }
  friend Int operator<<(Int a, unsigned b) { return a << a.constant(b); }
  friend Bool operator==(Int a, std::int64_t b) { return a == a.constant(b); }
  friend Bool operator!=(Int a, std::int64_t b) { return a != a.constant(b); }
};

inline Int shrU(Int a, Int b) { return {a.builder, a.builder->shrU(a.value, b.value)}; }
inline Int shrU(Int a, unsigned b) { return shrU(a, a.constant(b)); }
inline Int shrS(Int a, unsigned b) { return {a.builder, a.builder->shrS(a.value, b)}; }
inline Int umulHigh(Int a, Int b) { return {a.builder, a.builder->umulHigh(a.value, b.value)}; }
inline Int countLeadingZeros(Int a) { return {a.builder, a.builder->countLeadingZeros(a.value)}; }
inline Bool ltU(Int a, Int b) { return {a.builder, a.builder->ltU(a.value, b.value)}; }
inline Bool ltS(Int a, std::int64_t b) { return {a.builder, a.builder->ltS(a.value, a.constant(b).value)}; }
inline Bool gtS(Int a, std::int64_t b) { return {a.builder, a.builder->gtS(a.value, a.constant(b).value)}; }
inline Int truncate(Int a, unsigned bits) { return {a.builder, a.builder->truncate(a.value, bits)}; }
inline Int signExtend(Int a, unsigned bits) { return {a.builder, a.builder->signExtend(a.value, bits)}; }

/// f32 or f64.
struct Float : Expr {
  Float(MathBuilder &builder, Value value) : Expr{&builder, value} {}
  Float constant(double number) const { return {*builder, builder->constF(number, value)}; }
  bool isF64() const { return MathBuilder::isF64(value); }

  friend Float operator+(Float a, Float b) { return {*a.builder, a.builder->add(a.value, b.value)}; }
  friend Float operator-(Float a, Float b) { return {*a.builder, a.builder->sub(a.value, b.value)}; }
  friend Float operator*(Float a, Float b) { return {*a.builder, a.builder->mul(a.value, b.value)}; }
  friend Float operator/(Float a, Float b) { return {*a.builder, a.builder->div(a.value, b.value)}; }
  friend Float operator-(Float a) { return {*a.builder, a.builder->neg(a.value)}; }
  friend Bool operator==(Float a, Float b) { return {a.builder, a.builder->eq(a.value, b.value)}; }
  friend Bool operator!=(Float a, Float b) { return {a.builder, a.builder->ne(a.value, b.value)}; }
  friend Bool operator<(Float a, Float b) { return {a.builder, a.builder->lt(a.value, b.value)}; }
  friend Bool operator>(Float a, Float b) { return {a.builder, a.builder->gt(a.value, b.value)}; }
  friend Bool operator>=(Float a, Float b) { return {a.builder, a.builder->ge(a.value, b.value)}; }

  friend Float operator+(Float a, double b) { return a + a.constant(b); }
  friend Float operator+(double a, Float b) { return b.constant(a) + b; }
  friend Float operator-(Float a, double b) { return a - a.constant(b); }
  friend Float operator-(double a, Float b) { return b.constant(a) - b; }
  friend Float operator*(Float a, double b) { return a * a.constant(b); }
  friend Float operator/(double a, Float b) { return b.constant(a) / b; }
  friend Bool operator==(Float a, double b) { return a == a.constant(b); }
  friend Bool operator!=(Float a, double b) { return a != a.constant(b); }
  friend Bool operator<(Float a, double b) { return a < a.constant(b); }
  friend Bool operator>(Float a, double b) { return a > a.constant(b); }
  friend Bool operator>=(Float a, double b) { return a >= a.constant(b); }
};

inline Float fma(Float a, Float b, Float c) { return {*a.builder, a.builder->fma(a.value, b.value, c.value)}; }
inline Float fma(Float a, double b, Float c) { return fma(a, a.constant(b), c); }
inline Float fma(Float a, double b, double c) { return fma(a, a.constant(b), a.constant(c)); }
inline Float fma(Float a, Float b, double c) { return fma(a, b, a.constant(c)); }
inline Float abs(Float a) { return {*a.builder, a.builder->abs(a.value)}; }
inline Float sqrt(Float a) { return {*a.builder, a.builder->sqrt(a.value)}; }
inline Float roundEven(Float a) { return {*a.builder, a.builder->roundEven(a.value)}; }
inline Float trunc(Float a) { return {*a.builder, a.builder->trunc(a.value)}; }
inline Bool isNaN(Float a) { return a != a; }

inline Int bits(Float a) { return {a.builder, a.builder->toBits(a.value)}; }
/// The f32 or f64 of the bits.
inline Float fromBits(Int a) {
  MathBuilder &b = *a.builder;
  return {b, MathBuilder::bitsOf(a.value) == 64 ? b.f64FromBits(a.value) : b.f32FromBits(a.value)};
}
inline Float toF64(Float a) { return {*a.builder, a.builder->widenToF64(a.value)}; }
inline Float toF32(Float a) { return {*a.builder, a.builder->narrowToF32(a.value)}; }
/// To an integer of as many bits; for values that fit.
inline Int toInt(Float a) { return {a.builder, a.builder->toSigned(a.value, MathBuilder::bitsOf(a.value))}; }
/// To a float of as many bits.
inline Float toFloat(Int a) {
  MathBuilder &b = *a.builder;
  MLIRContext *context = a.value.getContext();
  if (MathBuilder::bitsOf(a.value) == 64)
    return {b, b.fromSigned(a.value, mlir::Float64Type::get(context))};
  return {b, b.fromSigned(a.value, mlir::Float32Type::get(context))};
}

inline Float select(Bool c, Float a, Float b) { return {*a.builder, a.builder->select(c.value, a.value, b.value)}; }
inline Float select(Bool c, double a, Float b) { return select(c, b.constant(a), b); }
inline Float select(Bool c, Float a, double b) { return select(c, a, a.constant(b)); }
inline Int select(Bool c, Int a, Int b) { return {a.builder, a.builder->select(c.value, a.value, b.value)}; }

/// Whether the sign bit is set, of NaN and zeros too.
inline Bool isNegative(Float a) { return ltS(bits(a), 0); }
/// The magnitude of \p a with the sign of \p sign.
inline Float copySign(Float a, Float sign) {
  const std::int64_t signBit = a.isF64() ? INT64_MIN : INT32_MIN;
  return fromBits((bits(a) & ~signBit) | (bits(sign) & signBit));
}

/// c[0] x^n + … + c[n] by Horner's rule, one fma a step.
inline Float polynomial(Float x, std::initializer_list<double> c) {
  Float sum = x.constant(*c.begin());
  for (const double *next = c.begin() + 1; next != c.end(); ++next)
    sum = fma(sum, x, *next);
  return sum;
}

/// 2^n for n within the exponents of normal numbers, as f32 or f64 of the width of \p n.
inline Float powerOfTwo(Int n) {
  const bool wide = MathBuilder::bitsOf(n.value) == 64;
  return fromBits((n + (wide ? 1023 : 127)) << (wide ? 52u : 23u));
}
/// p 2^n in two steps, so that n may be twice as great; rounded once where p 2^(n/2) is exact.
inline Float scale(Float p, Int n) {
  const Int half = shrS(n, 1);
  return p * powerOfTwo(half) * powerOfTwo(n - half);
}

} // namespace tessera::ir::elementary

#endif // TESSERA_CONVERSION_COMMON_ELEMENTARY_EXPR_H
