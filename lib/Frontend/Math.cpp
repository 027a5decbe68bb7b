//===- Math.cpp - elementwise functions ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/lang/Math.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tessera::ir {

namespace arith = mlir::arith;
namespace math = mlir::math;

/// Which float dtypes a function exists for.
enum class Floats : std::uint8_t { All, NoF64 };

static Typed floatArgument(Recorder &r, const Operand &x, std::string_view name, Floats floats) {
  const Typed value = r.floatOperand(x, fmt::format("take {} of", name));
  if (floats == Floats::NoF64 && value.dtype == f64)
    r.fail("cannot take {} of {}; it has no f64 form; convert with .to(f32)", name, describe(value));
  return value;
}

/// One math op of a float in its own type, fp8 through f32.
template <class Op> static Tile unary(Operand x, std::string_view name, At at, Floats floats = Floats::NoF64) {
  Recorder r(at);
  const Typed value = floatArgument(r, x, name, floats);
  const Typed wide = r.computeForm(value);
  const Value result = Op::create(r.builder(), r.loc, wide.value);
  return r.tile(r.convert({result, wide.dtype}, value.dtype));
}

/// The same allowed to be approximate.
template <class Op> static Tile fastUnary(Operand x, std::string_view name, At at) {
  Recorder r(at);
  const Typed value = floatArgument(r, x, name, Floats::NoF64);
  const Typed wide = r.computeForm(value);
  const Value result = Op::create(r.builder(), r.loc, wide.value, arith::FastMathFlags::afn);
  return r.tile(r.convert({result, wide.dtype}, value.dtype));
}

/// An op of ours, whose result type is given.
template <class Op> static Tile ownUnary(Operand x, std::string_view name, At at) {
  Recorder r(at);
  const Typed value = floatArgument(r, x, name, Floats::NoF64);
  const Typed wide = r.computeForm(value);
  const Value result = Op::create(r.builder(), r.loc, wide.value.getType(), wide.value);
  return r.tile(r.convert({result, wide.dtype}, value.dtype));
}

/// A float's property as i1.
template <class Op> static Tile property(Operand x, std::string_view name, At at) {
  Recorder r(at);
  const Typed wide = r.computeForm(floatArgument(r, x, name, Floats::All));
  return r.tile({Op::create(r.builder(), r.loc, wide.value), i1});
}

/// Two float operands in a common type and shape, as they are computed, and the type of the result.
struct FloatPair {
  Typed a, b;
  DType dtype;
};

static FloatPair floatPair(Recorder &r, const Operand &a, const Operand &b, std::string_view name, Floats floats) {
  const std::string verb = fmt::format("take {} of", name);
  const Operands values = r.promote(verb, {&a, &b});
  const DType dtype = values[0].dtype;
  if (!dtype.isFloat())
    r.fail("{}: it takes floats; convert with .to(f32)", cannot(verb, values));
  if (floats == Floats::NoF64 && dtype == f64)
    r.fail("{}: it has no f64 form; convert with .to(f32)", cannot(verb, values));
  return {r.computeForm(values[0]), r.computeForm(values[1]), dtype};
}

template <class Op> static Tile binary(Operand a, Operand b, std::string_view name, At at, Floats floats) {
  Recorder r(at);
  const FloatPair pair = floatPair(r, a, b, name, floats);
  const Value result = Op::create(r.builder(), r.loc, pair.a.value, pair.b.value);
  return r.tile(r.convert({result, pair.a.dtype}, pair.dtype));
}

/// An integer operand; \p name is the function's.
static Typed integerOperand(Recorder &r, const Operand &x, std::string_view name) {
  const Typed value = r.operand(x);
  if (!value.dtype.isInt() || isView(value))
    r.fail("cannot take {} of {}; it takes integers; read the bits of floats with .bitcast", name, describe(value));
  return value;
}

static Typed extreme(Recorder &r, const Operand &a, const Operand &b, bool greater, Nan nan) {
  const std::string_view verb = greater ? "take the maximum of" : "take the minimum of";
  const Operands values = r.promote(verb, {&a, &b});
  const DType dtype = values[0].dtype;
  OpBuilder &builder = r.builder();
  if (dtype.isBool())
    r.fail("{}: i1 takes only & | ^ ~; use | for the maximum and & for the minimum", cannot(verb, values));
  if (dtype.isInt()) {
    const Value x = values[0].value, y = values[1].value;
    if (dtype.isUnsigned())
      return {greater ? Value(arith::MaxUIOp::create(builder, r.loc, x, y))
                      : Value(arith::MinUIOp::create(builder, r.loc, x, y)),
              dtype};
    return {greater ? Value(arith::MaxSIOp::create(builder, r.loc, x, y))
                    : Value(arith::MinSIOp::create(builder, r.loc, x, y)),
            dtype};
  }
  const Typed wide = r.computeForm(values[0]);
  const Value x = wide.value, y = r.computeForm(values[1]).value;
  Value result;
  if (nan == Nan::propagate)
    result = greater ? Value(arith::MaximumFOp::create(builder, r.loc, x, y))
                     : Value(arith::MinimumFOp::create(builder, r.loc, x, y));
  else
    result = greater ? Value(tile::MaxNumOp::create(builder, r.loc, x.getType(), x, y))
                     : Value(tile::MinNumOp::create(builder, r.loc, x.getType(), x, y));
  return r.convert({result, wide.dtype}, dtype);
}

/// A literal of \p dtype where the user gave one, for `where`.
static Typed branch(Recorder &r, const Operand &operand, DType dtype) {
  return operand.isLiteral() ? r.literal(operand, dtype) : r.convert(r.operand(operand), dtype);
}

static Typed select(Recorder &r, const Operand &condition, const Operand &x, const Operand &y, DType wanted) {
  const Typed chosen = r.condition(condition, "the condition of where");
  Operands values;
  const Typed left = x.isLiteral() ? Typed() : r.operand(x), right = y.isLiteral() ? Typed() : r.operand(y);
  if (wanted != DType{}) {
    if (left || right)
      r.fail(
          "where with .dtype but not two literals; the type of the traced value counts; convert the result with .to");
    values = {branch(r, x, wanted), branch(r, y, wanted)};
  } else if ((left && left.dtype.isPointer()) || (right && right.dtype.isPointer())) {
    const Typed a = left ? left : r.literal(x, right.dtype), b = right ? right : r.literal(y, left.dtype);
    if (a.dtype != b.dtype || isView(a) || isView(b))
      r.fail("{}: pointers of one type are chosen among; use .as(dtype)", cannot("choose between", {&x, &y}));
    values = {a, b};
  } else {
    values = r.promoteTypes("choose between", {&x, &y});
  }
  const Operands all = r.broadcastAll("choose with where:", {chosen, values[0], values[1]});
  return {arith::SelectOp::create(r.builder(), r.loc, all[0].value, all[1].value, all[2].value), values[0].dtype};
}

} // namespace tessera::ir

namespace tessera {

namespace arith = mlir::arith;
namespace math = mlir::math;
namespace tile = ir::tile;
using ir::Floats;
using ir::Recorder;
using ir::Typed;
using At = std::source_location;

Tile where(Operand condition, Operand x, Operand y, WhereOptions options, At at) {
  Recorder r(at);
  return r.tile(ir::select(r, condition, x, y, options.dtype));
}

Tile exp(Operand x, At at) { return ir::unary<math::ExpOp>(x, "exp", at, Floats::All); }
Tile exp2(Operand x, At at) { return ir::unary<math::Exp2Op>(x, "exp2", at); }
Tile expm1(Operand x, At at) { return ir::unary<math::ExpM1Op>(x, "expm1", at); }
Tile log(Operand x, At at) { return ir::unary<math::LogOp>(x, "log", at, Floats::All); }
Tile log2(Operand x, At at) { return ir::unary<math::Log2Op>(x, "log2", at); }
Tile log10(Operand x, At at) { return ir::unary<math::Log10Op>(x, "log10", at); }
Tile log1p(Operand x, At at) { return ir::unary<math::Log1pOp>(x, "log1p", at); }
Tile sin(Operand x, At at) { return ir::unary<math::SinOp>(x, "sin", at, Floats::All); }
Tile cos(Operand x, At at) { return ir::unary<math::CosOp>(x, "cos", at, Floats::All); }
Tile tan(Operand x, At at) { return ir::unary<math::TanOp>(x, "tan", at); }
Tile tanh(Operand x, At at) { return ir::unary<math::TanhOp>(x, "tanh", at); }
Tile sigmoid(Operand x, At at) { return ir::ownUnary<tile::SigmoidOp>(x, "sigmoid", at); }
Tile erf(Operand x, At at) { return ir::unary<math::ErfOp>(x, "erf", at); }
Tile softplus(Operand x, At at) { return ir::ownUnary<tile::SoftplusOp>(x, "softplus", at); }
Tile sqrt(Operand x, At at) { return ir::unary<math::SqrtOp>(x, "sqrt", at, Floats::All); }
Tile rsqrt(Operand x, At at) { return ir::unary<math::RsqrtOp>(x, "rsqrt", at); }
Tile pow(Operand x, Operand y, At at) { return ir::binary<math::PowFOp>(x, y, "pow", at, Floats::All); }
Tile atan2(Operand y, Operand x, At at) { return ir::binary<math::Atan2Op>(y, x, "atan2", at, Floats::NoF64); }

Tile floor(Operand x, At at) { return ir::unary<math::FloorOp>(x, "floor", at, Floats::All); }
Tile ceil(Operand x, At at) { return ir::unary<math::CeilOp>(x, "ceil", at, Floats::All); }
Tile trunc(Operand x, At at) { return ir::unary<math::TruncOp>(x, "trunc", at, Floats::All); }
Tile round(Operand x, At at) { return ir::unary<math::RoundOp>(x, "round", at, Floats::All); }
Tile rint(Operand x, At at) { return ir::unary<math::RoundEvenOp>(x, "rint", at, Floats::All); }
Tile fmod(Operand x, Operand y, At at) { return ir::binary<arith::RemFOp>(x, y, "fmod", at, Floats::All); }
Tile copysign(Operand x, Operand y, At at) { return ir::binary<math::CopySignOp>(x, y, "copysign", at, Floats::All); }
Tile isnan(Operand x, At at) { return ir::property<math::IsNaNOp>(x, "isnan", at); }
Tile isinf(Operand x, At at) { return ir::property<math::IsInfOp>(x, "isinf", at); }
Tile isfinite(Operand x, At at) { return ir::property<math::IsFiniteOp>(x, "isfinite", at); }

Tile abs(Operand x, At at) {
  Recorder r(at);
  const Typed value = r.operand(x);
  const DType dtype = value.dtype;
  if (dtype.isUnsigned())
    return r.tile(value);
  if (dtype.isSigned())
    return r.tile({math::AbsIOp::create(r.builder(), r.loc, value.value), dtype});
  if (!dtype.isFloat() || ir::isView(value))
    r.fail("cannot take abs of {}; it takes integers and floats", ir::describe(value));
  const Typed wide = r.computeForm(value);
  return r.tile(r.convert({math::AbsFOp::create(r.builder(), r.loc, wide.value), wide.dtype}, dtype));
}

Tile ldexp(Operand x, Operand n, At at) {
  Recorder r(at);
  const Typed value = ir::floatArgument(r, x, "ldexp", Floats::All);
  Typed exponent = n.isLiteral() ? r.literal(n, i32) : r.operand(n);
  if (!exponent.dtype.isInt() || !detail::isLossless(exponent.dtype, i32))
    r.fail("cannot take ldexp with the exponent {}; it is an integer that fits i32; convert it with .to(i32)",
           ir::describe(exponent));
  exponent = r.convert(exponent, i32);
  const ir::Operands both = r.broadcastAll("take ldexp of", {r.computeForm(value), exponent});
  const Typed result{tile::LdexpOp::create(r.builder(), r.loc, both[0].value.getType(), both[0].value, both[1].value),
                     both[0].dtype};
  return r.tile(r.convert(result, value.dtype));
}

Tile ilogb(Operand x, At at) {
  Recorder r(at);
  const Typed wide = r.computeForm(ir::floatArgument(r, x, "ilogb", Floats::All));
  const auto type = tile::withElement(wide.value.getType(), r.builder().getI32Type());
  return r.tile({tile::ILogBOp::create(r.builder(), r.loc, type, wide.value), i32});
}

Tile umulhi(Operand a, Operand b, At at) {
  Recorder r(at);
  const ir::Operands values = r.promote("take umulhi of", {&a, &b});
  const DType dtype = values[0].dtype;
  if (!dtype.isUnsigned() || dtype.bits() < 32)
    r.fail("{}: it takes u32 or u64; convert with .to(u32)", ir::cannot("take umulhi of", values));
  return r.tile(
      {tile::UMulHiOp::create(r.builder(), r.loc, values[0].value.getType(), values[0].value, values[1].value), dtype});
}

Tile popcount(Operand x, At at) {
  Recorder r(at);
  const Typed value = ir::integerOperand(r, x, "popcount");
  return r.tile({math::CtPopOp::create(r.builder(), r.loc, value.value), value.dtype});
}

Tile clz(Operand x, At at) {
  Recorder r(at);
  const Typed value = ir::integerOperand(r, x, "clz");
  return r.tile({math::CountLeadingZerosOp::create(r.builder(), r.loc, value.value), value.dtype});
}

Tile fma(Operand a, Operand b, Operand c, At at) {
  Recorder r(at);
  const ir::Operands values = r.promote("take fma of", {&a, &b, &c});
  const DType dtype = values[0].dtype;
  if (!dtype.isFloat())
    r.fail("{}: it takes floats; write a * b + c for integers", ir::cannot("take fma of", values));
  const Typed x = r.computeForm(values[0]), y = r.computeForm(values[1]), z = r.computeForm(values[2]);
  return r.tile(r.convert({math::FmaOp::create(r.builder(), r.loc, x.value, y.value, z.value), x.dtype}, dtype));
}

/// Integers and i1 become f32.
static ir::FloatPair quotientOperands(Recorder &r, const Operand &a, const Operand &b) {
  ir::Operands values = r.promote("divide", {&a, &b});
  for (Typed &value : values)
    if (!value.dtype.isFloat())
      value = r.convert(value, f32);
  return {r.computeForm(values[0]), r.computeForm(values[1]), values[0].dtype};
}

Tile fdiv(Operand a, Operand b, At at) {
  Recorder r(at);
  const ir::FloatPair pair = quotientOperands(r, a, b);
  const ir::Value result = arith::DivFOp::create(r.builder(), r.loc, pair.a.value, pair.b.value);
  return r.tile(r.convert({result, pair.a.dtype}, pair.dtype));
}

Tile fast_div(Operand a, Operand b, At at) {
  Recorder r(at);
  const ir::FloatPair pair = quotientOperands(r, a, b);
  if (pair.dtype == f64)
    r.fail("cannot take fast_div of f64; it has no f64 form; write a / b");
  const ir::Value result = arith::DivFOp::create(r.builder(), r.loc, pair.a.value, pair.b.value,
                                                 arith::FastMathFlags::arcp | arith::FastMathFlags::afn);
  return r.tile(r.convert({result, pair.a.dtype}, pair.dtype));
}

Tile fast_sqrt(Operand x, At at) { return ir::fastUnary<math::SqrtOp>(x, "fast_sqrt", at); }
Tile fast_exp(Operand x, At at) { return ir::fastUnary<math::ExpOp>(x, "fast_exp", at); }
Tile fast_exp2(Operand x, At at) { return ir::fastUnary<math::Exp2Op>(x, "fast_exp2", at); }
Tile fast_log(Operand x, At at) { return ir::fastUnary<math::LogOp>(x, "fast_log", at); }
Tile fast_log2(Operand x, At at) { return ir::fastUnary<math::Log2Op>(x, "fast_log2", at); }
Tile fast_sin(Operand x, At at) { return ir::fastUnary<math::SinOp>(x, "fast_sin", at); }
Tile fast_cos(Operand x, At at) { return ir::fastUnary<math::CosOp>(x, "fast_cos", at); }
Tile fast_tanh(Operand x, At at) { return ir::fastUnary<math::TanhOp>(x, "fast_tanh", at); }

Tile maximum(Operand a, Operand b, MinMaxOptions options, At at) {
  Recorder r(at);
  return r.tile(ir::extreme(r, a, b, /*greater=*/true, options.nan));
}

Tile minimum(Operand a, Operand b, MinMaxOptions options, At at) {
  Recorder r(at);
  return r.tile(ir::extreme(r, a, b, /*greater=*/false, options.nan));
}

Tile clamp(Operand x, Operand lo, Operand hi, At at) {
  Recorder r(at);
  const ir::Operands values = r.promote("clamp", {&x, &lo, &hi});
  if (values[0].dtype.isBool())
    r.fail("{}: i1 takes only & | ^ ~; convert with .to(i32)", ir::cannot("clamp", values));
  const auto operand = [&](Typed value) { return Operand(r.tile(value), at); };
  const Typed raised = ir::extreme(r, operand(values[0]), operand(values[1]), /*greater=*/true, Nan::drop);
  return r.tile(ir::extreme(r, operand(raised), operand(values[2]), /*greater=*/false, Nan::drop));
}

} // namespace tessera
