//===- RegionCode.h - loops and branches of a kernel -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Ops of `scf` on the kernel's values become ops of `scf` on the values in code that stand for them, its *parts*: none,
// one or several for each. An emitter says what these are.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_REGIONCODE_H
#define TESSERA_CONVERSION_COMMON_REGIONCODE_H

#include "Conversion/Common/SmallCode.h"

namespace tessera::ir {

class RegionCode {
public:
  virtual ~RegionCode();
  /// Emits \p op with all inside; false if it is not an op of `scf` that kernels have.
  bool emit(Operation &op);

protected:
  RegionCode(OpBuilder &builder, const Location &location, SmallCode &code) : b(builder), loc(location), code(code) {}

  virtual Value scalar(Value value) = 0;
  virtual void setScalar(Value value, Value part) = 0;
  /// Appends the parts of \p value, or their types.
  virtual void appendParts(Value value, SmallVectorImpl<Value> &parts) = 0;
  virtual void appendPartTypes(Type type, SmallVectorImpl<Type> &types) = 0;
  /// Lets parts stand for \p value, each taken from \p next.
  virtual void bind(Value value, function_ref<Value()> next) = 0;
  /// Emits the ops of \p block, all but its terminator.
  virtual void emitBody(Block &block) = 0;

  OpBuilder &b;
  const Location &loc;
  SmallCode &code;

private:
  SmallVector<Value> partsOf(ValueRange values);
  SmallVector<Type> partTypesOf(TypeRange types);
  void bindAll(ValueRange values, ValueRange parts);
  void fillBlock(Block &block, Block *emitted);
  void emitFor(Operation *op);
  void emitIf(Operation *op);
  void emitWhile(Operation *op);
  Value turnsOf(Value low, Value high, Value step);
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_REGIONCODE_H
