//===- Exponential.cpp - many exponentials at a time ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Half of what exp takes is for results that are denormal or 0, and for the error of the chip's 2^t, which is smaller
// where t is a fraction. Parts of sums (RowFacts.h) can do without both. Of a few of them at a time, a thread that
// meets no tiny one asks for the whole power:
//
//   exp x = 2^t + 2^t (x - t ln 2)   with t = x log2 e, rounded
//
// What t lacks is below |x| 2^-23, so that the square of the bracket, which is left out, is below 2^-33. The bracket is
// exact but for 2^-20 of itself: ln 2 is taken in two parts. The result has the instruction's error and one rounding
// more. A NaN among the elements passes through all of this.
//
// Over all arguments, sm_90's ex2.approx makes that -2.54 to 1.39 ULP. So a quotient of such a part and such a sum is
// off by less than 3.93 ULP and what adding and dividing round, where exponentials of at most 2 ULP (SEMANTICS A4)
// would allow 4.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"

#include "tessera-ir/Dialect/Layout/IR/RowFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

namespace tessera::ir::gpu {

namespace arith = mlir::arith;

/// How many elements share a test: each costs a branch, and all of them stay in registers until then.
static constexpr std::size_t kTestedTogether = 8;
/// How many must share one for it to be worth it.
static constexpr std::size_t kLeastTested = 4;
/// Of this the power is still a normal number.
static constexpr double kLeast = -87;

static constexpr double kLog2E = 0x1.715476p0;     // rounded to f32
static constexpr double kLn2 = 0x1.62e43p-1;       // rounded to f32, which is above
static constexpr double kLn2Rest = -0x1.05c61p-29; // ln 2 - kLn2, rounded to f32

namespace {

/// Emits the exponentials of one tile.
class Exponentials {
public:
  Exponentials(Operation &op, Emitter &e) : op(op), e(e), m(e.math()) {}

  SmallVector<Value> emit(ArrayRef<Value> xs) {
    SmallVector<Value> results;
    for (; !xs.empty(); xs = xs.drop_front(std::min(kTestedTogether, xs.size())))
      results.append(emitSome(xs.take_front(kTestedTogether)));
    return results;
  }

private:
  SmallVector<Value> emitSome(ArrayRef<Value> xs) {
    Value least = xs[0];
    for (Value x : xs.drop_front())
      least = arith::MinNumFOp::create(e.builder(), e.loc(), least, x);
    return e.ifElse(
        m.ge(least, m.constF(kLeast, least)), SmallVector<Type>(xs.size(), e.builder().getF32Type()),
        [&] { return llvm::map_to_vector(xs, [&](Value x) { return exp(x); }); },
        [&] {
          SmallVector<Value> results;
          for (Value x : xs)
            results.append(e.emitElementwise(op, {x}));
          return results;
        });
  }

  Value exp(Value x) {
    const Value t = m.mul(x, m.constF(kLog2E, x)), minusT = m.neg(t), power = e.hooks().exp2(e, t);
    const Value rest = m.fma(minusT, m.constF(kLn2Rest, x), m.fma(minusT, m.constF(kLn2, x), x));
    return m.fma(power, rest, power);
  }

  Operation &op;
  Emitter &e;
  VectorMathBuilder &m;
};

} // namespace

bool emitExponentials(Operation &op, Emitter &e) {
  if (!op.hasAttr(layout::kSeenAsParts) || !e.hooks().hasExp2())
    return false;
  const SmallVector<Value> arguments = e.registers(op.getOperand(0));
  if (arguments.size() < kLeastTested)
    return false;
  e.setRegisters(op.getResult(0), Exponentials(op, e).emit(arguments));
  return true;
}

} // namespace tessera::ir::gpu
