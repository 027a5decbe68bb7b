//===- Math.h - elementwise functions --------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Elementwise functions (SEMANTICS A3-A7). Unless said otherwise: the argument is a float tile or scalar, the result
// has its shape and dtype, special values are those of C's function of that name, denormals are kept, f16, bf16 and fp8
// compute in f32 and round once. "2 ULP" is the bound in f32 on every target, against an exact result. An integer or i1
// argument is a UsageError that names `.to(f32)`; a function without an f64 form says so.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_MATH_H
#define TESSERA_LANG_MATH_H

#include "tessera/lang/Tile.h"

namespace tessera {

/// What maximum, minimum and reductions do with a NaN: `drop` gives the other operand (IEEE maximumNumber), `propagate`
/// gives NaN.
enum class Nan : std::uint8_t { drop, propagate };

struct MinMaxOptions {
  Nan nan = Nan::drop;
};

struct WhereOptions {
  DType dtype = {}; ///< the result's type when both values are literals
};

/// `x` where the condition (i1) holds, else `y`; both are evaluated (A7). The three broadcast together, `x` and `y`
/// promote as for `+`; pointers of one type select too. Two literals give f32 or i32 unless `.dtype` is given.
TESSERA_API Tile where(Operand condition, Operand x, Operand y, WhereOptions options = {},
                       std::source_location at = std::source_location::current());

/// e^x, 2 ULP; f64 too.
TESSERA_API Tile exp(Operand x, std::source_location at = std::source_location::current());
/// 2^x, 2 ULP.
TESSERA_API Tile exp2(Operand x, std::source_location at = std::source_location::current());
/// e^x - 1, accurate near 0, 2 ULP.
TESSERA_API Tile expm1(Operand x, std::source_location at = std::source_location::current());
/// Natural logarithm, 2 ULP; of 0 -inf, of negatives NaN; f64 too.
TESSERA_API Tile log(Operand x, std::source_location at = std::source_location::current());
/// Logarithm to base 2, 2 ULP.
TESSERA_API Tile log2(Operand x, std::source_location at = std::source_location::current());
/// Logarithm to base 10, 2 ULP.
TESSERA_API Tile log10(Operand x, std::source_location at = std::source_location::current());
/// log(1 + x), accurate near 0, 2 ULP.
TESSERA_API Tile log1p(Operand x, std::source_location at = std::source_location::current());
/// Sine of radians, 2 ULP over the whole range; of an infinity NaN; f64 too.
TESSERA_API Tile sin(Operand x, std::source_location at = std::source_location::current());
/// Cosine of radians, 2 ULP over the whole range; of an infinity NaN; f64 too.
TESSERA_API Tile cos(Operand x, std::source_location at = std::source_location::current());
/// Tangent of radians, 2 ULP.
TESSERA_API Tile tan(Operand x, std::source_location at = std::source_location::current());
/// Hyperbolic tangent, 2 ULP.
TESSERA_API Tile tanh(Operand x, std::source_location at = std::source_location::current());
/// 1 / (1 + e^-x), 2 ULP.
TESSERA_API Tile sigmoid(Operand x, std::source_location at = std::source_location::current());
/// The error function, 2 ULP.
TESSERA_API Tile erf(Operand x, std::source_location at = std::source_location::current());
/// log(1 + e^x) without overflow, 2 ULP.
TESSERA_API Tile softplus(Operand x, std::source_location at = std::source_location::current());
/// Square root, correctly rounded (A3); f64 too.
TESSERA_API Tile sqrt(Operand x, std::source_location at = std::source_location::current());
/// 1 / sqrt(x), 2 ULP; of 0 +inf, of -0 -inf.
TESSERA_API Tile rsqrt(Operand x, std::source_location at = std::source_location::current());
/// x to the power y, 2 ULP, special values as C's pow; operands promote as for `*`; f64 too.
TESSERA_API Tile pow(Operand x, Operand y, std::source_location at = std::source_location::current());
/// The angle of the point (x, y) in radians, 2 ULP, special values as C's atan2.
TESSERA_API Tile atan2(Operand y, Operand x, std::source_location at = std::source_location::current());

/// Largest whole number not above x; exact.
TESSERA_API Tile floor(Operand x, std::source_location at = std::source_location::current());
/// Smallest whole number not below x; exact.
TESSERA_API Tile ceil(Operand x, std::source_location at = std::source_location::current());
/// x without its fraction; exact.
TESSERA_API Tile trunc(Operand x, std::source_location at = std::source_location::current());
/// Nearest whole number, halves away from zero; exact.
TESSERA_API Tile round(Operand x, std::source_location at = std::source_location::current());
/// Nearest whole number, halves to even; exact.
TESSERA_API Tile rint(Operand x, std::source_location at = std::source_location::current());
/// The remainder of x / y with the sign of x; exact.
TESSERA_API Tile fmod(Operand x, Operand y, std::source_location at = std::source_location::current());
/// |x| of floats and integers (of the smallest integer, itself: A6); exact.
TESSERA_API Tile abs(Operand x, std::source_location at = std::source_location::current());
/// The magnitude of x with the sign of y; exact.
TESSERA_API Tile copysign(Operand x, Operand y, std::source_location at = std::source_location::current());
/// Whether x is a NaN; i1.
TESSERA_API Tile isnan(Operand x, std::source_location at = std::source_location::current());
/// Whether x is an infinity; i1.
TESSERA_API Tile isinf(Operand x, std::source_location at = std::source_location::current());
/// Whether x is neither infinite nor NaN; i1.
TESSERA_API Tile isfinite(Operand x, std::source_location at = std::source_location::current());
/// x * 2^n with n an integer that fits i32, rounded once; exact where the result is normal.
TESSERA_API Tile ldexp(Operand x, Operand n, std::source_location at = std::source_location::current());
/// The exponent of x as i32, as C's ilogb: of 0 the least i32, of infinities and NaN the greatest.
TESSERA_API Tile ilogb(Operand x, std::source_location at = std::source_location::current());
/// The upper half of the product of two unsigned integers of 32 or 64 bits.
TESSERA_API Tile umulhi(Operand a, Operand b, std::source_location at = std::source_location::current());
/// The number of set bits of an integer, in its own type.
TESSERA_API Tile popcount(Operand x, std::source_location at = std::source_location::current());
/// The number of leading zero bits of an integer, in its own type; of 0 the width.
TESSERA_API Tile clz(Operand x, std::source_location at = std::source_location::current());

/// a * b + c rounded once, in f16 too (A3). The three promote together.
TESSERA_API Tile fma(Operand a, Operand b, Operand c, std::source_location at = std::source_location::current());
/// Division as real numbers: integers of any width become f32 first, floats divide correctly rounded.
TESSERA_API Tile fdiv(Operand a, Operand b, std::source_location at = std::source_location::current());

// The fast forms take the chip's own instruction: looser than 2 ULP, may flush denormals; f32, f16 and bf16.
/// An approximate a / b.
TESSERA_API Tile fast_div(Operand a, Operand b, std::source_location at = std::source_location::current());
/// An approximate square root.
TESSERA_API Tile fast_sqrt(Operand x, std::source_location at = std::source_location::current());
/// An approximate e^x.
TESSERA_API Tile fast_exp(Operand x, std::source_location at = std::source_location::current());
/// An approximate 2^x.
TESSERA_API Tile fast_exp2(Operand x, std::source_location at = std::source_location::current());
/// An approximate natural logarithm.
TESSERA_API Tile fast_log(Operand x, std::source_location at = std::source_location::current());
/// An approximate logarithm to base 2.
TESSERA_API Tile fast_log2(Operand x, std::source_location at = std::source_location::current());
/// An approximate sine, good for small arguments.
TESSERA_API Tile fast_sin(Operand x, std::source_location at = std::source_location::current());
/// An approximate cosine, good for small arguments.
TESSERA_API Tile fast_cos(Operand x, std::source_location at = std::source_location::current());
/// An approximate hyperbolic tangent.
TESSERA_API Tile fast_tanh(Operand x, std::source_location at = std::source_location::current());

/// The greater, elementwise, of floats, integers or i1-free mixes of them; +0 is above -0. A NaN is dropped unless
/// `.nan = Nan::propagate` (A5).
TESSERA_API Tile maximum(Operand a, Operand b, MinMaxOptions options = {},
                         std::source_location at = std::source_location::current());
/// The lesser; see maximum.
TESSERA_API Tile minimum(Operand a, Operand b, MinMaxOptions options = {},
                         std::source_location at = std::source_location::current());
/// minimum(maximum(x, lo), hi): with lo > hi it gives hi, of NaN it gives lo (A5).
TESSERA_API Tile clamp(Operand x, Operand lo, Operand hi, std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_MATH_H
