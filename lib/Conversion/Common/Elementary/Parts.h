//===- Parts.h - what definitions of several functions share ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_ELEMENTARY_PARTS_H
#define TESSERA_CONVERSION_COMMON_ELEMENTARY_PARTS_H

#include "Conversion/Common/Elementary/Expr.h"

namespace tessera::ir::elementary {

/// A number as the sum of two, the second far smaller.
struct Parts {
  Float high, low;
};

/// x rounded to a multiple of pi/2: quadrant, and the rest in two parts.
struct Reduced {
  Parts rest;
  Int quadrant; ///< of as many bits as x
};

// Exp.cpp
/// e^x in f32.
Float exp32(Float x);
/// e^x in f32 within 0.55 ULP.
Float accurateExp32(Float x);
/// x with both ends brought in, where the result no longer changes; NaN stays.
Float clampTo(Float x, double low, double high);
/// A whole number as an integer; 0 for NaN.
Int wholeOrZero(Float whole);

// DoubleExp.cpp
Float exp64(Float x);
/// e^(high + low) in f64 within 0.6 ULP; \p high lies within ±2000.
Float accurateExp64(Parts x);

// Log.cpp
Float log1p32(Float x);

// DoubleLog.cpp
Float log64(Float x);

// TrigReduction.cpp
Reduced reduceByHalfPi(Float x);

// DoubleTrig.cpp
/// The sine and the cosine of a reduced argument in f64.
Float sineOfRest64(Parts r);
Float cosineOfRest64(Parts r);

// DoublePower.cpp
/// |x|^y in f64 where nothing is special.
Float powerOfMagnitude64(Float x, Float y);

} // namespace tessera::ir::elementary

#endif // TESSERA_CONVERSION_COMMON_ELEMENTARY_PARTS_H
