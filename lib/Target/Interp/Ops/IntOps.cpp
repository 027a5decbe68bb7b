//===- IntOps.cpp - integer arithmetic, comparison, selection --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Integers wrap (SEMANTICS T5). Sums, differences and products that reach an address or a mask have a second form that
// reports what does not fit.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <bit>
#include <limits>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

// -- Functions on unsigned numbers; narrow types are promoted and cut again -----------------------

struct Add {
  static constexpr char symbol = '+';
  template <class U> static U apply(U a, U b) { return static_cast<U>(a + b); }
  template <class V> static bool overflows(V a, V b, V *r) { return __builtin_add_overflow(a, b, r); }
};
struct Sub {
  static constexpr char symbol = '-';
  template <class U> static U apply(U a, U b) { return static_cast<U>(a - b); }
  template <class V> static bool overflows(V a, V b, V *r) { return __builtin_sub_overflow(a, b, r); }
};
struct Mul {
  static constexpr char symbol = '*';
  template <class U> static U apply(U a, U b) {
    if constexpr (sizeof(U) < sizeof(unsigned))
      return static_cast<U>(static_cast<unsigned>(a) * static_cast<unsigned>(b)); // not int: 65535 * 65535 overflows it
    else
      return a * b;
  }
  template <class V> static bool overflows(V a, V b, V *r) { return __builtin_mul_overflow(a, b, r); }
};
struct And {
  template <class U> static U apply(U a, U b) { return static_cast<U>(a & b); }
};
struct Or {
  template <class U> static U apply(U a, U b) { return static_cast<U>(a | b); }
};
struct Xor {
  template <class U> static U apply(U a, U b) { return static_cast<U>(a ^ b); }
};
struct Min {
  template <class V> static V apply(V a, V b) { return b < a ? b : a; }
};
struct Max {
  template <class V> static V apply(V a, V b) { return a < b ? b : a; }
};
/// A shift by the width or more gives an unspecified value (SEMANTICS A2): here what shifting one by one would give.
template <unsigned width> struct ShlOf {
  template <class U> static U apply(U a, U b) { return b >= width ? U(0) : static_cast<U>(a << b); }
};
template <unsigned width> struct ShrUnsignedOf {
  template <class U> static U apply(U a, U b) { return b >= width ? U(0) : static_cast<U>(a >> b); }
};
template <unsigned width> struct ShrSignedOf {
  template <class V> static V apply(V a, V b) {
    const auto count = static_cast<std::make_unsigned_t<V>>(b);
    return static_cast<V>(a >> (count >= width ? width - 1 : count));
  }
};
struct UMulHi {
  template <class U> static U apply(U a, U b) {
    if constexpr (sizeof(U) == 8)
      return static_cast<U>((static_cast<unsigned __int128>(a) * b) >> 64);
    else
      return static_cast<U>((static_cast<std::uint64_t>(a) * b) >> (8 * sizeof(U)));
  }
};

struct Eq {
  template <class V> static bool apply(V a, V b) { return a == b; }
};
struct Ne {
  template <class V> static bool apply(V a, V b) { return a != b; }
};
struct Lt {
  template <class V> static bool apply(V a, V b) { return a < b; }
};
struct Le {
  template <class V> static bool apply(V a, V b) { return a <= b; }
};
struct Gt {
  template <class V> static bool apply(V a, V b) { return a > b; }
};
struct Ge {
  template <class V> static bool apply(V a, V b) { return a >= b; }
};

struct Abs { // of the smallest value wraps (SEMANTICS A6)
  template <class V> static V apply(V a) {
    return static_cast<V>(a < 0 ? 0 - static_cast<std::make_unsigned_t<V>>(a) : a);
  }
};
struct PopCount {
  template <class U> static U apply(U a) { return static_cast<U>(std::popcount(a)); }
};
template <int width> struct LeadingZerosOf {
  template <class U> static U apply(U a) { return static_cast<U>(std::countl_zero(a) - (int(8 * sizeof(U)) - width)); }
};
template <int width> struct TrailingZerosOf {
  template <class U> static U apply(U a) { return static_cast<U>(a == 0 ? width : std::countr_zero(a)); }
};

/// Bits of a storage type; an i1 has one.
template <class T> constexpr unsigned kWidth = 8 * sizeof(T);
template <> constexpr unsigned kWidth<Bool> = 1;

// -- Checked sums, differences, products ----------------------------------------------------------

template <class T, class Fn, OverflowMode mode> bool wraps(T a, T b) {
  using V = std::conditional_t<mode == OverflowMode::Unsigned, std::make_unsigned_t<T>, T>;
  V result;
  return Fn::template overflows<V>(static_cast<V>(a), static_cast<V>(b), &result);
}

/// Whether some lane may wrap: exact for signed sums and differences, never false where one does. Loops that vectorise.
template <class T, class Fn, OverflowMode mode> bool mayWrap(const T *x, const T *y, const T *r, std::uint32_t n) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned signShift = 8 * sizeof(T) - 1;
  if constexpr (mode == OverflowMode::Signed && !std::is_same_v<Fn, Mul>) {
    U signs = 0; // a sum wraps when its sign differs from those of both operands
    for (std::uint32_t i = 0; i != n; ++i)
      signs |= static_cast<U>((x[i] ^ r[i]) & ((std::is_same_v<Fn, Add> ? y[i] : ~y[i]) ^ r[i]));
    return signs >> signShift;
  } else if constexpr (mode == OverflowMode::Signed && sizeof(T) == 8) {
    std::uint64_t bits = 0; // of the magnitudes; below 2^31 no product wraps
    for (std::uint32_t i = 0; i != n; ++i)
      bits |= static_cast<U>(x[i] ^ (x[i] >> signShift)) | static_cast<U>(y[i] ^ (y[i] >> signShift));
    return bits >> 31;
  } else {
    bool any = false;
    for (std::uint32_t i = 0; i != n; ++i)
      any |= wraps<T, Fn, mode>(x[i], y[i]);
    return any;
  }
}

template <class T, class Fn, OverflowMode mode> void checkedLoop(const Inst &inst, Frame &frame) {
  binaryLoop<T, AsUnsigned, Fn>(inst, frame);
  const T *x = frame.in<T>(inst, 0), *y = frame.in<T>(inst, 1);
  if (!frame.checks() || !mayWrap<T, Fn, mode>(x, y, frame.out<T>(inst), inst.n))
    return;
  std::uint64_t first = 0, lanes = 0;
  for (std::uint32_t i = inst.n; i-- != 0;)
    if (wraps<T, Fn, mode>(x[i], y[i])) {
      first = i;
      ++lanes;
    }
  if (lanes == 0)
    return;
  frame.fault(
      inst, first, lanes,
      [&] {
        using Shown = std::conditional_t<mode == OverflowMode::Unsigned, std::uint64_t, std::int64_t>;
        using Read = std::conditional_t<mode == OverflowMode::Unsigned, std::make_unsigned_t<T>, T>;
        const auto show = [](T v) { return static_cast<Shown>(static_cast<Read>(v)); };
        return fmt::format("{} {} {} overflows {}{} and wraps to {}", show(x[first]), Fn::symbol, show(y[first]),
                           mode == OverflowMode::Unsigned ? 'u' : 'i', 8 * sizeof(T), show(frame.out<T>(inst)[first]));
      },
      "arithmetic that reaches an address or a mask must not overflow; convert to i64 first");
}

template <class Fn> ExecFn pickChecked(Elem e, OverflowMode mode) {
  return dispatchInt<ExecFn>(e, [&]<class T>() -> ExecFn {
    if constexpr (!std::is_same_v<T, Bool>) {
      switch (mode) {
      case OverflowMode::None:
        break;
      case OverflowMode::Signed:
        return checkedLoop<T, Fn, OverflowMode::Signed>;
      case OverflowMode::Unsigned:
        return checkedLoop<T, Fn, OverflowMode::Unsigned>;
      }
    }
    return binaryLoop<T, AsUnsigned, Fn>;
  });
}

template <class Fn> LogicalResult lowerArithmetic(Operation &op, Builder &b) {
  b.emit(op, pickChecked<Fn>(*elemOf(op.getOperand(0).getType()), b.overflow(op)));
  return success();
}

// -- Quotients and remainders ---------------------------------------------------------------------

using Rounding = tile::DivRounding;

/// Division by zero gives 0 and the smallest value by -1 wraps: unspecified by SEMANTICS A1, and no trap.
template <class V, Rounding rounding, bool remainder> V divide(V a, V b) {
  if (b == 0)
    return remainder ? a : V(0);
  if constexpr (std::is_signed_v<V>)
    if (b == -1) // also where a is the smallest value
      return remainder ? V(0) : static_cast<V>(0 - static_cast<std::make_unsigned_t<V>>(a));
  const V q = static_cast<V>(a / b), r = static_cast<V>(a % b);
  const bool sameSign = (a < 0) == (b < 0);
  if constexpr (remainder)
    return rounding == Rounding::Floor && r != 0 && !sameSign ? static_cast<V>(r + b) : r;
  if (rounding == Rounding::Floor && r != 0 && !sameSign)
    return static_cast<V>(q - 1);
  if (rounding == Rounding::Ceil && r != 0 && sameSign)
    return static_cast<V>(q + 1);
  return q;
}

/// A quotient that the user did not write: the trips of a loop.
struct TripsPayload : Payload {};

template <class T, template <class> class Read, Rounding rounding, bool remainder>
void divideLoop(const Inst &inst, Frame &frame) {
  using R = Read<T>;
  using V = typename R::type;
  const T *x = frame.in<T>(inst, 0), *y = frame.in<T>(inst, 1);
  T *r = frame.out<T>(inst);
  bool suspicious = false;
  for (std::uint32_t i = 0; i != inst.n; ++i) {
    const V a = R::get(x[i]), b = R::get(y[i]);
    r[i] = R::put(divide<V, rounding, remainder>(a, b));
    suspicious |= b == 0 || (std::is_signed_v<V> && b == V(-1));
  }
  if (!suspicious || !frame.checks())
    return;
  std::uint64_t zeros = 0, firstZero = 0, overflows = 0, firstOverflow = 0;
  for (std::uint32_t i = inst.n; i-- != 0;) {
    const V a = R::get(x[i]), b = R::get(y[i]);
    if (b == 0) {
      ++zeros;
      firstZero = i;
    } else if (std::is_signed_v<V> && b == V(-1) && a == (kWidth<T> == 1 ? V(-1) : std::numeric_limits<V>::min())) {
      ++overflows;
      firstOverflow = i;
    }
  }
  const auto shown = [&](std::uint64_t i) {
    return fmt::format("{} {} {}", +R::get(x[i]), remainder ? '%' : '/', +R::get(y[i]));
  };
  if (zeros && inst.extra)
    frame.fault(
        inst, firstZero, zeros, [] { return std::string("for_range with a step of 0"); },
        "the step is positive or negative");
  else if (zeros)
    frame.fault(
        inst, firstZero, zeros, [&] { return fmt::format("division by zero: {}", shown(firstZero)); },
        "a divisor must not be zero, not even in lanes that are masked off later; load those with `.other = 1`");
  if (overflows)
    frame.fault(
        inst, firstOverflow, overflows,
        [&] { return fmt::format("division overflows: {} does not fit i{}", shown(firstOverflow), kWidth<T>); },
        "the smallest integer has no positive counterpart");
}

template <template <class> class Read, Rounding rounding, bool remainder> ExecFn pickDivide(Elem e) {
  return dispatchInt<ExecFn>(e, []<class T>() -> ExecFn { return divideLoop<T, Read, rounding, remainder>; });
}

template <bool remainder> ExecFn pickDivide(Elem e, Rounding rounding, bool isUnsigned) {
  switch (rounding) {
  case Rounding::Trunc:
    return isUnsigned ? pickDivide<AsUnsigned, Rounding::Trunc, remainder>(e)
                      : pickDivide<AsSigned, Rounding::Trunc, remainder>(e);
  case Rounding::Floor:
    return isUnsigned ? pickDivide<AsUnsigned, Rounding::Floor, remainder>(e)
                      : pickDivide<AsSigned, Rounding::Floor, remainder>(e);
  case Rounding::Ceil:
    return isUnsigned ? pickDivide<AsUnsigned, Rounding::Ceil, remainder>(e)
                      : pickDivide<AsSigned, Rounding::Ceil, remainder>(e);
  }
  return nullptr;
}

/// Whether \p quotient, or what is made of it, ends a loop, all of it recorded at one place: the user wrote no
/// division.
bool countsTrips(Value quotient, Location at) {
  return !isa<UnknownLoc>(at) && llvm::any_of(quotient.getUsers(), [&](Operation *user) {
    if (user->getLoc() != at)
      return false;
    return isa<scf::ForOp>(user) || isa<scf::WhileOp>(user->getParentOp()) ||
           (isa<arith::ArithDialect>(user->getDialect()) && countsTrips(user->getResult(0), at));
  });
}

LogicalResult lowerDivide(Operation &op, Builder &b) {
  const Elem e = *elemOf(op.getOperand(0).getType());
  if (auto quotient = dyn_cast<tile::IDivOp>(op)) {
    Inst &inst = b.emit(op, pickDivide<false>(e, quotient.getRounding(), quotient.getIsUnsigned()));
    if (countsTrips(quotient, op.getLoc()))
      inst.extra = std::make_unique<TripsPayload>();
  } else
    b.emit(op, pickDivide<true>(e, cast<tile::IRemOp>(op).getRounding(), cast<tile::IRemOp>(op).getIsUnsigned()));
  return success();
}

// -- Shifts, comparison, selection ----------------------------------------------------------------

LogicalResult lowerShift(Operation &op, Builder &b) {
  const bool left = isa<tile::ShlOp>(op);
  const bool isUnsigned = !left && cast<tile::ShrOp>(op).getIsUnsigned();
  b.emit(op, dispatchInt<ExecFn>(*elemOf(op.getOperand(0).getType()), [&]<class T>() -> ExecFn {
           if (left)
             return binaryLoop<T, AsUnsigned, ShlOf<kWidth<T>>>;
           if (isUnsigned)
             return binaryLoop<T, AsUnsigned, ShrUnsignedOf<kWidth<T>>>;
           return binaryLoop<T, AsSigned, ShrSignedOf<kWidth<T>>>;
         }));
  return success();
}

LogicalResult lowerCompare(Operation &op, Builder &b) {
  const Elem e = *elemOf(op.getOperand(0).getType());
  const auto pick = [&]() -> ExecFn {
    switch (cast<arith::CmpIOp>(op).getPredicate()) {
    case arith::CmpIPredicate::eq:
      return intCompare<AsUnsigned, Eq>(e);
    case arith::CmpIPredicate::ne:
      return intCompare<AsUnsigned, Ne>(e);
    case arith::CmpIPredicate::slt:
      return intCompare<AsSigned, Lt>(e);
    case arith::CmpIPredicate::sle:
      return intCompare<AsSigned, Le>(e);
    case arith::CmpIPredicate::sgt:
      return intCompare<AsSigned, Gt>(e);
    case arith::CmpIPredicate::sge:
      return intCompare<AsSigned, Ge>(e);
    case arith::CmpIPredicate::ult:
      return intCompare<AsUnsigned, Lt>(e);
    case arith::CmpIPredicate::ule:
      return intCompare<AsUnsigned, Le>(e);
    case arith::CmpIPredicate::ugt:
      return intCompare<AsUnsigned, Gt>(e);
    case arith::CmpIPredicate::uge:
      return intCompare<AsUnsigned, Ge>(e);
    }
    return nullptr;
  };
  b.emit(op, pick());
  return success();
}

template <class W> void selectLoop(const Inst &inst, Frame &frame) {
  const Bool *__restrict c = frame.in<Bool>(inst, 0);
  const W *__restrict x = frame.in<W>(inst, 1), *__restrict y = frame.in<W>(inst, 2);
  W *__restrict r = frame.out<W>(inst);
  if (inst.in[0].count != inst.n) { // one condition for all elements
    std::memcpy(r, c[0].bits ? x : y, inst.n * sizeof(W));
    return;
  }
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i)
    r[i] = c[i].bits ? x[i] : y[i];
}

LogicalResult lowerSelect(Operation &op, Builder &b) {
  b.emit(op,
         dispatchWidth<ExecFn>(*elemOf(op.getResult(0).getType()), []<class W>() -> ExecFn { return selectLoop<W>; }));
  return success();
}

template <ExecFn (*pick)(Elem)> LogicalResult lowerBy(Operation &op, Builder &b) {
  b.emit(op, pick(*elemOf(op.getOperand(0).getType())));
  return success();
}

ExecFn pickLeadingZeros(Elem e) {
  return dispatchInt<ExecFn>(
      e, []<class T>() -> ExecFn { return unaryLoop<T, AsUnsigned, LeadingZerosOf<int(kWidth<T>)>>; });
}
ExecFn pickTrailingZeros(Elem e) {
  return dispatchInt<ExecFn>(
      e, []<class T>() -> ExecFn { return unaryLoop<T, AsUnsigned, TrailingZerosOf<int(kWidth<T>)>>; });
}

} // namespace

void registerIntOps(OpTable &table) {
  table.add("arith.addi", lowerArithmetic<Add>);
  table.add("arith.subi", lowerArithmetic<Sub>);
  table.add("arith.muli", lowerArithmetic<Mul>);
  table.add("arith.andi", lowerBy<intBinary<AsUnsigned, And>>);
  table.add("arith.ori", lowerBy<intBinary<AsUnsigned, Or>>);
  table.add("arith.xori", lowerBy<intBinary<AsUnsigned, Xor>>);
  table.add("arith.minsi", lowerBy<intBinary<AsSigned, Min>>);
  table.add("arith.maxsi", lowerBy<intBinary<AsSigned, Max>>);
  table.add("arith.minui", lowerBy<intBinary<AsUnsigned, Min>>);
  table.add("arith.maxui", lowerBy<intBinary<AsUnsigned, Max>>);
  table.add("arith.cmpi", lowerCompare);
  table.add("arith.select", lowerSelect);
  table.add("math.absi", lowerBy<intUnary<AsSigned, Abs>>);
  table.add("math.ctpop", lowerBy<intUnary<AsUnsigned, PopCount>>);
  table.add("math.ctlz", lowerBy<pickLeadingZeros>);
  table.add("math.cttz", lowerBy<pickTrailingZeros>);
  table.add<tile::IDivOp>(lowerDivide);
  table.add<tile::IRemOp>(lowerDivide);
  table.add<tile::ShlOp>(lowerShift);
  table.add<tile::ShrOp>(lowerShift);
  table.add<tile::UMulHiOp>(lowerBy<intBinary<AsUnsigned, UMulHi>>);
}

} // namespace tessera::ir::interp
