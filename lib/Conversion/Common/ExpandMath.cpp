//===- ExpandMath.cpp - replace elementary functions by their definitions ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %y = math.exp %x : tensor<64xf16>
// After:   %w = tile.convert_float %x : tensor<64xf16> -> tensor<64xf32>
//          some thirty operations of `arith`, `math` and `tile` that round as they say
//          %y = tile.convert_float %v : tensor<64xf32> -> tensor<64xf16>
// Needs:   the tile stage.  Gives: no elementary function in f32, f16 or bf16, nor in f64 where f64 has a definition.
// Place:   instead of a target's own functions; in tests before the interpreter.
// Numerics: within the bounds of SEMANTICS A4. The result of an f16 or bf16 function is rounded once more than exact.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Conversion/Common/Passes.h"

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/TileMathBuilder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

#define GEN_PASS_DEF_EXPANDMATHPASS
#include "tessera-ir/Conversion/Common/Passes.h.inc"

namespace {

/// The value that \p op is defined as, emitted before it; null without a definition.
Value expandInPlace(Operation *op) {
  OpBuilder builder(op);
  TileMathBuilder math(builder, op->getLoc());
  const Type element = tile::elementOf(op->getOperand(0).getType());
  const bool narrow = tile::bitsOf(element) < 32;
  SmallVector<Value> operands(op->getOperands());
  if (narrow) {
    for (Value &operand : operands)
      operand = tile::ConvertFloatOp::create(builder, op->getLoc(), operand, builder.getF32Type());
  }
  const Value result = elementary::expand(math, op, operands);
  return result && narrow ? tile::ConvertFloatOp::create(builder, op->getLoc(), result, element) : result;
}

struct ExpandMath : impl::ExpandMathPassBase<ExpandMath> {
  using ExpandMathPassBase::ExpandMathPassBase;
  void runOnOperation() override {
    SmallVector<Operation *> functions;
    getOperation().walk([&](Operation *op) {
      if (elementary::isElementary(op))
        functions.push_back(op);
    });
    for (Operation *op : functions) {
      if (const Value result = expandInPlace(op)) {
        op->replaceAllUsesWith(ValueRange(result));
        op->erase();
      }
    }
  }
};

} // namespace

} // namespace tessera::ir
