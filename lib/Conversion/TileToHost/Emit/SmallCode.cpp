//===- SmallCode.cpp - constants, index arithmetic, moves of lanes ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace tessera::ir::host {

using mlir::VectorType;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

Value Emitter::constant(TypedAttr value) { return s->code.constant(value); }

Value Emitter::i64(int64_t value) { return integer(64, value); }

Value Emitter::integer(unsigned bits, int64_t value) { return s->code.integer(bits, value); }

Value Emitter::zero(Type type) { return s->code.zero(type); }

Value Emitter::splat(Value scalar, unsigned lanes) {
  if (lanes == 1 || isa<VectorType>(scalar.getType()))
    return scalar;
  const auto type = VectorType::get({lanes}, scalar.getType());
  Attribute known;
  if (mlir::matchPattern(scalar, mlir::m_Constant(&known)))
    return constant(DenseElementsAttr::get(type, known));
  return vector::BroadcastOp::create(s->b, s->loc, type, scalar);
}

Value Emitter::iota(unsigned bits, unsigned lanes) {
  if (lanes == 1)
    return integer(bits, 0);
  SmallVector<APInt, 64> numbers;
  for (unsigned lane = 0; lane != lanes; ++lane)
    numbers.push_back(APInt(bits, lane, false, true));
  return constant(DenseElementsAttr::get(VectorType::get({lanes}, s->b.getIntegerType(bits)), numbers));
}

Value Emitter::add(Value a, Value b) { return s->code.add(a, b); }

Value Emitter::sub(Value a, Value b) { return s->code.sub(a, b); }

Value Emitter::mul(Value a, Value b) { return s->code.mul(a, b); }

Value Emitter::extractLane(Value vector, int64_t lane) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  return vector::ExtractOp::create(s->b, s->loc, vector, lane);
}

Value Emitter::shuffle(Value a, Value b, ArrayRef<int64_t> lanes) {
  return vector::ShuffleOp::create(s->b, s->loc, a, b, lanes);
}

static Value reduceMask(Emitter &e, vector::CombiningKind kind, Value mask) {
  if (!isa<VectorType>(mask.getType()))
    return mask;
  return vector::ReductionOp::create(e.builder(), e.loc(), kind, mask);
}

Value Emitter::all(Value mask) { return reduceMask(*this, vector::CombiningKind::AND, mask); }
Value Emitter::any(Value mask) { return reduceMask(*this, vector::CombiningKind::OR, mask); }

Value Emitter::placeholder(Type type) {
  if (isa<mlir::LLVM::LLVMPointerType>(type))
    return mlir::LLVM::ZeroOp::create(s->b, s->loc, type);
  return zero(type);
}

} // namespace tessera::ir::host
