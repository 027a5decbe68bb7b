//===- MathBuilder.h - emits arithmetic on scalars, vectors or tiles -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the definitions of functions and number formats are written on. A definition calls a builder's operations in
// order; the builder decides whether that makes vector code, tile IR or, in tests, numbers. Each operation means
// exactly what its comment says: nothing is contracted, reassociated or flushed, and NaN payloads are not defined.
//
// Values are scalars or shaped values whose elements are i1, i8, i16, i32, i64, f32 or f64; f16 appears only in
// widen(), narrow(), toBits() and fromBits(). Operands of one operation have one shape.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_MATHBUILDER_H
#define TESSERA_CONVERSION_COMMON_MATHBUILDER_H

#include "IRSupport/LLVM.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace tessera::ir {

class MathBuilder {
public:
  enum class FloatUnary : std::uint8_t { Neg, Abs, Sqrt, RoundEven, Trunc, Floor, Ceil };
  enum class FloatBinary : std::uint8_t { Add, Sub, Mul, Div };
  enum class IntUnary : std::uint8_t { CountLeadingZeros, PopCount };
  enum class IntBinary : std::uint8_t {
    Add,
    Sub,
    Mul,
    UMulHigh,
    And,
    Or,
    Xor,
    Shl,
    ShrU,
    ShrS,
    MinS,
    MaxS,
    MinU,
    MaxU
  };
  enum class FloatCompare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge };
  enum class IntCompare : std::uint8_t { Eq, Ne, SLt, SLe, SGt, SGe, ULt, ULe, UGt, UGe };
  enum class Cast : std::uint8_t {
    Widen,
    Narrow,
    ToBits,
    FromBits,
    FromSigned,
    FromUnsigned,
    ToSigned,
    SExt,
    ZExt,
    ITrunc
  };
  using Values = SmallVector<Value, 4>;

  virtual ~MathBuilder() = default;

  // What a builder implements.

  /// \p value rounded to the float type \p element, in every element of a value shaped like \p like.
  virtual Value floatConstant(double value, FloatType element, Value like) = 0;
  /// The lower bits of \p value as an integer of \p bits bits, in every element of a value shaped like \p like.
  virtual Value intConstant(std::int64_t value, unsigned bits, Value like) = 0;
  virtual Value emit(FloatUnary op, Value x) = 0;
  virtual Value emit(FloatBinary op, Value a, Value b) = 0;
  virtual Value emit(IntUnary op, Value x) = 0;
  virtual Value emit(IntBinary op, Value a, Value b) = 0;
  virtual Value emit(FloatCompare op, Value a, Value b) = 0;
  virtual Value emit(IntCompare op, Value a, Value b) = 0;
  /// To elements of type \p element.
  virtual Value emit(Cast op, Value x, Type element) = 0;
  /// a * b + c, rounded once.
  virtual Value fma(Value a, Value b, Value c) = 0;
  /// Per element: \p a where \p condition holds, else \p b.
  virtual Value select(Value condition, Value a, Value b) = 0;
  /// Where \p condition holds, what \p slow makes, elsewhere \p otherwise. A builder may skip \p slow at run time when
  /// no element needs it, so \p slow must be total: it may see any element.
  virtual Values ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) = 0;
  /// Repeats \p body on the carried values until \p condition, an i1, holds for no element. Elements whose condition is
  /// false may run through the body too: the body itself must keep them.
  virtual Values whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
                          function_ref<Values(ValueRange)> body) = 0;

  // Types.

  static Type elementOf(Value x) { return mlir::getElementTypeOrSelf(x.getType()); }
  static unsigned bitsOf(Value x) { return elementOf(x).getIntOrFloatBitWidth(); }
  static bool isF64(Value x) { return elementOf(x).isF64(); }

  // Constants, in the type of `like` or with a type of their own in its shape.

  Value constF(double value, Value like) { return floatConstant(value, cast<FloatType>(elementOf(like)), like); }
  Value constF32(double value, Value like) {
    return floatConstant(value, mlir::Float32Type::get(like.getContext()), like);
  }
  Value constF64(double value, Value like) {
    return floatConstant(value, mlir::Float64Type::get(like.getContext()), like);
  }
  Value constI(std::int64_t value, Value like) { return intConstant(value, bitsOf(like), like); }
  Value constI(std::int64_t value, unsigned bits, Value like) { return intConstant(value, bits, like); }

  // Floats: IEEE operations rounded to nearest even.

  Value add(Value a, Value b) { return emit(FloatBinary::Add, a, b); }
  Value sub(Value a, Value b) { return emit(FloatBinary::Sub, a, b); }
  Value mul(Value a, Value b) { return emit(FloatBinary::Mul, a, b); }
  Value div(Value a, Value b) { return emit(FloatBinary::Div, a, b); }
  Value neg(Value x) { return emit(FloatUnary::Neg, x); } ///< flips the sign, of NaN too
  Value abs(Value x) { return emit(FloatUnary::Abs, x); } ///< clears the sign, of NaN too
  Value sqrt(Value x) { return emit(FloatUnary::Sqrt, x); }
  Value roundEven(Value x) { return emit(FloatUnary::RoundEven, x); }
  Value trunc(Value x) { return emit(FloatUnary::Trunc, x); }
  Value floor(Value x) { return emit(FloatUnary::Floor, x); }
  Value ceil(Value x) { return emit(FloatUnary::Ceil, x); }

  // Comparisons of floats are false with a NaN, except ne().

  Value eq(Value a, Value b) { return emit(FloatCompare::Eq, a, b); }
  Value ne(Value a, Value b) { return emit(FloatCompare::Ne, a, b); }
  Value lt(Value a, Value b) { return emit(FloatCompare::Lt, a, b); }
  Value le(Value a, Value b) { return emit(FloatCompare::Le, a, b); }
  Value gt(Value a, Value b) { return emit(FloatCompare::Gt, a, b); }
  Value ge(Value a, Value b) { return emit(FloatCompare::Ge, a, b); }
  Value isNaN(Value x) { return ne(x, x); }

  // Integers wrap. A shift by the width or more gives an unspecified element.

  Value addI(Value a, Value b) { return emit(IntBinary::Add, a, b); }
  Value subI(Value a, Value b) { return emit(IntBinary::Sub, a, b); }
  Value mulI(Value a, Value b) { return emit(IntBinary::Mul, a, b); }
  Value umulHigh(Value a, Value b) { return emit(IntBinary::UMulHigh, a, b); }
  Value andI(Value a, Value b) { return emit(IntBinary::And, a, b); } ///< also of i1
  Value orI(Value a, Value b) { return emit(IntBinary::Or, a, b); }   ///< also of i1
  Value xorI(Value a, Value b) { return emit(IntBinary::Xor, a, b); } ///< also of i1
  Value notI(Value x) { return xorI(x, constI(-1, x)); }              ///< also of i1
  Value shl(Value a, Value b) { return emit(IntBinary::Shl, a, b); }
  Value shrU(Value a, Value b) { return emit(IntBinary::ShrU, a, b); }
  Value shrS(Value a, Value b) { return emit(IntBinary::ShrS, a, b); }
  Value shl(Value a, unsigned amount) { return shl(a, constI(amount, a)); }
  Value shrU(Value a, unsigned amount) { return shrU(a, constI(amount, a)); }
  Value shrS(Value a, unsigned amount) { return shrS(a, constI(amount, a)); }
  Value minS(Value a, Value b) { return emit(IntBinary::MinS, a, b); }
  Value maxS(Value a, Value b) { return emit(IntBinary::MaxS, a, b); }
  Value minU(Value a, Value b) { return emit(IntBinary::MinU, a, b); }
  Value maxU(Value a, Value b) { return emit(IntBinary::MaxU, a, b); }
  Value countLeadingZeros(Value x) { return emit(IntUnary::CountLeadingZeros, x); } ///< of 0 the width
  Value popCount(Value x) { return emit(IntUnary::PopCount, x); }
  Value cmp(IntCompare op, Value a, Value b) { return emit(op, a, b); }
  Value eqI(Value a, Value b) { return emit(IntCompare::Eq, a, b); }
  Value neI(Value a, Value b) { return emit(IntCompare::Ne, a, b); }
  Value ltS(Value a, Value b) { return emit(IntCompare::SLt, a, b); }
  Value gtS(Value a, Value b) { return emit(IntCompare::SGt, a, b); }
  Value ltU(Value a, Value b) { return emit(IntCompare::ULt, a, b); }
  Value gtU(Value a, Value b) { return emit(IntCompare::UGt, a, b); }

  // Casts.

  /// Exact: f16 to f32, f32 to f64.
  Value widen(Value x, FloatType element) { return emit(Cast::Widen, x, element); }
  Value widenToF64(Value x) { return widen(x, mlir::Float64Type::get(x.getContext())); }
  /// Rounded to nearest even: f64 to f32, f32 to f16.
  Value narrow(Value x, FloatType element) { return emit(Cast::Narrow, x, element); }
  Value narrowToF32(Value x) { return narrow(x, mlir::Float32Type::get(x.getContext())); }
  /// The bits of a float as an integer of its width, and back.
  Value toBits(Value x) { return emit(Cast::ToBits, x, IntegerType::get(x.getContext(), bitsOf(x))); }
  Value fromBits(Value x, FloatType element) { return emit(Cast::FromBits, x, element); }
  Value f32FromBits(Value x) { return fromBits(x, mlir::Float32Type::get(x.getContext())); }
  Value f64FromBits(Value x) { return fromBits(x, mlir::Float64Type::get(x.getContext())); }
  /// i32 or i64 to f32 or f64, rounded to nearest even.
  Value fromSigned(Value x, FloatType element) { return emit(Cast::FromSigned, x, element); }
  Value fromUnsigned(Value x, FloatType element) { return emit(Cast::FromUnsigned, x, element); }
  /// Truncated to an integer of 32 or 64 bits; unspecified for NaN and what does not fit.
  Value toSigned(Value x, unsigned bits) { return emit(Cast::ToSigned, x, IntegerType::get(x.getContext(), bits)); }
  Value signExtend(Value x, unsigned bits) { return emit(Cast::SExt, x, IntegerType::get(x.getContext(), bits)); }
  Value zeroExtend(Value x, unsigned bits) { return emit(Cast::ZExt, x, IntegerType::get(x.getContext(), bits)); }
  Value truncate(Value x, unsigned bits) { return emit(Cast::ITrunc, x, IntegerType::get(x.getContext(), bits)); }
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_MATHBUILDER_H
