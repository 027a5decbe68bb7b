//===- Numbers.h - number formats and exact arithmetic ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Conversions and exact functions as SEMANTICS defines them, written on MathBuilder: the same bits on every target,
// NaN payloads excepted.
//
// A *stored* value holds an element type as memory does: f32, f64 and integers as themselves, f16, bf16 and the fp8
// types as integers of their width. A *computed* value is an f32, or an f64 for f64.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_NUMBERS_NUMBERS_H
#define TESSERA_CONVERSION_COMMON_NUMBERS_NUMBERS_H

#include "Conversion/Common/MathBuilder.h"

#include "tessera-ir/Dialect/Tile/IR/TileEnums.h"

#include <array>

namespace tessera::ir {
class VectorMathBuilder;
}

namespace tessera::ir::numbers {

// -- Formats --------------------------------------------------------------------------------------

/// The type that stores \p element: itself, or an integer of its width for a float below 32 bits.
Type storedType(Type element);

/// The type that floats of type \p element compute in: f64 for f64, f32 for the others.
FloatType computeType(Type element);

/// The exact computed value of a stored one.
Value widen(MathBuilder &b, Value stored, Type element);

/// A computed value rounded once to nearest even and stored (SEMANTICS A3).
Value narrow(MathBuilder &b, Value computed, Type element);

/// The same for a value that \p element holds exactly.
Value narrowExact(MathBuilder &b, Value computed, Type element);

// -- Casts (SEMANTICS C1, C2) ---------------------------------------------------------------------

/// How a float is narrowed. `random` (i32) is given for stochastic rounding only.
struct Narrowing {
  tile::FloatRounding rounding = tile::FloatRounding::Nearest;
  bool saturate = false;
  Value random;
};

/// A stored value of type \p from as a stored value of type \p to, rounded once.
Value convertFloat(MathBuilder &b, Value stored, Type from, Type to, const Narrowing &how = {});

/// A stored float truncated to an integer of \p bits bits, 8 or more: NaN gives 0, out of range the nearest limit.
Value floatToInt(MathBuilder &b, Value stored, Type from, unsigned bits, bool isUnsigned);

/// An integer as a stored float of type \p to, rounded once to nearest even. A signed i1 is 0 or -1.
Value intToFloat(MathBuilder &b, Value x, Type to, bool isUnsigned);

// -- Steps of casts -------------------------------------------------------------------------------

/// f16 bits to f32, and f32 to f16 bits rounded to nearest even, for chips without instructions for them.
Value widenF16ByBits(MathBuilder &b, Value bits);
Value narrowF16ByBits(MathBuilder &b, Value x);

/// f64 to f32 rounded to odd: where inexact, the neighbour with an odd significand. A later rounding to nearest of at
/// most 22 bits gives what one rounding would have given.
Value roundToOddF32(MathBuilder &b, Value x);

/// x + y in f64, rounded to odd.
Value addRoundToOdd(MathBuilder &b, Value x, Value y);

// -- Float arithmetic -----------------------------------------------------------------------------

/// x * y + z of stored values, rounded once (SEMANTICS A3).
Value fusedMultiplyAdd(MathBuilder &b, Value x, Value y, Value z, Type element);

/// The same for f32 and f64 values on chips without the instruction. That of f64 is exact where the product neither
/// overflows nor comes closer to 0 than 2^-900 without being 0.
Value fmaOfF32ByF64(MathBuilder &b, Value x, Value y, Value z);
Value fmaOfF64ByParts(MathBuilder &b, Value x, Value y, Value z);

/// The remainder of truncated division, exact, with the sign of \p x; x and y are f32 or f64 values.
Value floatRemainder(MathBuilder &b, Value x, Value y);

/// IEEE maximumNumber and minimumNumber of f32 or f64 values (SEMANTICS A5): a NaN loses, -0 is below +0.
Value maxNum(MathBuilder &b, Value x, Value y);
Value minNum(MathBuilder &b, Value x, Value y);
/// IEEE maximum and minimum: a NaN wins, -0 is below +0.
Value maximum(MathBuilder &b, Value x, Value y);
Value minimum(MathBuilder &b, Value x, Value y);

/// A stored value times 2^exponent (i32), rounded once.
Value ldexp(MathBuilder &b, Value stored, Value exponent, Type element);

/// The i32 `e` with 1 <= |x| / 2^e < 2; of 0 the smallest i32, of infinities and NaN the largest.
Value ilogb(MathBuilder &b, Value stored, Type element);

// -- Integers -------------------------------------------------------------------------------------

/// Quotient or remainder of integers (SEMANTICS A1). Never faults: division by zero and what does not fit give some
/// value. \p rounding of a remainder is that of the quotient it belongs to.
struct Division {
  tile::DivRounding rounding = tile::DivRounding::Trunc;
  bool isUnsigned = false;
};
Value quotient(VectorMathBuilder &b, Value x, Value y, const Division &how = {});
Value remainder(VectorMathBuilder &b, Value x, Value y, const Division &how = {});

/// Steps of these: the truncated quotient through floats, \p y not zero and operands of 64 bits between limits; and
/// what the rounding makes of a truncated quotient \p q or of its remainder \p r.
inline constexpr std::int64_t kFloatQuotientLimit = std::int64_t(1) << 51;
Value quotientByFloats(MathBuilder &b, Value x, Value y, bool isUnsigned);
Value adjustQuotient(MathBuilder &b, Value q, Value r, Value y, const Division &how);
Value adjustRemainder(MathBuilder &b, Value r, Value y, const Division &how);

/// Shifts whose amount is taken modulo the width, so that no amount is harmful (SEMANTICS A2).
Value shiftLeft(MathBuilder &b, Value x, Value amount);
Value shiftRight(MathBuilder &b, Value x, Value amount, bool isUnsigned);

/// Philox-4x32 (SEMANTICS N1): four i32 words from a key and a counter.
std::array<Value, 4> philox(MathBuilder &b, std::array<Value, 2> key, std::array<Value, 4> counter, unsigned rounds);

} // namespace tessera::ir::numbers

#endif // TESSERA_CONVERSION_COMMON_NUMBERS_NUMBERS_H
