//===- Expand.cpp - from operations to definitions -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::ir::elementary {

namespace {

using Unary = Value (*)(MathBuilder &, Value);
using Binary = Value (*)(MathBuilder &, Value, Value);

struct Definition {
  Unary unary = nullptr;
  Binary binary = nullptr;
  bool hasF64 = false;
};

/// The definition of \p op, with neither function if there is none.
Definition definitionOf(Operation *op) {
  static const llvm::StringMap<Definition> definitions = {
      {"math.exp", {.unary = exp, .hasF64 = true}},
      {"math.exp2", {.unary = exp2}},
      {"math.expm1", {.unary = expm1}},
      {"math.log", {.unary = log, .hasF64 = true}},
      {"math.log2", {.unary = log2}},
      {"math.log10", {.unary = log10}},
      {"math.log1p", {.unary = log1p}},
      {"math.sin", {.unary = sin, .hasF64 = true}},
      {"math.cos", {.unary = cos, .hasF64 = true}},
      {"math.tan", {.unary = tan}},
      {"math.atan2", {.binary = atan2}},
      {"math.tanh", {.unary = tanh}},
      {"tile.sigmoid", {.unary = sigmoid}},
      {"tile.softplus", {.unary = softplus}},
      {"math.erf", {.unary = erf}},
      {"math.rsqrt", {.unary = rsqrt}},
      {"math.powf", {.binary = pow, .hasF64 = true}},
  };
  const auto found = definitions.find(op->getName().getStringRef());
  return found == definitions.end() ? Definition() : found->second;
}

} // namespace

bool isElementary(Operation *op) {
  const Definition definition = definitionOf(op);
  return definition.unary || definition.binary;
}

Value expand(MathBuilder &b, Operation *op, ValueRange operands) {
  const Definition definition = definitionOf(op);
  if (MathBuilder::isF64(operands[0]) && !definition.hasF64)
    return {};
  if (definition.unary)
    return definition.unary(b, operands[0]);
  return definition.binary ? definition.binary(b, operands[0], operands[1]) : Value();
}

} // namespace tessera::ir::elementary
