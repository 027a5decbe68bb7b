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

#include "Conversion/Common/ArithMathBuilder.h"

namespace tessera::ir {

class TileMathBuilder final : public ArithMathBuilder {
public:
  /// Emits at the insertion point of \p builder, which must outlive this.
  TileMathBuilder(OpBuilder &builder, Location location) : ArithMathBuilder(builder, location, /*folds=*/false) {}

  using ArithMathBuilder::emit;
  Value emit(IntBinary op, Value a, Value b) override;
  Value emit(Cast op, Value x, Type element) override;
  /// Runs both sides always.
  Values ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) override;
  Value any(Value condition) override;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_TILEMATHBUILDER_H
