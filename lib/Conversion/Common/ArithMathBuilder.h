//===- ArithMathBuilder.h - arithmetic that arith and math have -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What MathBuilders over IR share: the operations of MathBuilder that `arith` and `math` have on scalars, vectors and
// tensors alike.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_ARITHMATHBUILDER_H
#define TESSERA_CONVERSION_COMMON_ARITHMATHBUILDER_H

#include "Conversion/Common/MathBuilder.h"

namespace tessera::ir {

class ArithMathBuilder : public MathBuilder {
public:
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
  Values whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
                  function_ref<Values(ValueRange)> body) override;

  /// Whether \p condition (i1 or elements of it) holds for some element, as a scalar.
  virtual Value any(Value condition) = 0;

protected:
  /// Emits at the insertion point of \p builder, which must outlive this; with \p folds what folds is folded.
  ArithMathBuilder(OpBuilder &builder, Location location, bool folds)
      : builder(builder), location(location), folds(folds) {}

  template <class Op, class... Args> Value make(Args &&...args) {
    if (folds)
      return builder.createOrFold<Op>(location, std::forward<Args>(args)...);
    return Op::create(builder, location, std::forward<Args>(args)...);
  }
  /// \p element in the shape of \p like.
  static Type typeLike(Value like, Type element);

  OpBuilder &builder;
  Location location;

private:
  Value splat(mlir::TypedAttr element, Value like);

  const bool folds;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_ARITHMATHBUILDER_H
