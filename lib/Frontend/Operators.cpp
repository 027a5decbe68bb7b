//===- Operators.cpp - arithmetic, comparison and bits -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/lang/Operators.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir {

namespace arith = mlir::arith;
using tessera::detail::Binary;
using tessera::detail::Compare;
using tessera::detail::Unary;

static std::string_view verbOf(Binary op) {
  switch (op) {
  case Binary::Add:
    return "add";
  case Binary::Sub:
    return "subtract";
  case Binary::Mul:
    return "multiply";
  case Binary::Div:
    return "divide";
  case Binary::Rem:
    return "take the remainder of";
  case Binary::And:
    return "combine with & ";
  case Binary::Or:
    return "combine with | ";
  case Binary::Xor:
    return "combine with ^ ";
  case Binary::Shl:
    return "shift left";
  case Binary::Shr:
    return "shift right";
  case Binary::CeilDiv:
    return "take cdiv of";
  case Binary::FloorDiv:
    return "take floor_div of";
  case Binary::FloorMod:
    return "take floor_mod of";
  }
  return "combine";
}

static bool isBitwise(Binary op) { return op == Binary::And || op == Binary::Or || op == Binary::Xor; }

static Value floatBinary(Recorder &r, Binary op, Value a, Value b) {
  switch (op) {
  case Binary::Add:
    return arith::AddFOp::create(r.builder(), r.loc, a, b);
  case Binary::Sub:
    return arith::SubFOp::create(r.builder(), r.loc, a, b);
  case Binary::Mul:
    return arith::MulFOp::create(r.builder(), r.loc, a, b);
  case Binary::Div:
    return arith::DivFOp::create(r.builder(), r.loc, a, b);
  default:
    return {};
  }
}

/// Says on a sum, difference or product whether its operands are unsigned: the types of the IR do not.
static void markSignedness(Operation *op, bool isUnsigned) {
  if (isUnsigned)
    op->setAttr(tile::TileDialect::kUnsigned, mlir::UnitAttr::get(op->getContext()));
}

static Value integerBinary(Recorder &r, Binary op, Value a, Value b, bool isUnsigned) {
  OpBuilder &builder = r.builder();
  const Location loc = r.loc;
  const auto divide = [&](tile::DivRounding rounding) {
    return tile::IDivOp::create(builder, loc, a.getType(), a, b, rounding, isUnsigned);
  };
  const auto remainder = [&](tile::DivRounding rounding) {
    return tile::IRemOp::create(builder, loc, a.getType(), a, b, rounding, isUnsigned);
  };
  const auto marked = [&](Operation *sum) {
    markSignedness(sum, isUnsigned);
    return sum->getResult(0);
  };
  switch (op) {
  case Binary::Add:
    return marked(arith::AddIOp::create(builder, loc, a, b));
  case Binary::Sub:
    return marked(arith::SubIOp::create(builder, loc, a, b));
  case Binary::Mul:
    return marked(arith::MulIOp::create(builder, loc, a, b));
  case Binary::And:
    return arith::AndIOp::create(builder, loc, a, b);
  case Binary::Or:
    return arith::OrIOp::create(builder, loc, a, b);
  case Binary::Xor:
    return arith::XOrIOp::create(builder, loc, a, b);
  case Binary::Shl:
    return tile::ShlOp::create(builder, loc, a.getType(), a, b);
  case Binary::Shr:
    return tile::ShrOp::create(builder, loc, a.getType(), a, b, isUnsigned);
  case Binary::Div:
    return divide(tile::DivRounding::Trunc);
  case Binary::CeilDiv:
    return divide(tile::DivRounding::Ceil);
  case Binary::FloorDiv:
    return divide(tile::DivRounding::Floor);
  case Binary::Rem:
    return remainder(tile::DivRounding::Trunc);
  case Binary::FloorMod:
    return remainder(tile::DivRounding::Floor);
  }
  return {};
}

/// The dtype of a traced operand; None for a literal.
static DType dtypeOf(Recorder &r, const Operand &operand) {
  return operand.isLiteral() ? DType{} : r.operand(operand).dtype;
}

/// A pointer or tile of pointers and an offset in elements.
static Typed offsetPointer(Recorder &r, Binary op, const Operand &a, const Operand &b) {
  const bool first = dtypeOf(r, a).isPointer(), second = dtypeOf(r, b).isPointer();
  const std::string both = cannot(verbOf(op), {&a, &b});
  if (first && second)
    r.fail("{}: two pointers; the distance of addresses is the difference of their .bitcast(i64)", both);
  if ((op != Binary::Add && op != Binary::Sub) || (op == Binary::Sub && second))
    r.fail("{}: pointers take part in pointer + integer and pointer - integer only; load the elements first", both);
  const Operand &offset = first ? b : a;
  const Typed pointer = r.operand(first ? a : b);
  Typed count = offset.isLiteral() ? r.literal(offset, i64) : r.operand(offset);
  if (!count.dtype.isInt() || isView(pointer) || isView(count))
    r.fail("{}: the offset of a pointer counts elements, so it must be an integer; to {} what stands there, load it "
           "first",
           both, verbOf(op));
  // the op's offsets are signed
  if (count.dtype.isUnsigned())
    count = r.convert(count, i64);
  if (op == Binary::Sub) {
    count = r.convert(count, i64);
    const Typed zero = r.constantInt(i64, 0, shapeOf(count));
    count.value = arith::SubIOp::create(r.builder(), r.loc, zero.value, count.value);
  }
  const Operands values = r.broadcastAll(verbOf(op), {pointer, count});
  return {tile::AddPtrOp::create(r.builder(), r.loc, values[0].value.getType(), values[0].value, values[1].value),
          pointer.dtype};
}

static Typed binary(Recorder &r, Binary op, const Operand &a, const Operand &b) {
  const DType left = dtypeOf(r, a), right = dtypeOf(r, b);
  if (left.isPointer() || right.isPointer())
    return offsetPointer(r, op, a, b);
  if (op == Binary::Div && a.form == Operand::Form::Integer && right.isInt())
    r.fail("{}: an integer literal divided by a run-time integer is 0 for nearly all values; write fdiv(a, b) or a "
           "floating "
           "literal for a quotient in f32, cdiv(a, b) or floor_div(a, b) for whole numbers",
           cannot("divide", {&a, &b}));

  const Operands values = r.promote(verbOf(op), {&a, &b});
  const DType dtype = values[0].dtype;
  if (dtype.isBool() && !isBitwise(op))
    r.fail("{}: i1 takes only & | ^ ~; convert with .to(i32) to count", cannot(verbOf(op), {&a, &b}));
  if (dtype.isFloat()) {
    if (isBitwise(op) || op == Binary::Shl || op == Binary::Shr)
      r.fail("{}: bits are those of integers; use .bitcast first", cannot(verbOf(op), {&a, &b}));
    if (op == Binary::Rem || op == Binary::FloorMod)
      r.fail("{}: {} is for integers; use fmod", cannot(verbOf(op), {&a, &b}), op == Binary::Rem ? "%" : "floor_mod");
    if (op == Binary::CeilDiv || op == Binary::FloorDiv)
      r.fail("{}: it divides integers; use ceil(a / b) or floor(a / b)", cannot(verbOf(op), {&a, &b}));
    const Typed x = r.computeForm(values[0]), y = r.computeForm(values[1]);
    return r.convert({floatBinary(r, op, x.value, y.value), x.dtype}, dtype);
  }
  return {integerBinary(r, op, values[0].value, values[1].value, dtype.isUnsigned()), dtype};
}

static arith::CmpFPredicate floatPredicate(Compare op) {
  switch (op) {
  case Compare::Eq:
    return arith::CmpFPredicate::OEQ;
  case Compare::Ne:
    return arith::CmpFPredicate::UNE;
  case Compare::Lt:
    return arith::CmpFPredicate::OLT;
  case Compare::Le:
    return arith::CmpFPredicate::OLE;
  case Compare::Gt:
    return arith::CmpFPredicate::OGT;
  case Compare::Ge:
    return arith::CmpFPredicate::OGE;
  }
  return arith::CmpFPredicate::OEQ;
}

static arith::CmpIPredicate integerPredicate(Compare op, bool isSigned) {
  switch (op) {
  case Compare::Eq:
    return arith::CmpIPredicate::eq;
  case Compare::Ne:
    return arith::CmpIPredicate::ne;
  case Compare::Lt:
    return isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
  case Compare::Le:
    return isSigned ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule;
  case Compare::Gt:
    return isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt;
  case Compare::Ge:
    return isSigned ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge;
  }
  return arith::CmpIPredicate::eq;
}

static Typed compare(Recorder &r, Compare op, const Operand &a, const Operand &b) {
  OpBuilder &builder = r.builder();
  const DType left = dtypeOf(r, a), right = dtypeOf(r, b);
  Operands values;
  if (left.isPointer() || right.isPointer()) { // addresses, unsigned
    const Typed x = left.isPointer() ? r.operand(a) : r.literal(a, right);
    const Typed y = right.isPointer() ? r.operand(b) : r.literal(b, left);
    if (x.dtype != y.dtype || isView(x) || isView(y))
      r.fail("{}: pointers compare with pointers to the same type, and with 0", cannot("compare", {&a, &b}));
    values = r.broadcastAll("compare", {x, y});
    for (Typed &value : values)
      value = {tile::PtrToIntOp::create(builder, r.loc, tile::withElement(value.value.getType(), builder.getI64Type()),
                                        value.value),
               u64};
  } else {
    values = r.promote("compare", {&a, &b});
  }
  const DType dtype = values[0].dtype;
  if (dtype.isFloat()) {
    const Typed x = r.computeForm(values[0]), y = r.computeForm(values[1]);
    return {arith::CmpFOp::create(builder, r.loc, floatPredicate(op), x.value, y.value), i1};
  }
  const arith::CmpIPredicate predicate = integerPredicate(op, dtype.isSigned());
  return {arith::CmpIOp::create(builder, r.loc, predicate, values[0].value, values[1].value), i1};
}

static Typed unary(Recorder &r, Unary op, const Operand &x) {
  OpBuilder &builder = r.builder();
  const Typed value = r.operand(x);
  const DType dtype = value.dtype;
  if (dtype.isPointer() || isView(value))
    r.fail("cannot {} {}; load the elements first", op == Unary::Neg ? "negate" : "flip the bits of", describe(value));
  if (op == Unary::Not) {
    if (dtype.isFloat())
      r.fail("cannot flip the bits of {}; bits are those of integers; use .bitcast first", describe(value));
    const Typed ones = r.constantInt(dtype, -1, shapeOf(value));
    return {arith::XOrIOp::create(builder, r.loc, value.value, ones.value), dtype};
  }
  if (dtype.isBool())
    r.fail("cannot negate {}; i1 takes only & | ^ ~; use ~ for the opposite", describe(value));
  if (dtype.isFloat()) { // exact in f32, and a fnuz zero stays 0 on the way back (A6)
    const Typed wide = r.computeForm(value);
    return r.convert({arith::NegFOp::create(builder, r.loc, wide.value), wide.dtype}, dtype);
  }
  const Typed zero = r.constantInt(dtype, 0, shapeOf(value));
  auto difference = arith::SubIOp::create(builder, r.loc, zero.value, value.value);
  markSignedness(difference, dtype.isUnsigned());
  return {difference, dtype};
}

} // namespace tessera::ir

namespace tessera::detail {

Snapshot binary(Binary op, const Operand &a, const Operand &b) {
  ir::Recorder r(a.at);
  return r.snapshot(ir::binary(r, op, a, b));
}

Snapshot compare(Compare op, const Operand &a, const Operand &b) {
  ir::Recorder r(a.at);
  return r.snapshot(ir::compare(r, op, a, b));
}

Snapshot unary(Unary op, const Operand &x) {
  ir::Recorder r(x.at);
  return r.snapshot(ir::unary(r, op, x));
}

} // namespace tessera::detail
