//===- TileMathBuilder.h - emits arithmetic on tiles -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A MathBuilder over the scalars and tiles of tile IR, for definitions that are expanded before a target is chosen.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_TILEMATHBUILDER_H
#define TESSERA_CONVERSION_COMMON_TILEMATHBUILDER_H

#include "Conversion/Common/MathBuilder.h"

namespace tessera::ir {

class TileMathBuilder final : public MathBuilder {
public:
  /// Emits at the insertion point of \p builder, which must outlive this.
  TileMathBuilder(OpBuilder &builder, Location location) : builder(builder), location(location) {}

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
  /// Runs both sides always.
  Values ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) override;
  Values whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
                  function_ref<Values(ValueRange)> body) override;

private:
  template <class Op, class... Args> Value make(Args &&...args) {
    return Op::create(builder, location, std::forward<Args>(args)...);
  }
  Value splat(mlir::TypedAttr element, Value like);
  /// Whether \p condition holds for some element, as a scalar.
  Value any(Value condition);

  OpBuilder &builder;
  Location location;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_TILEMATHBUILDER_H
