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

#include "Conversion/Common/MathBuilder.h"

namespace tessera::ir {

class VectorMathBuilder final : public MathBuilder {
public:
  /// Instructions that not every processor has.
  struct Features {
    bool hasFma = true;
    bool hasF16Casts = true; ///< between f16 and f32
  };

  /// Emits at the insertion point of \p builder, which must outlive this.
  VectorMathBuilder(OpBuilder &builder, Location location, Features features)
      : builder(builder), location(location), features(features) {}

  /// Gives what is emitted from now on the location \p where.
  void setLocation(Location where) { location = where; }

  Value floatConstant(double value, FloatType element, Value like) override;
  Value intConstant(std::int64_t value, unsigned bits, Value like) override;
  Value emit(FloatUnary op, Value x) override;
  Value emit(FloatBinary op, Value a, Value b) override;
  Value emit(IntUnary op, Value x) override;
  Value emit(IntBinary op, Value a, Value b) override;
  Value emit(FloatCompare op, Value a, Value b) override;
  Value emit(IntCompare op, Value a, Value b) override;
  Value emit(Cast op, Value x, Type element) override;
  Value fma(Value a, Value b, Value c) override;
  Value select(Value condition, Value a, Value b) override;
  Values ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) override;
  Values whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
                  function_ref<Values(ValueRange)> body) override;

  /// The truncated quotient of integers. \p b is not 0 in any lane, nor -1 where \p a is the smallest integer.
  Value divide(Value a, Value b, bool isUnsigned);

  /// Whether \p condition (i1 or lanes of it) holds in some lane.
  Value any(Value condition);

private:
  template <class Op, class... Args> Value make(Args &&...args);
  Value splat(mlir::TypedAttr element, Value like);

  OpBuilder &builder;
  Location location;
  Features features;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_VECTORMATHBUILDER_H
