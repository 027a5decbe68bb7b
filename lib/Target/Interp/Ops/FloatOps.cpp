//===- FloatOps.cpp - float arithmetic and elementary functions -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Arithmetic, square root and the exact functions work in the compute type, f32 or f64, whose results are correctly
// rounded. Elementary functions work in double through the C library, which rounds an f32 result right but for cases
// within its own error of a tie. `fastmath` flags permit looser results and change nothing here.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"
#include "Target/Interp/Ops/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

// One struct per function; `a` and `b` are float or double.
#define TESSERA_UNARY(NAME, EXPRESSION)                                                                                \
  struct NAME {                                                                                                        \
    template <class F> static F apply(F a) { return EXPRESSION; }                                                      \
  }
#define TESSERA_BINARY(NAME, EXPRESSION)                                                                               \
  struct NAME {                                                                                                        \
    template <class F> static F apply(F a, F b) { return EXPRESSION; }                                                 \
  }
#define TESSERA_TEST(NAME, EXPRESSION)                                                                                 \
  struct NAME {                                                                                                        \
    template <class F> static bool apply(F a) { return EXPRESSION; }                                                   \
  }
#define TESSERA_COMPARE(NAME, EXPRESSION)                                                                              \
  struct NAME {                                                                                                        \
    template <class F> static bool apply(F a, F b) { return EXPRESSION; }                                              \
  }

TESSERA_BINARY(Add, a + b);
TESSERA_BINARY(Sub, a - b);
TESSERA_BINARY(Mul, a *b);
TESSERA_BINARY(Div, a / b);
TESSERA_BINARY(Rem, std::fmod(a, b));
TESSERA_BINARY(MaxNum, maximumNumber(a, b));
TESSERA_BINARY(MinNum, minimumNumber(a, b));
TESSERA_BINARY(Maximum, maximumPropagate(a, b));
TESSERA_BINARY(Minimum, minimumPropagate(a, b));
TESSERA_BINARY(CopySign, std::copysign(a, b));
TESSERA_BINARY(Pow, std::pow(a, b));
TESSERA_BINARY(Atan2, std::atan2(a, b));

TESSERA_UNARY(Neg, -a);
TESSERA_UNARY(Abs, std::fabs(a));
TESSERA_UNARY(Floor, std::floor(a));
TESSERA_UNARY(Ceil, std::ceil(a));
TESSERA_UNARY(Trunc, std::trunc(a));
TESSERA_UNARY(Round, std::round(a));
TESSERA_UNARY(RoundEven, std::nearbyint(a));
TESSERA_UNARY(Sqrt, std::sqrt(a));

TESSERA_UNARY(Rsqrt, 1.0 / std::sqrt(a));
TESSERA_UNARY(Exp, std::exp(a));
TESSERA_UNARY(Exp2, std::exp2(a));
TESSERA_UNARY(Expm1, std::expm1(a));
TESSERA_UNARY(Log, std::log(a));
TESSERA_UNARY(Log2, std::log2(a));
TESSERA_UNARY(Log10, std::log10(a));
TESSERA_UNARY(Log1p, std::log1p(a));
TESSERA_UNARY(Sin, std::sin(a));
TESSERA_UNARY(Cos, std::cos(a));
TESSERA_UNARY(Tan, std::tan(a));
TESSERA_UNARY(Tanh, std::tanh(a));
TESSERA_UNARY(Erf, std::erf(a));

/// 1 / (1 + exp(-x)) without an infinity in between.
struct Sigmoid {
  static double apply(double a) {
    const double e = std::exp(-std::fabs(a));
    return a < 0 ? e / (1 + e) : 1 / (1 + e);
  }
};
/// log(1 + exp(x)) that neither overflows nor loses small results.
struct Softplus {
  static double apply(double a) {
    if (a != a)
      return a;
    return (a > 0 ? a : 0) + std::log1p(std::exp(-std::fabs(a)));
  }
};

TESSERA_TEST(IsNan, a != a);
TESSERA_TEST(IsInf, std::isinf(a));
TESSERA_TEST(IsFinite, std::isfinite(a));

TESSERA_COMPARE(OEq, a == b);
TESSERA_COMPARE(OGt, a > b);
TESSERA_COMPARE(OGe, a >= b);
TESSERA_COMPARE(OLt, a < b);
TESSERA_COMPARE(OLe, a <= b);
TESSERA_COMPARE(ONe, a<b || a> b);
TESSERA_COMPARE(Ordered, a == a && b == b);
TESSERA_COMPARE(UEq, !(a < b || a > b));
TESSERA_COMPARE(UGt, !(a <= b));
TESSERA_COMPARE(UGe, !(a < b));
TESSERA_COMPARE(ULt, !(a >= b));
TESSERA_COMPARE(ULe, !(a > b));
TESSERA_COMPARE(UNe, !(a == b));
TESSERA_COMPARE(Unordered, a != a || b != b);
TESSERA_COMPARE(Never, (void(a), void(b), false));
TESSERA_COMPARE(Always, (void(a), void(b), true));

#undef TESSERA_UNARY
#undef TESSERA_BINARY
#undef TESSERA_TEST
#undef TESSERA_COMPARE

LogicalResult emitChecked(Operation &op, Builder &b, ExecFn exec) {
  if (!exec)
    return b.refuse(op, "does not work on this element type");
  b.emit(op, exec);
  return success();
}

Elem operandElem(Operation &op) { return *elemOf(op.getOperand(0).getType()); }

/// Lowers an operation whose loop is \p pick of its first operand's element.
template <ExecFn (*pick)(Elem)> LogicalResult lowerBy(Operation &op, Builder &b) {
  return emitChecked(op, b, pick(operandElem(op)));
}

LogicalResult lowerCompare(Operation &op, Builder &b) {
  const Elem e = operandElem(op);
  const auto pick = [&]() -> ExecFn {
    switch (cast<arith::CmpFOp>(op).getPredicate()) {
    case arith::CmpFPredicate::AlwaysFalse:
      return floatCompare<AsFloat, Never>(e);
    case arith::CmpFPredicate::OEQ:
      return floatCompare<AsFloat, OEq>(e);
    case arith::CmpFPredicate::OGT:
      return floatCompare<AsFloat, OGt>(e);
    case arith::CmpFPredicate::OGE:
      return floatCompare<AsFloat, OGe>(e);
    case arith::CmpFPredicate::OLT:
      return floatCompare<AsFloat, OLt>(e);
    case arith::CmpFPredicate::OLE:
      return floatCompare<AsFloat, OLe>(e);
    case arith::CmpFPredicate::ONE:
      return floatCompare<AsFloat, ONe>(e);
    case arith::CmpFPredicate::ORD:
      return floatCompare<AsFloat, Ordered>(e);
    case arith::CmpFPredicate::UEQ:
      return floatCompare<AsFloat, UEq>(e);
    case arith::CmpFPredicate::UGT:
      return floatCompare<AsFloat, UGt>(e);
    case arith::CmpFPredicate::UGE:
      return floatCompare<AsFloat, UGe>(e);
    case arith::CmpFPredicate::ULT:
      return floatCompare<AsFloat, ULt>(e);
    case arith::CmpFPredicate::ULE:
      return floatCompare<AsFloat, ULe>(e);
    case arith::CmpFPredicate::UNE:
      return floatCompare<AsFloat, UNe>(e);
    case arith::CmpFPredicate::UNO:
      return floatCompare<AsFloat, Unordered>(e);
    case arith::CmpFPredicate::AlwaysTrue:
      return floatCompare<AsFloat, Always>(e);
    }
    return nullptr;
  };
  return emitChecked(op, b, pick());
}

template <class T> void fmaLoop(const Inst &inst, Frame &frame) {
  const T *x = frame.in<T>(inst, 0), *y = frame.in<T>(inst, 1), *z = frame.in<T>(inst, 2);
  T *r = frame.out<T>(inst);
  for (std::uint32_t i = 0; i != inst.n; ++i)
    r[i] = fusedMultiplyAdd(x[i], y[i], z[i]);
}

template <class T> void ldexpLoop(const Inst &inst, Frame &frame) {
  const T *x = frame.in<T>(inst, 0);
  const std::int32_t *e = frame.in<std::int32_t>(inst, 1);
  T *r = frame.out<T>(inst);
  for (std::uint32_t i = 0; i != inst.n; ++i) {
    // Where double itself would round a tiny result, every narrower type has long reached zero.
    r[i] = fromDouble<T>(std::ldexp(toDouble(x[i]), e[i]));
  }
}

template <class T> void ilogbLoop(const Inst &inst, Frame &frame) {
  const T *x = frame.in<T>(inst, 0);
  std::int32_t *r = frame.out<std::int32_t>(inst);
  for (std::uint32_t i = 0; i != inst.n; ++i) {
    const double v = toDouble(x[i]);
    r[i] = v == 0              ? std::numeric_limits<std::int32_t>::min()
           : !std::isfinite(v) ? std::numeric_limits<std::int32_t>::max()
                               : std::ilogb(v);
  }
}

ExecFn pickFma(Elem e) {
  return dispatchFloat<ExecFn>(e, []<class T>() -> ExecFn { return fmaLoop<T>; });
}
ExecFn pickLdexp(Elem e) {
  return dispatchFloat<ExecFn>(e, []<class T>() -> ExecFn { return ldexpLoop<T>; });
}
ExecFn pickIlogb(Elem e) {
  return dispatchFloat<ExecFn>(e, []<class T>() -> ExecFn { return ilogbLoop<T>; });
}

} // namespace

void registerFloatOps(OpTable &table) {
  table.add("arith.addf", lowerBy<floatBinary<AsFloat, Add>>);
  table.add("arith.subf", lowerBy<floatBinary<AsFloat, Sub>>);
  table.add("arith.mulf", lowerBy<floatBinary<AsFloat, Mul>>);
  table.add("arith.divf", lowerBy<floatBinary<AsFloat, Div>>);
  table.add("arith.remf", lowerBy<floatBinary<AsFloat, Rem>>);
  table.add("arith.negf", lowerBy<floatUnary<AsFloat, Neg>>);
  table.add("arith.maximumf", lowerBy<floatBinary<AsFloat, Maximum>>);
  table.add("arith.minimumf", lowerBy<floatBinary<AsFloat, Minimum>>);
  table.add("arith.maxnumf", lowerBy<floatBinary<AsFloat, MaxNum>>);
  table.add("arith.minnumf", lowerBy<floatBinary<AsFloat, MinNum>>);
  table.add("tile.maxnum", lowerBy<floatBinary<AsFloat, MaxNum>>);
  table.add("tile.minnum", lowerBy<floatBinary<AsFloat, MinNum>>);
  table.add("arith.cmpf", lowerCompare);

  table.add("math.absf", lowerBy<floatUnary<AsFloat, Abs>>);
  table.add("math.floor", lowerBy<floatUnary<AsFloat, Floor>>);
  table.add("math.ceil", lowerBy<floatUnary<AsFloat, Ceil>>);
  table.add("math.trunc", lowerBy<floatUnary<AsFloat, Trunc>>);
  table.add("math.round", lowerBy<floatUnary<AsFloat, Round>>);
  table.add("math.roundeven", lowerBy<floatUnary<AsFloat, RoundEven>>);
  table.add("math.sqrt", lowerBy<floatUnary<AsFloat, Sqrt>>);
  table.add("math.copysign", lowerBy<floatBinary<AsFloat, CopySign>>);
  table.add("math.isnan", lowerBy<floatTest<AsFloat, IsNan>>);
  table.add("math.isinf", lowerBy<floatTest<AsFloat, IsInf>>);
  table.add("math.isfinite", lowerBy<floatTest<AsFloat, IsFinite>>);
  table.add("math.fma", lowerBy<pickFma>);

  table.add("math.rsqrt", lowerBy<floatUnary<AsDouble, Rsqrt>>);
  table.add("math.exp", lowerBy<floatUnary<AsDouble, Exp>>);
  table.add("math.exp2", lowerBy<floatUnary<AsDouble, Exp2>>);
  table.add("math.expm1", lowerBy<floatUnary<AsDouble, Expm1>>);
  table.add("math.log", lowerBy<floatUnary<AsDouble, Log>>);
  table.add("math.log2", lowerBy<floatUnary<AsDouble, Log2>>);
  table.add("math.log10", lowerBy<floatUnary<AsDouble, Log10>>);
  table.add("math.log1p", lowerBy<floatUnary<AsDouble, Log1p>>);
  table.add("math.sin", lowerBy<floatUnary<AsDouble, Sin>>);
  table.add("math.cos", lowerBy<floatUnary<AsDouble, Cos>>);
  table.add("math.tan", lowerBy<floatUnary<AsDouble, Tan>>);
  table.add("math.tanh", lowerBy<floatUnary<AsDouble, Tanh>>);
  table.add("math.erf", lowerBy<floatUnary<AsDouble, Erf>>);
  table.add("math.powf", lowerBy<floatBinary<AsDouble, Pow>>);
  table.add("math.atan2", lowerBy<floatBinary<AsDouble, Atan2>>);
  table.add("tile.sigmoid", lowerBy<floatUnary<AsDouble, Sigmoid>>);
  table.add("tile.softplus", lowerBy<floatUnary<AsDouble, Softplus>>);
  table.add("tile.ldexp", lowerBy<pickLdexp>);
  table.add("tile.ilogb", lowerBy<pickIlogb>);
}

} // namespace tessera::ir::interp
