//===- SmallCode.cpp - constants, index arithmetic, moves of lanes ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Constants stand once at the start of the function, so that equal ones are one value and can be compared as such.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace tessera::ir::host {

using mlir::VectorType;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

Value Emitter::constant(TypedAttr value) {
  Value &known = s->constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(s->b);
    s->b.setInsertionPointToStart(&s->function.getBody().front());
    known = arith::ConstantOp::create(s->b, s->function.getLoc(), value);
  }
  return known;
}

Value Emitter::i64(int64_t value) { return integer(64, value); }

Value Emitter::integer(unsigned bits, int64_t value) {
  return constant(IntegerAttr::get(s->b.getIntegerType(bits), APInt(bits, static_cast<uint64_t>(value), false, true)));
}

Value Emitter::zero(Type type) { return constant(cast<TypedAttr>(s->b.getZeroAttr(type))); }

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

static std::optional<int64_t> asConstant(Value value) {
  APInt number;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// \p x op \p y modulo 2^64.
template <typename Fn> static int64_t wrapping(int64_t x, int64_t y, Fn op) {
  return static_cast<int64_t>(op(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
}

Value Emitter::add(Value a, Value b) {
  const std::optional<int64_t> x = asConstant(a), y = asConstant(b);
  if (x && y)
    return i64(wrapping(*x, *y, std::plus<>()));
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return arith::AddIOp::create(s->b, s->loc, a, b);
}

Value Emitter::sub(Value a, Value b) {
  const std::optional<int64_t> x = asConstant(a), y = asConstant(b);
  if (x && y)
    return i64(wrapping(*x, *y, std::minus<>()));
  if (y == 0)
    return a;
  return arith::SubIOp::create(s->b, s->loc, a, b);
}

Value Emitter::mul(Value a, Value b) {
  const std::optional<int64_t> x = asConstant(a), y = asConstant(b);
  if (x && y)
    return i64(wrapping(*x, *y, std::multiplies<>()));
  if (x == 0 || y == 1)
    return a;
  if (y == 0 || x == 1)
    return b;
  return arith::MulIOp::create(s->b, s->loc, a, b);
}

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

bool dominates(Value code, OpBuilder &at) {
  Block *const home = code.getParentBlock();
  for (Block *block = at.getInsertionBlock(); block;
       block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr)
    if (block == home)
      return true;
  return false;
}

} // namespace tessera::ir::host
