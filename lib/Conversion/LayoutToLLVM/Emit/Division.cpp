//===- Division.cpp - many elements divided by one ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where registers of a tile share their divisor s, as rows do that are divided by their sums, the reciprocal r = 1 / s,
// correctly rounded, is computed once, and each quotient takes a product and a correction:
//
//   q0 = x r,   q1 = q0 - (q0 s - x) r,   each step an fma
//
// The residual in brackets is exact but for what counts 2^-24 in the last place of q1, since nothing here is so small
// that it loses bits. So what is rounded to q1 is x / s but for 2^-23 units in the last place, and q1 is right unless x
// / s lies that close to the middle of two numbers. Such quotients of 24 bits by 24 bits can be counted: up to powers
// of two there are 1.4e8 within six times that distance, and q1 is right for every one of them (DivisionTest walks
// through some). This needs 2^-20 <= s <= 2^20, and x that is 0 or at least 2^-100; signs of zeros are right because s
// is positive. An x that is too large, infinite or NaN makes q1 a NaN. Of a few elements at a time, a thread that meets
// anything else divides each by itself.
//
// Quotients of which nothing is used but their rounding to f16 may be of any small x: they become zeros of its sign.
//
// Parts of a sum (RowFacts.h) are not too large, and where the sum is NaN so are they; what is left to test is that x
// is not tiny. The least of a few elements mostly is not; where it is, it may be 0. Of those that are rounded to f16
// nothing is tested, and they are
//
//   q = x r + x l   with l = (1 - s r) / s,   the second product rounded, and the sum
//
// since that is x / s but for 2^-24 units in the last place. Of the quotients above, 1.1e5 are so close to the middle
// of two numbers that q is the wrong one, but it has the same nearest f16 (DivisionTest).
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"

#include "tessera-ir/Dialect/Layout/IR/RowFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"

#include <algorithm>

namespace tessera::ir::gpu {

namespace arith = mlir::arith;

/// How many quotients a reciprocal must serve to be worth it.
static constexpr std::size_t kLeastShared = 4;
/// How many quotients share a test: each costs a branch, and all their operands stay in registers until then.
static constexpr std::size_t kTestedTogether = 8;
/// From here on dividends lose no bits.
static constexpr double kTiny = 0x1p-100;

/// Whether the elements of \p tile are used for nothing but their f16: the nearest, or also the next toward zero.
static bool isOnlyF16(Value tile, bool onlyNearest = false) {
  return !tile.use_empty() && llvm::all_of(tile.getUsers(), [&](Operation *user) {
    auto convert = dyn_cast<tile::ConvertFloatOp>(user);
    return convert && tile::elementOf(convert.getType()).isF16() &&
           (onlyNearest ? convert.getRounding() == tile::FloatRounding::Nearest
                        : convert.getRounding() != tile::FloatRounding::Stochastic);
  });
}

namespace {

/// Emits the division of one tile.
class Division {
public:
  Division(arith::DivFOp divide, ArrayRef<Value> dividends, ArrayRef<Value> divisors, Emitter &e)
      : dividends(dividends), divisors(divisors), onlyF16(isOnlyF16(divide.getResult())),
        onlyNearestF16(isOnlyF16(divide.getResult(), /*onlyNearest=*/true)),
        areParts(divide->hasAttr(layout::kPartOfSum)), e(e), m(e.math()) {}

  SmallVector<Value> emit() {
    SmallVector<Value> quotients;
    if (areParts && onlyNearestF16) {
      for (auto [x, s] : llvm::zip_equal(dividends, divisors))
        quotients.push_back(nearlyCorrected(x, s));
      return quotients;
    }
    for (std::size_t first = 0; first < dividends.size(); first += kTestedTogether) {
      const std::size_t count = std::min(kTestedTogether, dividends.size() - first);
      quotients.append(emitSome(dividends.slice(first, count), divisors.slice(first, count)));
    }
    return quotients;
  }

private:
  struct Shared {
    Value reciprocal, isTame; ///< null where nothing is to be tested
    Value rest;               ///< of the reciprocal
  };

  SmallVector<Value> emitSome(ArrayRef<Value> xs, ArrayRef<Value> ss) {
    SmallVector<Value> quotients;
    for (auto [x, s] : llvm::zip_equal(xs, ss))
      quotients.push_back(corrected(x, s, sharedOf(s).reciprocal));
    if (!areParts || onlyF16)
      return whereTame(xs, ss, quotients);
    Value least = xs[0];
    for (Value x : xs.drop_front())
      least = arith::MinNumFOp::create(e.builder(), e.loc(), least, x);
    return unless(m.ge(least, m.constF(kTiny, least)), quotients, [&] { return whereTame(xs, ss, quotients); });
  }

  /// \p quotients if they are right, which each element is tested for.
  SmallVector<Value> whereTame(ArrayRef<Value> xs, ArrayRef<Value> ss, ArrayRef<Value> quotients) {
    Value isTame;
    for (auto [x, s, quotient] : llvm::zip_equal(xs, ss, quotients)) {
      if (const Shared &shared = sharedOf(s); shared.isTame)
        isTame = both(isTame, shared.isTame);
      isTame = both(isTame, isTameElement(x, quotient));
    }
    return unless(isTame, quotients, [&] {
      SmallVector<Value> exact;
      for (auto [x, s] : llvm::zip_equal(xs, ss))
        exact.push_back(m.div(x, s));
      return exact;
    });
  }

  /// \p usual if \p isUsual, else what \p otherwise gives.
  SmallVector<Value> unless(Value isUsual, ArrayRef<Value> usual, function_ref<SmallVector<Value>()> otherwise) {
    return e.ifElse(
        isUsual, SmallVector<Type>(usual.size(), e.builder().getF32Type()), [&] { return SmallVector<Value>(usual); },
        otherwise);
  }

  const Shared &sharedOf(Value s) {
    Shared &shared = known[s];
    if (!shared.reciprocal) {
      shared.reciprocal = m.div(m.constF(1, s), s);
      if (!areParts)
        shared.isTame = m.andI(m.ge(s, m.constF(0x1p-20, s)), m.le(s, m.constF(0x1p20, s)));
    }
    return shared;
  }

  /// x / s of a part \p x of the sum \p s, good for its nearest f16.
  Value nearlyCorrected(Value x, Value s) {
    Shared &shared = known[s];
    if (!shared.reciprocal) {
      const Value one = m.constF(1, s), r = m.div(one, s);
      shared.reciprocal = r;
      shared.rest = corrected(m.fma(m.neg(s), r, one), s, r);
    }
    return m.fma(x, shared.reciprocal, m.mul(x, shared.rest));
  }

  Value both(Value a, Value b) { return !a ? b : a == b ? a : m.andI(a, b); }

  Value corrected(Value x, Value s, Value r) {
    const Value q = m.mul(x, r);
    return m.fma(m.neg(m.fma(q, s, m.neg(x))), r, q);
  }

  /// Whether \p x is 0 or not tiny, and its quotient is a number. Without its sign bit and counted from that of 2^-100
  /// on, modulo 2^32, the encoding of 0 follows on those of NaN.
  Value isTameElement(Value x, Value quotient) {
    if (onlyF16)
      return m.eq(quotient, quotient);
    constexpr std::int64_t kTinyBits = std::int64_t{127 - 100} << 24;
    const Value place = m.subI(m.shl(m.toBits(x), 1), e.i32(kTinyBits));
    const Value isNotTiny = m.cmp(MathBuilder::IntCompare::ULe, place, e.i32(-kTinyBits));
    return areParts ? isNotTiny : m.andI(isNotTiny, m.eq(quotient, quotient));
  }

  ArrayRef<Value> dividends, divisors;
  const bool onlyF16, onlyNearestF16;
  const bool areParts; ///< of their sums
  Emitter &e;
  MathBuilder &m;
  llvm::MapVector<Value, Shared> known;
};

} // namespace

bool emitSharedDivision(Operation &op, Emitter &e) {
  auto divide = dyn_cast<arith::DivFOp>(op);
  if (!divide || !tile::elementOf(divide.getType()).isF32())
    return false;
  const SmallVector<Value> dividends = e.registers(divide.getLhs()), divisors = e.registers(divide.getRhs());
  llvm::SmallDenseSet<Value> distinct(divisors.begin(), divisors.end());
  if (dividends.size() != divisors.size() || dividends.size() < kLeastShared * distinct.size())
    return false;
  e.setRegisters(divide.getResult(), Division(divide, dividends, divisors, e).emit());
  return true;
}

} // namespace tessera::ir::gpu
