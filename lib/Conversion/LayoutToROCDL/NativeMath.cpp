//===- NativeMath.cpp - functions by instructions of the chip -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Maximum and minimum: LLVM has both rules for NaN in words that order the zeros as SEMANTICS A5 does, and the chips
// have them as one instruction, for two halves of a word, too.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToROCDL/AmdHooks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::gpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

/// LLVM's intrinsic for \p op; empty if it is no maximum or minimum.
static StringRef extremeOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case([](tile::MaxNumOp) { return "llvm.maximumnum"; })
      .Case([](tile::MinNumOp) { return "llvm.minimumnum"; })
      .Case([](arith::MaximumFOp) { return "llvm.maximum"; })
      .Case([](arith::MinimumFOp) { return "llvm.minimum"; })
      .Default([](Operation *) { return ""; });
}

Value AmdHooks::compute(Emitter &e, Operation &op, ValueRange wide) const {
  const StringRef name = extremeOf(op);
  if (name.empty())
    return {};
  OpBuilder &b = e.builder();
  const auto call = [&](ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, e.loc(), operands[0].getType(), b.getStringAttr(name), operands)
        .getResult(0);
  };
  if (!wide[0].getType().isInteger(32))
    return call(wide);
  const Type halves = mlir::VectorType::get(2, b.getF16Type());
  SmallVector<Value> pairs;
  for (Value word : wide)
    pairs.push_back(LLVM::BitcastOp::create(b, e.loc(), halves, word));
  return LLVM::BitcastOp::create(b, e.loc(), wide[0].getType(), call(pairs));
}

} // namespace tessera::ir::gpu
