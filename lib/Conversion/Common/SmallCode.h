//===- SmallCode.h - constants and index arithmetic ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Constants stand once at the start of the function, so that equal ones are one value and can be compared as such.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_SMALLCODE_H
#define TESSERA_CONVERSION_COMMON_SMALLCODE_H

#include "Analysis/UniformExpr.h"
#include "Conversion/Common/CodeTypes.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <utility>

namespace tessera::ir {

class SmallCode {
public:
  /// Emits at the place of \p builder with the location \p location, both of which outlive this.
  SmallCode(OpBuilder &builder, const Location &location) : b(builder), loc(location) {}

  /// Where constants go: the start of \p block.
  void setConstants(Block *block) { start = block; }

  Value constant(TypedAttr value);
  Value integer(unsigned bits, int64_t value);
  Value i64(int64_t value) { return integer(64, value); }
  /// All bits zero.
  Value zero(Type type);

  // Integers of one width, modulo it, folded where constant.
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  /// The one view or the other, by the i1 \p condition.
  ViewParts select(Value condition, const ViewParts &a, const ViewParts &b);

  /// The number of a constant integer, read as signed.
  static std::optional<int64_t> asConstant(Value value);
  /// Whether \p code, made earlier, may be used at the builder's place.
  bool dominates(Value code) const;

private:
  OpBuilder &b;
  const Location &loc;
  Block *start = nullptr;
  llvm::DenseMap<Attribute, Value> constants;
};

/// Code of expressions over scalars, each made once where it can be reused.
class UniformCode {
public:
  /// What the scalars and views of the kernel are in code.
  using ScalarFn = function_ref<Value(Value)>;
  using ViewFn = function_ref<ViewParts(Value)>;

  UniformCode(SmallCode &code, OpBuilder &builder, const Location &location) : code(code), b(builder), loc(location) {}

  /// An i64.
  Value emit(const UniformExpr &expr, ScalarFn scalar, ViewFn view);

private:
  Value make(const UniformExpr &expr, ScalarFn scalar, ViewFn view);

  SmallCode &code;
  OpBuilder &b;
  const Location &loc;
  SmallVector<std::pair<UniformExpr, Value>> known;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_SMALLCODE_H
