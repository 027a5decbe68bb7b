//===- Elementwise.cpp - ops on elements ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementwise.h"

#include "Conversion/Common/CodeTypes.h"
#include "Conversion/Common/Elementary/Elementary.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace tessera::ir {

namespace arith = mlir::arith;
namespace math = mlir::math;

ElementwiseHooks::~ElementwiseHooks() = default;

Value ElementwiseHooks::compute(Operation &, ValueRange) { return {}; }

Value ElementwiseHooks::convert(MathBuilder &m, Value stored, Type from, Type to, const numbers::Narrowing &how) {
  return numbers::convertFloat(m, stored, from, to, how);
}

/// \p element in the shape of \p like, in code.
static Type shapedAs(Value like, Type element) {
  auto shaped = dyn_cast<mlir::ShapedType>(like.getType());
  return shaped ? Type(shaped.clone(element)) : element;
}

Value toBitsInCode(MathBuilder &m, Value code) {
  return isa<FloatType>(MathBuilder::elementOf(code)) ? m.toBits(code) : code;
}

Value fromBitsInCode(MathBuilder &m, Value bits, Type element) {
  const Type code = laneElement(element);
  return isa<FloatType>(code) ? m.fromBits(bits, cast<FloatType>(code)) : bits;
}

namespace {

/// Emits one op.
class ElementwiseOp {
public:
  ElementwiseOp(Operation &op, ValueRange operands, const ElementwiseCode &code)
      : op(op), operands(operands), code(code), b(code.builder), m(code.math) {}

  /// Empty if the op is not elementwise or has no form for its types.
  SmallVector<Value> emit() {
    if (auto philox = dyn_cast<tile::PhiloxOp>(op)) {
      const std::array<Value, 4> words =
          numbers::philox(m, {operands[0], operands[1]}, {operands[2], operands[3], operands[4], operands[5]},
                          static_cast<unsigned>(philox.getRounds()));
      return SmallVector<Value>(words.begin(), words.end());
    }
    if (Value result = emitSingle())
      return {result};
    return {};
  }

private:
  Value x() const { return operands[0]; }
  Value y() const { return operands[1]; }
  Type resultElement() const { return tile::elementOf(op.getResult(0).getType()); }
  Type operandElement() const { return tile::elementOf(op.getOperand(0).getType()); }
  Type resultType() const { return shapedAs(operands[0], laneElement(resultElement())); }

  Value emitSingle() {
    Value result = llvm::TypeSwitch<Operation *, Value>(&op)
                       .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
                             arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
                           [&](auto o) -> Value { return decltype(o)::create(b, code.location, x(), y()); })
                       .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
                           [&](auto o) -> Value { return decltype(o)::create(b, code.location, resultType(), x()); })
                       .Case([&](arith::CmpIOp o) -> Value {
                         return arith::CmpIOp::create(b, code.location, o.getPredicate(), x(), y());
                       })
                       .Case([&](arith::SelectOp) -> Value {
                         return arith::SelectOp::create(b, code.location, x(), y(), operands[2]);
                       })
                       .Default([](Operation *) { return Value(); });
    if (!result)
      result = emitInteger();
    if (!result)
      result = emitCast();
    if (!result)
      result = emitFloat();
    return result;
  }

  /// Integer arithmetic of `tile` and `math`.
  Value emitInteger() {
    const auto divide = [&](auto o, auto fn) -> Value {
      if (operandElement().isInteger(1)) // by 1, or unspecified
        return isa<tile::IDivOp>(op) ? x() : m.constI(0, x());
      return fn(m, x(), y(), numbers::Division{o.getRounding(), o.getIsUnsigned()});
    };
    return llvm::TypeSwitch<Operation *, Value>(&op)
        .Case([&](tile::IDivOp o) { return divide(o, numbers::quotient); })
        .Case([&](tile::IRemOp o) { return divide(o, numbers::remainder); })
        .Case([&](tile::ShlOp) { return numbers::shiftLeft(m, x(), y()); })
        .Case([&](tile::ShrOp o) { return numbers::shiftRight(m, x(), y(), o.getIsUnsigned()); })
        .Case([&](tile::UMulHiOp) { return operandElement().isInteger(1) ? m.constI(0, x()) : m.umulHigh(x(), y()); })
        .Case([&](math::AbsIOp) { return m.maxS(x(), m.subI(m.constI(0, x()), x())); })
        .Case([&](math::CountLeadingZerosOp) { return m.countLeadingZeros(x()); })
        .Case([&](math::CtPopOp) { return m.popCount(x()); })
        .Case([&](tile::AddPtrOp) { return addPointer(); })
        .Default([](Operation *) { return Value(); });
  }

  /// Address + offset * bytes.
  Value addPointer() {
    const Type pointee = cast<tile::PtrType>(resultElement()).getPointee();
    Value offset = y();
    if (mlir::getElementTypeOrSelf(offset.getType()).getIntOrFloatBitWidth() < 64)
      offset = m.signExtend(offset, 64);
    const int64_t bytes = storedBytes(pointee);
    if (bytes != 1)
      offset = m.mulI(offset, m.constI(bytes, offset));
    return m.addI(x(), offset);
  }

  Value emitCast() {
    return llvm::TypeSwitch<Operation *, Value>(&op)
        .Case<tile::HintOp, tile::PtrToIntOp, tile::IntToPtrOp, tile::PtrCastOp>([&](auto) { return x(); })
        .Case([&](tile::BitcastOp) { return fromBitsInCode(m, toBitsInCode(m, x()), resultElement()); })
        .Case<arith::SIToFPOp, arith::UIToFPOp>([&](auto o) {
          return numbers::intToFloat(m, x(), resultElement(), isa<arith::UIToFPOp>(o.getOperation()));
        })
        .Case([&](tile::FloatToIntOp o) {
          return numbers::floatToInt(m, x(), operandElement(), tile::bitsOf(resultElement()), o.getIsUnsigned());
        })
        .Case([&](tile::ConvertFloatOp o) {
          return code.hooks.convert(m, x(), operandElement(), resultElement(),
                                    {o.getRounding(), o.getSaturate(), operands.size() > 1 ? operands[1] : Value()});
        })
        .Default([](Operation *) { return Value(); });
  }

  // -- Floats -------------------------------------------------------------------------------------

  Value widened(unsigned operand) {
    const Type from = operandElement(), to = numbers::computeType(from);
    return from == to ? operands[operand] : code.hooks.convert(m, operands[operand], from, to, {});
  }
  Value rounded(Value computed) {
    const Type from = MathBuilder::elementOf(computed), to = resultElement();
    return from == to ? computed : code.hooks.convert(m, computed, from, to, {});
  }
  Value exact(Value computed) { return numbers::narrowExact(m, computed, resultElement()); }

  SmallVector<Value, 2> allWidened() {
    SmallVector<Value, 2> wide;
    for (unsigned i = 0; i != operands.size(); ++i)
      wide.push_back(widened(i));
    return wide;
  }
  /// By the target's own instructions; null if it has none.
  Value native() { return code.hooks.compute(op, allWidened()); }

  /// A maximum or minimum. Of an element and a constant it is one of the two, so that nothing needs to be rounded.
  Value extreme(Value (*general)(MathBuilder &, Value, Value)) {
    if (const Value computed = native())
      return exact(computed);
    llvm::APFloat bound(0.0);
    if (!mlir::matchPattern(op.getOperand(1), mlir::m_ConstantFloat(&bound)) || bound.isNaN())
      return exact(general(m, widened(0), widened(1)));
    const bool larger = isa<arith::MaximumFOp, tile::MaxNumOp>(op);
    // The larger of equal zeros is +0, the smaller -0.
    const bool boundWinsTies = bound.isZero() && bound.isNegative() != larger;
    const Value wide = widened(0), limit = widened(1);
    if (isa<arith::MaximumFOp, arith::MinimumFOp>(op)) { // a NaN stays
      const Value beyond = larger ? (boundWinsTies ? m.le(wide, limit) : m.lt(wide, limit))
                                  : (boundWinsTies ? m.ge(wide, limit) : m.gt(wide, limit));
      return m.select(beyond, y(), x());
    }
    const Value inside = larger ? (boundWinsTies ? m.gt(wide, limit) : m.ge(wide, limit))
                                : (boundWinsTies ? m.lt(wide, limit) : m.le(wide, limit));
    return m.select(inside, x(), y());
  }

  /// A sum or product of the user's, which may be contracted.
  template <typename Op> Value contractible() {
    const auto flags = code.fpContract ? arith::FastMathFlags::contract : arith::FastMathFlags::none;
    const bool isWide = operandElement().getIntOrFloatBitWidth() >= 32;
    return rounded(Op::create(b, code.location, widened(0), widened(1), isWide ? flags : arith::FastMathFlags::none));
  }

  Value emitFloat() {
    const Type element = op.getNumOperands() ? operandElement() : Type();
    if (!isa_and_nonnull<FloatType>(element))
      return {};
    if (elementary::isElementary(&op)) {
      Value computed = native();
      if (!computed)
        computed = elementary::expand(m, &op, allWidened());
      return computed ? rounded(computed) : computed;
    }
    return llvm::TypeSwitch<Operation *, Value>(&op)
        .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp>([&](auto o) { return contractible<decltype(o)>(); })
        .Case([&](arith::DivFOp) {
          const Value computed = native();
          return rounded(computed ? computed : m.div(widened(0), widened(1)));
        })
        .Case([&](arith::RemFOp) { return rounded(numbers::floatRemainder(m, widened(0), widened(1))); })
        .Case([&](arith::MaximumFOp) { return extreme(numbers::maximum); })
        .Case([&](arith::MinimumFOp) { return extreme(numbers::minimum); })
        .Case([&](tile::MaxNumOp) { return extreme(numbers::maxNum); })
        .Case([&](tile::MinNumOp) { return extreme(numbers::minNum); })
        .Case([&](math::FmaOp) { return numbers::fusedMultiplyAdd(m, x(), y(), operands[2], element); })
        .Case([&](math::SqrtOp) {
          const Value computed = native();
          return rounded(computed ? computed : m.sqrt(widened(0)));
        })
        .Case([&](math::FloorOp) { return exact(m.floor(widened(0))); })
        .Case([&](math::CeilOp) { return exact(m.ceil(widened(0))); })
        .Case([&](math::TruncOp) { return exact(m.trunc(widened(0))); })
        .Case([&](math::RoundEvenOp) { return exact(m.roundEven(widened(0))); })
        .Case([&](math::RoundOp) { return exact(roundAway(widened(0))); })
        .Case([&](arith::NegFOp) { return signBits([&](Value bits, Value sign) { return m.xorI(bits, sign); }); })
        .Case(
            [&](math::AbsFOp) { return signBits([&](Value bits, Value sign) { return m.andI(bits, m.notI(sign)); }); })
        .Case([&](math::CopySignOp) {
          return signBits([&](Value bits, Value sign) {
            return m.orI(m.andI(bits, m.notI(sign)), m.andI(toBitsInCode(m, y()), sign));
          });
        })
        .Case([&](math::IsNaNOp) { return m.isNaN(widened(0)); })
        .Case([&](math::IsInfOp) {
          const Value wide = widened(0);
          return m.eq(m.abs(wide), m.constF(INFINITY, wide));
        })
        .Case([&](math::IsFiniteOp) {
          const Value wide = widened(0);
          return m.lt(m.abs(wide), m.constF(INFINITY, wide));
        })
        .Case([&](arith::CmpFOp o) -> Value {
          return arith::CmpFOp::create(b, code.location, o.getPredicate(), widened(0), widened(1));
        })
        .Case([&](tile::LdexpOp) { return numbers::ldexp(m, x(), y(), element); })
        .Case([&](tile::ILogBOp) { return numbers::ilogb(m, x(), element); })
        .Default([](Operation *) { return Value(); });
  }

  /// To the nearest integer, halves away from zero. What is added is just below a half, so that the sum rounds up to an
  /// integer only from a half on.
  Value roundAway(Value wide) {
    const double half = MathBuilder::isF64(wide) ? std::nextafter(0.5, 0.0) : std::nextafter(0.5f, 0.0f);
    const Value sign = m.andI(m.toBits(wide), signBit(wide));
    const Value signedHalf = m.orI(m.toBits(m.constF(half, wide)), sign);
    return m.trunc(m.add(wide, m.fromBits(signedHalf, cast<FloatType>(MathBuilder::elementOf(wide)))));
  }

  Value signBit(Value like) {
    const unsigned width = MathBuilder::bitsOf(like);
    return m.constI(static_cast<int64_t>(uint64_t(1) << (width - 1)), width, like);
  }

  Value signBits(function_ref<Value(Value, Value)> change) {
    return fromBitsInCode(m, change(toBitsInCode(m, x()), signBit(x())), operandElement());
  }

  Operation &op;
  ValueRange operands;
  const ElementwiseCode &code;
  OpBuilder &b;
  VectorMathBuilder &m;
};

} // namespace

SmallVector<Value> elementwise(Operation &op, ValueRange operands, const ElementwiseCode &code) {
  return ElementwiseOp(op, operands, code).emit();
}

} // namespace tessera::ir
