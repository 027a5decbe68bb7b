//===- NativeMath.cpp - functions by instructions of the chip -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Within the bound of SEMANTICS A4: exp and exp2 through ex2.approx behind an exact range reduction. As far as it is
// told from that bound: exp beside 1 (RowFacts.h) through ex2.approx and a correction. Exactly: maximum and minimum,
// whose instructions have both rules for NaN and order the zeros. Approximately, where the user's `fast_…` set the flag
// `afn`: one or two instructions each, which flush denormals.
//
// All on f32, and maxima and minima on words of two f16; f64 stays with the portable definitions.
//
//===---------------------------------------------------------------------===//

#include "Analysis/Elementwise.h"
#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

#include "tessera-ir/Dialect/Layout/IR/RowFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::gpu {

namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

constexpr double kLog2E = 0x1.715476p0;      // rounded to f32
constexpr double kLog2ELow = 0x1.4ae0cp-26;  // log2 e - kLog2E, rounded to f32
constexpr double kLog2EAbove = 0x1.715478p0; // the next f32 above log2 e
constexpr double kLn2 = 0x1.62e43p-1;        // rounded to f32, which is above

/// Emits f32 instructions.
class Native {
public:
  explicit Native(Emitter &e) : e(e), m(e.math()) {}

  Value call(StringRef opcode, ValueRange operands) {
    return e.border().native("nv", opcode, e.builder().getF32Type(), operands, {border::Memory::None});
  }
  Value constant(double value, Value like) { return m.constF(value, like); }

  /// 2^(x * factor) for \p factor 1 or log2 e, \p factorLow its rest. With j the integer below x * factor, held between
  /// -126 and 126, it is 2^j * 2^(x * factor - j); the second power is in [1, 2) where j was not held, and runs to 0 or
  /// infinity where it was.
  Value power(Value x, double factor, double factorLow) {
    // x * factor + 126 as a part of 252, cut to what lies in [0, 252]; NaN becomes 0, and is met again in `rest`.
    const Value part = call("fma.rn.sat.f32", {x, constant(factor / 252, x), constant(0.5, x)});
    // The integer below it in the last places of a large number.
    constexpr double kMagic = 0x1.8p23;
    const Value shifted = call("fma.rm.f32", {part, constant(252, x), constant(kMagic + 1, x)});
    const Value j = m.sub(shifted, constant(kMagic + 1 + 126, x));
    Value rest = factor == 1 ? m.sub(x, j) : m.fma(x, constant(factor, x), m.neg(j));
    if (factorLow != 0)
      rest = m.fma(x, constant(factorLow, x), rest);
    // The last places hold j + 127, the exponent of 2^j.
    const Value scale = m.f32FromBits(m.shl(m.toBits(shifted), 23));
    return m.mul(call("ex2.approx.ftz.f32", {rest}), scale);
  }

  Value exp(Value x) { return power(x, kLog2E, kLog2ELow); }

  /// e^x of x that is at most 0 or NaN; below 2^-26 with an absolute error of 2^-49. The power t is rounded down from a
  /// product that is itself below x log2 e, so that what it lacks is not negative:
  ///
  ///   d = x - t ln 2,   2^t e^d = 2^t (1 + d)   but for d^2 / 2 < 2^-36
  ///
  /// Held between 0 and 1, d is 0 where x is -infinity, of which nothing comes but the zero that 2^t is. The constant
  /// for ln 2 is off by 2^-28.4 of itself, which makes 0.8 ULP at 2^-26, and less where results count for more.
  Value expBesideOne(Value x) {
    const Value t = call("fma.rm.f32", {x, constant(kLog2EAbove, x), constant(-0.0, x)});
    const Value d = call("fma.rn.sat.f32", {t, constant(-kLn2, x), x});
    const Value power = call("ex2.approx.ftz.f32", {t});
    return m.fma(power, d, power);
  }
  Value exp2(Value x) { return power(x, 1, 0); }

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
      .Case([&](math::ExpOp) { return n.call("ex2.approx.ftz.f32", {m.mul(x[0], m.constF(kLog2E, x[0]))}); })
      .Case([&](math::Exp2Op) { return n.call("ex2.approx.ftz.f32", x); })
      .Case([&](math::LogOp) { return m.mul(n.call("lg2.approx.ftz.f32", x), m.constF(kLn2, x[0])); })
      .Case([&](math::Log2Op) { return n.call("lg2.approx.ftz.f32", x); })
      .Case([&](math::SinOp) { return n.call("sin.approx.ftz.f32", x); })
      .Case([&](math::CosOp) { return n.call("cos.approx.ftz.f32", x); })
      .Case([&](math::TanhOp) { return n.call("tanh.approx.f32", x); })
      .Case([&](math::SqrtOp) { return n.call("sqrt.approx.ftz.f32", x); })
      .Case([&](math::RsqrtOp) { return n.call("rsqrt.approx.ftz.f32", x); })
      .Case([&](arith::DivFOp) { return n.call("div.full.ftz.f32", x); })
      .Default([](Operation *) { return Value(); });
}

/// Of two halves in each of two words.
static Value extremesOfHalves(Emitter &e, Operation &op, ValueRange words) {
  const StringRef opcode = llvm::TypeSwitch<Operation *, StringRef>(&op)
                               .Case([](tile::MaxNumOp) { return "max.f16x2"; })
                               .Case([](tile::MinNumOp) { return "min.f16x2"; })
                               .Case([](arith::MaximumFOp) { return "max.NaN.f16x2"; })
                               .Case([](arith::MinimumFOp) { return "min.NaN.f16x2"; })
                               .Default([](Operation *) { return ""; });
  return opcode.empty() ? Value() : e.border().native("nv", opcode, words[0].getType(), words, {border::Memory::None});
}

Value NvidiaHooks::exp2(Emitter &e, Value x) const { return Native(e).call("ex2.approx.ftz.f32", {x}); }

Value NvidiaHooks::compute(Emitter &e, Operation &op, ValueRange wide) const {
  if (llvm::all_of(wide, [](Value x) { return x.getType().isInteger(32); }))
    return extremesOfHalves(e, op, wide);
  if (!llvm::all_of(wide, [](Value x) { return x.getType().isF32(); }))
    return {};
  if (isApproximate(op))
    if (const Value result = approximate(e, op, wide))
      return result;
  Native n(e);
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case([&](math::ExpOp) { return op.hasAttr(layout::kBesideOne) ? n.expBesideOne(wide[0]) : n.exp(wide[0]); })
      .Case([&](math::Exp2Op) { return n.exp2(wide[0]); })
      .Case([&](tile::MaxNumOp) { return n.call("max.f32", wide); })
      .Case([&](tile::MinNumOp) { return n.call("min.f32", wide); })
      .Case([&](arith::MaximumFOp) { return n.call("max.NaN.f32", wide); })
      .Case([&](arith::MinimumFOp) { return n.call("min.NaN.f32", wide); })
      .Default([](Operation *) { return Value(); });
}

} // namespace tessera::ir::gpu
