//===- NativeMath.cpp - functions by instructions of the chip -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The chips have 2^x, log2 x and 1/sqrt(x) of f32 with an error of at most 1 ULP, which take denormals for zeros and
// give zeros for them. Behind an exact scaling or reduction they keep the bound of SEMANTICS A4, with
//
//   exp     1.4 ULP      exp2    1 ULP      log     1.9 ULP      log2    1.5 ULP      rsqrt    1 ULP
//
// and, as far as it is told from that bound, exp beside 1 (RowFacts.h). Exactly: maximum and minimum, whose
// instructions have both rules for NaN and order the zeros. Quotients and square roots are left to LLVM, which corrects
// the chips' approximations to correct rounding. Approximately, where the user's `fast_...` set the flag `afn`: few
// instructions each, which flush denormals.
//
// All on f32, and maxima and minima on f64 and words of two f16, too; other f64 stays with the portable definitions.
//
//===---------------------------------------------------------------------===//

#include "Analysis/Elementwise.h"
#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToROCDL/AmdHooks.h"

#include "tessera-ir/Dialect/Layout/IR/RowFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace tessera::ir::gpu {

namespace LLVM = mlir::LLVM;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

constexpr double kLog2E = 0x1.715476p0;      // rounded to f32
constexpr double kLog2ELow = 0x1.4ae0cp-26;  // log2 e - kLog2E, rounded to f32
constexpr double kLog2EAbove = 0x1.715478p0; // the next f32 above log2 e
constexpr double kLn2 = 0x1.62e43p-1;        // rounded to f32, which is above
constexpr double kLn2Below = 0x1.62e42ep-1;  // the next f32 below ln 2
constexpr double kLn2Rest = 0x1.efa39ep-25;  // ln 2 - kLn2Below, rounded to f32: positive, so that infinities add
constexpr double kSmallestNormal = 0x1p-126;
constexpr double kInverse2Pi = 0x1.45f306p-3; // rounded to f32

/// Emits f32 instructions.
class Native {
public:
  explicit Native(Emitter &e) : e(e), m(e.math()) {}

  Value call(StringRef name, ValueRange operands) {
    return e.border().native("amd", name, e.builder().getF32Type(), operands, {border::Memory::None});
  }
  Value constant(double value, Value like) { return m.constF(value, like); }
  /// \p x held between \p low and \p high; of NaN some number.
  Value held(Value x, double low, double high) { return call("fmed3", {x, constant(low, x), constant(high, x)}); }

  /// 2^(x * factor) for \p factor 1 or log2 e, \p factorLow its rest. With j the integer next to x * factor, held where
  /// results have long become 0 or infinity, it is 2^j * 2^(x * factor - j). The second power is next to 1 where j was
  /// not held; elsewhere it is 0 or infinity itself, and NaN is met again there.
  Value power(Value x, double factor, double factorLow) {
    const Value scaled = factor == 1 ? x : m.mul(x, constant(factor, x));
    const Value j = m.roundEven(held(scaled, -200, 200));
    Value rest = factor == 1 ? m.sub(x, j) : m.fma(x, constant(factor, x), m.neg(j));
    if (factorLow != 0)
      rest = m.fma(x, constant(factorLow, x), rest);
    return LLVM::LoadExpOp::create(e.builder(), e.loc(), x.getType(), call("exp2", {rest}), m.toSigned(j, 32));
  }
  Value exp(Value x) { return power(x, kLog2E, kLog2ELow); }
  Value exp2(Value x) { return power(x, 1, 0); }

  /// e^x of x that is at most 0 or NaN; below 2^-26 with an absolute error of 2^-49. The constant lies so far above
  /// log2 e that the power t is not above x log2 e, however the product is rounded:
  ///
  ///   d = x - t ln 2,   2^t e^d = 2^t (1 + d)   but for d^2 / 2 < 2^-36
  ///
  /// Held between 0 and 1, d is 0 where x is -infinity or NaN, of which come the zero and the NaN that 2^t is. The
  /// constant for ln 2 is off by 2^-28.4 of itself, which makes 0.8 ULP at 2^-26, and less where results count for
  /// more.
  Value expBesideOne(Value x) {
    const Value t = m.mul(x, constant(kLog2EAbove, x));
    const Value d = held(m.fma(t, constant(-kLn2, x), x), 0, 1);
    const Value power = call("exp2", {t});
    return m.fma(power, d, power);
  }

  /// x * 2^scale where x is denormal (or at most 0), and \p isTiny, which says so.
  Value scaleTiny(Value x, int scale, Value &isTiny) {
    isTiny = m.lt(x, constant(kSmallestNormal, x));
    return m.select(isTiny, m.mul(x, constant(std::ldexp(1.0, scale), x)), x);
  }
  Value log2(Value x) {
    Value isTiny;
    const Value y = call("log", {scaleTiny(x, 32, isTiny)});
    return m.add(y, m.select(isTiny, constant(-32, x), constant(0, x)));
  }
  /// log2 x times ln 2, rounded once but for the scaling's part, which counts for an eighth of an ULP.
  Value log(Value x) {
    Value isTiny;
    const Value y = call("log", {scaleTiny(x, 32, isTiny)});
    const Value offset = m.select(isTiny, constant(-0x1.62e43p4, x), constant(0, x)); // -32 ln 2
    return m.fma(y, constant(kLn2Below, x), m.fma(y, constant(kLn2Rest, x), offset));
  }
  Value rsqrt(Value x) {
    Value isTiny;
    const Value y = call("rsq", {scaleTiny(x, 24, isTiny)});
    return m.mul(y, m.select(isTiny, constant(0x1p12, x), constant(1, x)));
  }

  /// The chip takes its angles in turns, and few of them.
  Value ofTurns(StringRef name, Value x) { return call(name, {call("fract", {m.mul(x, constant(kInverse2Pi, x))})}); }

private:
  Emitter &e;
  VectorMathBuilder &m;
};

} // namespace

/// The approximate form of \p op; null if it has none.
static Value approximate(Emitter &e, Operation &op, ValueRange x) {
  Native n(e);
  VectorMathBuilder &m = e.math();
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case([&](math::ExpOp) { return n.call("exp2", {m.mul(x[0], m.constF(kLog2E, x[0]))}); })
      .Case([&](math::Exp2Op) { return n.call("exp2", x); })
      .Case([&](math::LogOp) { return m.mul(n.call("log", x), m.constF(kLn2, x[0])); })
      .Case([&](math::Log2Op) { return n.call("log", x); })
      .Case([&](math::SinOp) { return n.ofTurns("sin", x[0]); })
      .Case([&](math::CosOp) { return n.ofTurns("cos", x[0]); })
      .Case([&](math::SqrtOp) { return n.call("sqrt", x); })
      .Case([&](math::RsqrtOp) { return n.call("rsq", x); })
      .Case([&](arith::DivFOp) { return n.call("fdiv.fast", x); })
      .Default([](Operation *) { return Value(); });
}

/// The name of LLVM's function for a maximum or minimum, which the chips have as an instruction; empty for another op.
static StringRef extremeOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case([](tile::MaxNumOp) { return "llvm.maximumnum"; })
      .Case([](tile::MinNumOp) { return "llvm.minimumnum"; })
      .Case([](arith::MaximumFOp) { return "llvm.maximum"; })
      .Case([](arith::MinimumFOp) { return "llvm.minimum"; })
      .Default([](Operation *) { return ""; });
}

static Value callExtreme(Emitter &e, StringRef name, ValueRange x) {
  return LLVM::CallIntrinsicOp::create(e.builder(), e.loc(), x[0].getType(), e.builder().getStringAttr(name), x)
      ->getResult(0);
}

/// Of two halves in each of two words.
static Value extremeOfHalves(Emitter &e, StringRef name, ValueRange words) {
  const auto halves = mlir::VectorType::get(2, e.builder().getF16Type());
  const auto cast = [&](Value x, Type type) -> Value { return LLVM::BitcastOp::create(e.builder(), e.loc(), type, x); };
  return cast(callExtreme(e, name, {cast(words[0], halves), cast(words[1], halves)}), words[0].getType());
}

Value AmdHooks::exp2(Emitter &e, Value x) const { return Native(e).call("exp2", {x}); }

Value AmdHooks::compute(Emitter &e, Operation &op, ValueRange wide) const {
  const bool isOnHalves = wide[0].getType().isInteger(32);
  if (const StringRef extreme = extremeOf(op); !extreme.empty())
    return isOnHalves ? extremeOfHalves(e, extreme, wide) : callExtreme(e, extreme, wide);
  if (!llvm::all_of(wide, [](Value x) { return x.getType().isF32(); }))
    return {};
  if (isApproximate(op))
    if (const Value result = approximate(e, op, wide))
      return result;
  Native n(e);
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case([&](math::ExpOp) { return op.hasAttr(layout::kBesideOne) ? n.expBesideOne(wide[0]) : n.exp(wide[0]); })
      .Case([&](math::Exp2Op) { return n.exp2(wide[0]); })
      .Case([&](math::LogOp) { return n.log(wide[0]); })
      .Case([&](math::Log2Op) { return n.log2(wide[0]); })
      .Case([&](math::RsqrtOp) { return n.rsqrt(wide[0]); })
      .Default([](Operation *) { return Value(); });
}

} // namespace tessera::ir::gpu
