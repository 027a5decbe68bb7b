//===- Elementwise.h - ops on elements -------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each elementwise op of `tile`, `arith` and `math`, written once for scalars and vectors of elements in their form in
// code (CodeTypes.h). Floats narrower than 32 bits are widened to f32, computed on, and rounded once (SEMANTICS A3).
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_ELEMENTWISE_H
#define TESSERA_CONVERSION_COMMON_ELEMENTWISE_H

#include "Conversion/Common/Numbers/Numbers.h"
#include "Conversion/Common/VectorMathBuilder.h"

namespace tessera::ir {

/// Where a target has instructions of its own.
class ElementwiseHooks {
public:
  virtual ~ElementwiseHooks();
  /// The value of \p op, an elementary function, quotient, square root, maximum or minimum, of operands widened to f32
  /// or f64; null to compute it portably.
  virtual Value compute(Operation &op, ValueRange wide);
  /// A stored value of type \p from as one of type \p to.
  virtual Value convert(MathBuilder &m, Value stored, Type from, Type to, const numbers::Narrowing &how);
};

/// What code for an elementwise op is made with.
struct ElementwiseCode {
  OpBuilder &builder;
  Location location;
  VectorMathBuilder &math;
  bool fpContract; ///< sums and products may be contracted
  ElementwiseHooks &hooks;
};

/// The results of \p op on \p operands in code, which have one shape. Empty if the op is not elementwise or has no form
/// for its types.
SmallVector<Value> elementwise(Operation &op, ValueRange operands, const ElementwiseCode &code);

/// The bits of \p code as an integer, and back to the form in code of \p element.
Value toBitsInCode(MathBuilder &m, Value code);
Value fromBitsInCode(MathBuilder &m, Value bits, Type element);

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_ELEMENTWISE_H
