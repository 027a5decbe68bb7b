//===- Elementary.h - definitions of the elementary functions --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The elementary functions (SEMANTICS A4) as sequences of arithmetic. Each takes and gives f32; those that say so have
// an f64 form too; narrower floats are widened to f32 and the result rounded once. The errors given are the greatest
// ones in ULP, for functions of one f32 over all 2^32 arguments; special values are those of C, denormals are kept.
// The constants come from tools/math/coefficients.sollya.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_ELEMENTARY_ELEMENTARY_H
#define TESSERA_CONVERSION_COMMON_ELEMENTARY_ELEMENTARY_H

#include "Conversion/Common/MathBuilder.h"

namespace tessera::ir::elementary {

/// x = n ln 2 + r; a polynomial of e^r times 2^n in two steps. 1.03; f64 1.1.
Value exp(MathBuilder &b, Value x);
/// x = n + r; a polynomial of 2^r times 2^n. 0.88.
Value exp2(MathBuilder &b, Value x);
/// As exp, with 2^n (e^r - 1) + (2^n - 1) in one fma. 1.45.
Value expm1(MathBuilder &b, Value x);

/// x = 2^e (1 + f); a polynomial of log(1 + f), plus e ln 2 in two parts. 0.81; f64 1.0.
Value log(MathBuilder &b, Value x);
/// The logarithm in two parts, times log2 e in two parts. 0.67.
Value log2(MathBuilder &b, Value x);
/// The logarithm in two parts, times log10 e in two parts. 0.60.
Value log10(MathBuilder &b, Value x);
/// The logarithm of 1 + x with the rounding error of that sum carried along. 0.88.
Value log1p(MathBuilder &b, Value x);

/// x = n pi/2 + r with r in two parts, from three parts of pi/2 or, for large x, from the bits of 2/pi that matter;
/// then a polynomial of sin r or cos r. 0.86; f64 0.9.
Value sin(MathBuilder &b, Value x);
/// As sin. 0.86; f64 0.9.
Value cos(MathBuilder &b, Value x);
/// The quotient of sine and cosine, both in two parts. 1.18.
Value tan(MathBuilder &b, Value x);
/// A polynomial of the quotient of the smaller by the larger, and the angles of the octants in two parts. 1.05.
Value atan2(MathBuilder &b, Value y, Value x);

/// A polynomial for small x, else 1 - 2 / (e^2x + 1). 1.34.
Value tanh(MathBuilder &b, Value x);
/// e^min(x, 0) / (1 + e^-|x|), the quotient corrected by its residual. 1.48.
Value sigmoid(MathBuilder &b, Value x);
/// max(x, 0) + log1p(e^-|x|). 1.58.
Value softplus(MathBuilder &b, Value x);
/// A polynomial for small x, else 1 - e^p(x) with a polynomial p of log(1 - erf x). 1.83.
Value erf(MathBuilder &b, Value x);

/// 1 / sqrt x. 1.50.
Value rsqrt(MathBuilder &b, Value x);
/// 2^(y log2 x): f32 in f64, rounded once, 0.59; f64 with the logarithm in two parts, 1.0.
Value pow(MathBuilder &b, Value x, Value y);

/// Whether \p op is one of these functions.
bool isElementary(Operation *op);
/// The value of the elementary function \p op of \p operands, which have its operands' shape and are f32 or f64. Null
/// if the function has no definition for them, which SEMANTICS asks of f64 for exp, log, sin, cos and pow only.
Value expand(MathBuilder &b, Operation *op, ValueRange operands);

} // namespace tessera::ir::elementary

#endif // TESSERA_CONVERSION_COMMON_ELEMENTARY_ELEMENTARY_H
