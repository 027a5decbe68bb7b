//===- Recorder.cpp - what every operation of the language needs ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Literals, constants and roles of operands. Promotion and broadcasting are in Promote.cpp, conversions in Casts.cpp.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera/lang/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

namespace tessera::ir {

using mlir::arith::ConstantOp;

Value zeroValue(OpBuilder &builder, Location loc, Type type) {
  if (const auto view = dyn_cast<tile::ViewType>(type)) {
    const Value base = zeroValue(builder, loc, tile::pointerToElementOf(view));
    const SmallVector<Value> zeros(view.getRank(), zeroValue(builder, loc, builder.getI64Type()));
    return tile::MakeViewOp::create(builder, loc, view, base, zeros, zeros);
  }
  if (isa<tile::PtrType>(tile::elementOf(type))) {
    const Type address = tile::withElement(type, builder.getI64Type());
    const Value zero = ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(address)));
    return tile::IntToPtrOp::create(builder, loc, type, zero);
  }
  return ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Typed splatConstant(Recorder &r, DType dtype, Attribute element, ArrayRef<std::int64_t> shape) {
  TypedAttr attribute = cast<TypedAttr>(element);
  if (!shape.empty())
    attribute = DenseElementsAttr::get(RankedTensorType::get(shape, attribute.getType()), ArrayRef<Attribute>(element));
  return {ConstantOp::create(r.builder(), r.loc, attribute), dtype};
}

Typed Recorder::constant(DType dtype, double number, ArrayRef<std::int64_t> shape) {
  const Type element = elementType(context(), dtype);
  if (dtype.isFloat()) {
    APFloat value(number);
    bool inexact = false;
    value.convert(cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return splatConstant(*this, dtype, FloatAttr::get(element, value), shape);
  }
  return constantInt(dtype, static_cast<std::int64_t>(number), shape);
}

Typed Recorder::constantInt(DType dtype, std::int64_t number, ArrayRef<std::int64_t> shape) {
  if (dtype.isFloat())
    return constant(dtype, static_cast<double>(number), shape);
  const Type element = elementType(context(), dtype);
  const APInt value(static_cast<unsigned>(dtype.bits()), static_cast<std::uint64_t>(number), /*isSigned=*/true,
                    /*implicitTrunc=*/true);
  return splatConstant(*this, dtype, IntegerAttr::get(element, value), shape);
}

//===----------------------------------------------------------------------===//
// Literals (SEMANTICS T3)
//===----------------------------------------------------------------------===//

void Recorder::failRange(const Operand &operand, DType dtype) {
  throw UsageError(operand.at,
                   fmt::format("{} does not fit {}; a literal takes the type of the other operand and must be in "
                               "its range; convert the other operand with .to first, or change the number",
                               describe(operand), nameOf(dtype)));
}

/// Whether the integer literal is in the range of the integer type.
static bool fitsInteger(const Operand &literal, DType dtype) {
  const int bits = dtype.bits();
  if (literal.negative)
    return dtype.isSigned() &&
           (bits == 64 || static_cast<std::int64_t>(literal.integer) >= -(std::int64_t(1) << (bits - 1)));
  const int digits = dtype.isSigned() ? bits - 1 : bits;
  return digits == 64 || literal.integer < (std::uint64_t(1) << digits);
}

static double realValue(const Operand &literal) {
  if (literal.form == Operand::Form::Float)
    return literal.real;
  return literal.negative ? static_cast<double>(static_cast<std::int64_t>(literal.integer))
                          : static_cast<double>(literal.integer);
}

Typed Recorder::literal(const Operand &operand, DType dtype) {
  if (dtype.isPointer()) {
    if (operand.form != Operand::Form::Integer || operand.integer != 0)
      throw UsageError(operand.at,
                       fmt::format("{} where a pointer to {} is wanted; only 0, the null pointer, is a pointer "
                                   "literal",
                                   describe(operand), nameOf(dtype.pointee())));
    return {zeroValue(builder(), loc, elementType(context(), dtype)), dtype};
  }
  if (dtype.isFloat()) {
    const double real = realValue(operand);
    APFloat value(real);
    bool inexact = false;
    value.convert(cast<FloatType>(elementType(context(), dtype)).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &inexact);
    if (std::isfinite(real) ? !value.isFinite() : std::isinf(real) && !value.isInfinity())
      failRange(operand, dtype);
    return constant(dtype, real);
  }
  if (operand.form == Operand::Form::Float)
    throw UsageError(operand.at,
                     fmt::format("{} where {} is wanted; a floating literal is not an integer; write an integer, "
                                 "or convert the other side with .to(f32)",
                                 describe(operand), nameOf(dtype)));
  if (operand.form == Operand::Form::Integer &&
      (dtype.isBool() ? operand.negative || operand.integer > 1 : !fitsInteger(operand, dtype)))
    failRange(operand, dtype);
  return constantInt(dtype, static_cast<std::int64_t>(operand.integer));
}

Typed Recorder::operand(const Operand &operand) {
  switch (operand.form) {
  case Operand::Form::Absent:
    fail("an operand is missing; give it a value");
  case Operand::Form::Traced:
    return trace.use(operand.value, operand.at);
  case Operand::Form::Bool:
    return literal(operand, i1);
  case Operand::Form::Float:
    return literal(operand, f32);
  case Operand::Form::Integer:
    break;
  }
  if (fitsInteger(operand, i32))
    return literal(operand, i32);
  return literal(operand, fitsInteger(operand, i64) ? i64 : u64);
}

//===----------------------------------------------------------------------===//
// Operands with a role
//===----------------------------------------------------------------------===//

Typed Recorder::operandAs(const Operand &operand, DType dtype, std::string_view what) {
  if (operand.isLiteral())
    return literal(operand, dtype);
  const Typed value = this->operand(operand);
  if (value.dtype == dtype)
    return value;
  if (!tessera::detail::isLossless(value.dtype, dtype))
    throw UsageError(operand.at, fmt::format("{} is {} where {} is wanted; only conversions that keep every value are "
                                             "implicit; convert it with .to({})",
                                             what, describe(value), nameOf(dtype), nameOf(dtype)));
  return convert(value, dtype);
}

Typed Recorder::condition(const Operand &operand, std::string_view what) {
  if (operand.form == Operand::Form::Bool)
    return literal(operand, i1);
  if (operand.isLiteral())
    throw UsageError(operand.at,
                     fmt::format("{} is {}; it must be i1, as a comparison gives it", what, describe(operand)));
  const Typed value = this->operand(operand);
  if (!value.dtype.isBool())
    throw UsageError(operand.at, fmt::format("{} is {}; it must be i1, as a comparison gives it; compare with != 0",
                                             what, describe(value)));
  return value;
}

Typed Recorder::uniformCondition(const Operand &operand, std::string_view what) {
  const Typed value = condition(operand, what);
  if (rankOf(value) != 0)
    throw UsageError(operand.at,
                     fmt::format("{} is {}; it must be one i1 a program; reduce it with any or all, or choose "
                                 "element by element with where or a mask",
                                 what, describe(value)));
  return value;
}

Typed Recorder::index(const Operand &operand, std::string_view what) {
  if (operand.isLiteral())
    return literal(operand, i64);
  const Typed value = this->operand(operand);
  if (rankOf(value) != 0 || !value.dtype.isInt() || isView(value))
    throw UsageError(operand.at, fmt::format("{} is {}; it must be one integer a program", what, describe(value)));
  if (value.dtype == u64)
    throw UsageError(operand.at,
                     fmt::format("{} is {}; it must fit i64; convert it with .to(i64)", what, describe(value)));
  return convert(value, i64);
}

Typed Recorder::floatOperand(const Operand &operand, std::string_view verb) {
  if (operand.isLiteral())
    return literal(operand, f32);
  const Typed value = this->operand(operand);
  if (!value.dtype.isFloat() || isView(value))
    fail("cannot {} {}; it takes floats; {}", verb, describe(value),
         value.dtype.isPointer() ? "load the elements first" : "convert with .to(f32)");
  return value;
}

void Recorder::refuseInCombine(std::string_view what) const {
  if (trace.insideCombine())
    fail(
        "{} inside a combine function; it may only compute its results from its arguments; do this before or after the "
        "reduction",
        what);
}

} // namespace tessera::ir
