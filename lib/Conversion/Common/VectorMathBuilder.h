//===- VectorMathBuilder.h - emits arithmetic on lanes ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A MathBuilder over scalars and vectors of one dimension: `arith`, `math` and `vector` operations that have
// instructions or short expansions on host processors, and never become calls.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_VECTORMATHBUILDER_H
#define TESSERA_CONVERSION_COMMON_VECTORMATHBUILDER_H

#include "Conversion/Common/ArithMathBuilder.h"

namespace tessera::ir {

class SmallCode;

class VectorMathBuilder final : public ArithMathBuilder {
public:
  /// Instructions that not every processor has.
  struct Features {
    bool hasFma = true;
    bool hasF16Casts = true; ///< between f16 and f32
  };

  /// Emits at the insertion point of \p builder, which must outlive this.
  VectorMathBuilder(OpBuilder &builder, Location location, Features features)
      : ArithMathBuilder(builder, location, /*folds=*/true), features(features) {}

  /// Takes constants of scalars from \p code, which must outlive this.
  void takeConstants(SmallCode &code) { constants = &code; }
  /// Gives what is emitted from now on the location \p where.
  void setLocation(Location where) { location = where; }

  using ArithMathBuilder::emit;
  Value floatConstant(double value, FloatType element, Value like) override;
  Value intConstant(std::int64_t value, unsigned bits, Value like) override;
  Value emit(Cast op, Value x, Type element) override;
  Value fma(Value a, Value b, Value c) override;
  Values ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) override;
  Value any(Value condition) override;

  /// The truncated quotient of integers. \p b is not 0 in any lane, nor -1 where \p a is the smallest integer.
  Value divide(Value a, Value b, bool isUnsigned);

private:
  Features features;
  SmallCode *constants = nullptr;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_VECTORMATHBUILDER_H
