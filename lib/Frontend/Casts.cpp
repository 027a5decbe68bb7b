//===- Casts.cpp - conversions between dtypes ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS C1 to C3.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera/lang/Ptr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir {

namespace arith = mlir::arith;

Typed Recorder::convert(Typed value, DType dtype) {
  const DType from = value.dtype;
  if (from == dtype)
    return value;
  OpBuilder &b = builder();
  const Type element = elementType(context(), dtype);
  const Type type = tile::withElement(value.value.getType(), element);
  if (from.isPointer() || dtype.isPointer() || dtype.kind <= Kind::Any)
    fail("cannot convert {} to {}; pointers change with .as(dtype) and .bitcast(i64)", describe(value), nameOf(dtype));
  if (from.isFloat() && dtype.isFloat())
    return {tile::ConvertFloatOp::create(b, loc, value.value, element), dtype};
  if (from.isFloat()) {
    if (dtype.isBool()) {
      const Typed wide = computeForm(value);
      const Typed zero = constant(wide.dtype, 0, shapeOf(wide));
      return {arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, wide.value, zero.value), dtype};
    }
    return {tile::FloatToIntOp::create(b, loc, value.value, element, dtype.isUnsigned()), dtype};
  }
  if (dtype.isBool()) {
    const Typed zero = constantInt(from, 0, shapeOf(value));
    return {arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value.value, zero.value), dtype};
  }
  if (dtype.isFloat()) {
    const bool isSigned = from.isSigned();
    if (!dtype.isFp8())
      return {isSigned ? Value(arith::SIToFPOp::create(b, loc, type, value.value))
                       : Value(arith::UIToFPOp::create(b, loc, type, value.value)),
              dtype};
    // integers of at most 16 bits are exact in f32; wider ones would round twice there, but not in f64 up to 53 bits,
    // and beyond that fp8 is out of range either way
    return convert(convert(value, from.bits() <= 16 ? f32 : f64), dtype);
  }
  if (from.bits() == dtype.bits())
    return {value.value, dtype};
  if (from.bits() > dtype.bits())
    return {arith::TruncIOp::create(b, loc, type, value.value), dtype};
  return {from.isSigned() ? Value(arith::ExtSIOp::create(b, loc, type, value.value))
                          : Value(arith::ExtUIOp::create(b, loc, type, value.value)),
          dtype};
}

static tile::FloatRounding roundingOf(Rounding rounding) {
  switch (rounding) {
  case Rounding::nearest:
    return tile::FloatRounding::Nearest;
  case Rounding::toward_zero:
    return tile::FloatRounding::TowardZero;
  case Rounding::stochastic:
    return tile::FloatRounding::Stochastic;
  }
  return tile::FloatRounding::Nearest;
}

static Typed convertWithOptions(Recorder &r, Typed value, DType dtype, const CastOptions &options) {
  const bool plain = options.rounding == Rounding::nearest && !options.saturate && !options.random_bits.isPresent();
  if (plain)
    return r.convert(value, dtype);
  if (!value.dtype.isFloat() || !dtype.isFloat())
    r.fail("cannot convert {} to {} with rounding, saturate or random_bits; these options are for conversions between "
           "floats (float to int always truncates and saturates)",
           describe(value), nameOf(dtype));
  const bool stochastic = options.rounding == Rounding::stochastic;
  if (stochastic != options.random_bits.isPresent())
    r.fail("a conversion {} random_bits; stochastic rounding and random_bits go together",
           stochastic ? "rounds stochastically without" : "does not round stochastically but has");
  Value bits;
  if (stochastic) {
    const Typed random = r.operand(options.random_bits);
    if (random.dtype != u32 && random.dtype != i32)
      r.fail("random_bits is {}; it must be u32 or i32, one word an element", describe(random));
    if (!Recorder::broadcasts(shapeOf(random), shapeOf(value)))
      r.fail("random_bits is {} for {}; it must have that shape", describe(random), describe(value));
    bits = r.broadcast(random, shapeOf(value)).value;
  }
  return {tile::ConvertFloatOp::create(r.builder(), r.loc, value.value, elementType(r.context(), dtype),
                                       roundingOf(options.rounding), options.saturate, bits),
          dtype};
}

/// The shape after reading elements of \p from bits as elements of \p to bits.
static SmallVector<std::int64_t> bitcastShape(const Recorder &r, Typed value, DType dtype) {
  SmallVector<std::int64_t> shape(shapeOf(value));
  const int from = value.dtype.bits(), to = dtype.bits();
  if (from > to) {
    shape.push_back(from / to);
  } else if (from < to) {
    if (shape.empty() || shape.back() != to / from)
      r.fail("cannot bitcast {} to {}; the last axis holds the parts of one {}, so its extent must be {}",
             describe(value), nameOf(dtype), nameOf(dtype), to / from);
    shape.pop_back();
  }
  checkBlock(shape, fmt::format("the bitcast of {} to {}", describe(value), nameOf(dtype)), r.at);
  return shape;
}

static Typed bitcast(Recorder &r, Typed value, DType dtype) {
  OpBuilder &b = r.builder();
  if (isView(value) || dtype.kind <= Kind::Any)
    r.fail("cannot bitcast {} to {}; name an element type", describe(value), nameOf(dtype));
  if (value.dtype == dtype)
    return value;
  if (value.dtype.isPointer() || dtype.isPointer()) {
    if (value.dtype.isPointer() && (dtype == i64 || dtype == u64))
      return {tile::PtrToIntOp::create(b, r.loc, tile::withElement(value.value.getType(), b.getI64Type()), value.value),
              dtype};
    if (dtype.isPointer() && (value.dtype == i64 || value.dtype == u64))
      return {tile::IntToPtrOp::create(
                  b, r.loc, tile::withElement(value.value.getType(), elementType(r.context(), dtype)), value.value),
              dtype};
    r.fail("cannot bitcast {} to {}; an address is converted to and from i64 or u64; use .as(dtype) for another "
           "element type",
           describe(value), nameOf(dtype));
  }
  if (value.dtype.isBool() || dtype.isBool())
    r.fail("cannot bitcast {} to {}; i1 has no bits of its own; use .to", describe(value), nameOf(dtype));
  const SmallVector<std::int64_t> shape = bitcastShape(r, value, dtype);
  const Type type = valueType(r.context(), dtype, shape);
  if (type == value.value.getType())
    return {value.value, dtype};
  return {tile::BitcastOp::create(b, r.loc, type, value.value), dtype};
}

} // namespace tessera::ir

namespace tessera {

using ir::Recorder;
using ir::Typed;

Tile Tile::to(DType dtype, CastOptions options, std::source_location at) const {
  Recorder r(at);
  const Typed value = r.operand(Operand(*this, at));
  if (dtype.isPointer() && !value.dtype.isPointer())
    r.fail("cannot convert {} to {}, which is the dtype of a pointer; .to changes numbers; {} is what it points to: "
           "write .to(p.dtype().pointee())",
           ir::describe(value), ir::nameOf(dtype), ir::nameOf(dtype.pointee()));
  if (value.dtype.isPointer() || dtype.kind <= Kind::Any)
    r.fail("cannot convert {} to {}; .to changes numbers; pointers change with .as(dtype) and .bitcast(i64)",
           ir::describe(value), ir::nameOf(dtype));
  return r.tile(ir::convertWithOptions(r, value, dtype, options));
}

Tile Tile::bitcast(DType dtype, std::source_location at) const {
  Recorder r(at);
  return r.tile(ir::bitcast(r, r.operand(Operand(*this, at)), dtype));
}

Tile Tile::as(DType dtype, std::source_location at) const {
  Recorder r(at);
  const Typed value = r.operand(Operand(*this, at));
  if (!value.dtype.isPointer() || ir::isView(value) || dtype.kind <= Kind::Any)
    r.fail("cannot read {} as pointers to {}; .as(dtype) is for pointers; use .bitcast for values", ir::describe(value),
           ir::nameOf(dtype));
  const DType pointer = ptr_to(dtype);
  if (value.dtype == pointer)
    return r.tile(value);
  const auto element = ir::cast<ir::tile::PtrType>(ir::elementType(r.context(), pointer));
  if (element == ir::tile::elementOf(value.value.getType())) // differs in signedness only
    return r.tile({value.value, pointer});
  return r.tile({ir::tile::PtrCastOp::create(r.builder(), r.loc, value.value, element), pointer});
}

namespace detail {

Snapshot toScalar(const Operand &source, DType dtype) {
  Recorder r(source.at);
  if (source.isLiteral())
    return r.snapshot(r.literal(source, dtype));
  const Typed value = r.operand(source);
  if (ir::rankOf(value) != 0 || ir::isView(value))
    r.fail("{} where a scalar of {} is wanted; reduce it, or take one element with extract_at", ir::describe(value),
           ir::nameOf(dtype));
  return r.snapshot(r.operandAs(source, dtype, "the value"));
}

Snapshot toPointer(const Operand &source, DType pointee) {
  Recorder r(source.at);
  const Typed value = r.operand(source);
  const bool isPointer = ir::rankOf(value) == 0 && value.dtype.isPointer() && !ir::isView(value);
  if (!isPointer || (pointee != DType{Kind::Any} && value.dtype.pointee() != pointee))
    r.fail("{} where a pointer to {} is wanted; {}", ir::describe(value), ir::nameOf(pointee),
           isPointer ? "use .as(dtype) to read its memory as another type" : "pass one pointer a program");
  return r.snapshot(value);
}

} // namespace detail

} // namespace tessera
