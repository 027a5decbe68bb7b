//===- IntOps.cpp - integer instructions ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/Arithmetic.h"
#include "Target/Sim/Ops/Cell.h"

#include <limits>

namespace tessera::ir::sim {

namespace {

/// Numbers narrower than int are computed in it, so that nothing overflows with a sign.
template <class C> using Wide = std::conditional_t<(C::bits < 32), std::uint32_t, typename C::U>;

template <class C, class Fn> void binary(const Inst &i, Warp &w, Fn fn) {
  using U = typename C::U;
  mapLanes2<U, U>(i, w, [=](U a, U b) { return wrap<C>(static_cast<U>(fn(a, b))); });
}
template <class C, class Fn> void unary(const Inst &i, Warp &w, Fn fn) {
  using U = typename C::U;
  mapLanes<U, U>(i, w, [=](U a) { return wrap<C>(static_cast<U>(fn(a))); });
}
template <class C, class Fn> void compare(const Inst &i, Warp &w, Fn fn) {
  using U = typename C::U;
  mapLanes2<std::uint8_t, U>(i, w, [=](U a, U b) { return static_cast<std::uint8_t>(fn(a, b)); });
}

/// Division and remainder; `fn` gets divisors that are not zero, and no quotient that overflows.
template <class C, bool kSigned, class Fn> void divide(const Inst &i, Warp &w, Fn fn) {
  using U = typename C::U;
  U *o = w.reg<U>(i.out(0));
  const U *a = w.reg<U>(i.in(0)), *b = w.reg<U>(i.in(1));
  LaneMask bad = 0;
  forLanesOf(w.mask, [&](unsigned l) {
    const U lowest = static_cast<U>(U(1) << (C::bits - 1));
    const bool overflows = kSigned && wrap<C>(b[l]) == wrap<C>(static_cast<U>(~U(0))) && a[l] == lowest;
    if (b[l] == 0 || overflows) {
      bad |= LaneMask(1) << l;
      o[l] = wrap<C>(static_cast<U>(kPoison));
    } else {
      o[l] = wrap<C>(static_cast<U>(fn(a[l], b[l])));
    }
  });
  if (bad)
    w.fault(i, static_cast<unsigned>(std::countr_zero(bad)), "divides by zero, or the lowest number by -1",
            "LLVM leaves this undefined; the code before must replace the divisor");
}

template <class U> unsigned popCount(U x) {
  if constexpr (sizeof(U) == 16)
    return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(x)) +
                                 std::popcount(static_cast<std::uint64_t>(x >> 64)));
  else
    return static_cast<unsigned>(std::popcount(x));
}
template <class C> unsigned leadingZeros(typename C::U x) {
  unsigned n = 0;
  if constexpr (C::bits <= 64 && C::bits >= 8)
    n = static_cast<unsigned>(std::countl_zero(x));
  else
    while (n != C::bits && !(x >> (C::bits - 1 - n) & 1))
      ++n;
  return n;
}
template <class C> unsigned trailingZeros(typename C::U x) {
  unsigned n = 0;
  while (n != C::bits && !(x >> n & 1))
    ++n;
  return n;
}
template <class C> typename C::U reverseBits(typename C::U x) {
  typename C::U r = 0;
  for (unsigned n = 0; n != C::bits; ++n)
    r = static_cast<typename C::U>((r << 1) | (x >> n & 1));
  return r;
}
template <class U> U swapBytes(U x) {
  U r = 0;
  for (unsigned n = 0; n != sizeof(U); ++n)
    r = static_cast<U>(r | static_cast<U>(static_cast<U>(x >> (8 * n) & 0xff) << (8 * (sizeof(U) - 1 - n))));
  return r;
}

template <class C> void funnelLeft(const Inst &i, Warp &w) {
  using U = typename C::U;
  mapLanes3<U, U>(i, w, [](U a, U b, U c) {
    const unsigned by = static_cast<unsigned>(c % C::bits);
    return wrap<C>(by ? static_cast<U>(static_cast<U>(a << by) | static_cast<U>(b >> (C::bits - by))) : a);
  });
}
template <class C> void funnelRight(const Inst &i, Warp &w) {
  using U = typename C::U;
  mapLanes3<U, U>(i, w, [](U a, U b, U c) {
    const unsigned by = static_cast<unsigned>(c % C::bits);
    return wrap<C>(by ? static_cast<U>(static_cast<U>(a << (C::bits - by)) | static_cast<U>(b >> by)) : b);
  });
}

template <class C> ExecFn shifts(IntOp op) {
  using U = typename C::U;
  switch (op) {
  case IntOp::Shl:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w, [](U a, U b) { return b < C::bits ? static_cast<U>(Wide<C>(a) << b) : static_cast<U>(kPoison); });
    };
  case IntOp::LShr:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w, [](U a, U b) { return b < C::bits ? static_cast<U>(a >> b) : static_cast<U>(kPoison); });
    };
  case IntOp::AShr:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w,
                [](U a, U b) { return b < C::bits ? static_cast<U>(toSigned<C>(a) >> b) : static_cast<U>(kPoison); });
    };
  case IntOp::FShl:
    return funnelLeft<C>;
  case IntOp::FShr:
    return funnelRight<C>;
  default:
    return nullptr;
  }
}

template <class C> ExecFn divisions(IntOp op) {
  using U = typename C::U;
  switch (op) {
  case IntOp::UDiv:
    return [](const Inst &i, Warp &w) { divide<C, false>(i, w, [](U a, U b) { return a / b; }); };
  case IntOp::URem:
    return [](const Inst &i, Warp &w) { divide<C, false>(i, w, [](U a, U b) { return a % b; }); };
  case IntOp::SDiv:
    return
        [](const Inst &i, Warp &w) { divide<C, true>(i, w, [](U a, U b) { return toSigned<C>(a) / toSigned<C>(b); }); };
  case IntOp::SRem:
    return
        [](const Inst &i, Warp &w) { divide<C, true>(i, w, [](U a, U b) { return toSigned<C>(a) % toSigned<C>(b); }); };
  default:
    return nullptr;
  }
}

template <class C> ExecFn comparisons(IntOp op) {
  using U = typename C::U;
  switch (op) {
  case IntOp::Eq:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return a == b; }); };
  case IntOp::Ne:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return a != b; }); };
  case IntOp::Ugt:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return a > b; }); };
  case IntOp::Uge:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return a >= b; }); };
  case IntOp::Ult:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return a < b; }); };
  case IntOp::Ule:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return a <= b; }); };
  case IntOp::Sgt:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return toSigned<C>(a) > toSigned<C>(b); }); };
  case IntOp::Sge:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return toSigned<C>(a) >= toSigned<C>(b); }); };
  case IntOp::Slt:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return toSigned<C>(a) < toSigned<C>(b); }); };
  case IntOp::Sle:
    return [](const Inst &i, Warp &w) { compare<C>(i, w, [](U a, U b) { return toSigned<C>(a) <= toSigned<C>(b); }); };
  default:
    return nullptr;
  }
}

/// Limits of the signed numbers of a type.
template <class C> constexpr typename C::S lowest() {
  return static_cast<typename C::S>(C::bits == 1 ? -1 : typename C::S(1) << (C::bits == 1 ? 0 : C::bits - 1));
}
template <class C> constexpr typename C::S highest() { return static_cast<typename C::S>(-1 - lowest<C>()); }

template <class C> ExecFn limits(IntOp op) {
  using U = typename C::U;
  using S = typename C::S;
  switch (op) {
  case IntOp::SMin:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w, [](U a, U b) { return toSigned<C>(a) < toSigned<C>(b) ? a : b; });
    };
  case IntOp::SMax:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w, [](U a, U b) { return toSigned<C>(a) > toSigned<C>(b) ? a : b; });
    };
  case IntOp::UMin:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a < b ? a : b; }); };
  case IntOp::UMax:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a > b ? a : b; }); };
  case IntOp::UAddSat:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w, [](U a, U b) {
        const U sum = wrap<C>(static_cast<U>(a + b));
        return sum < a ? static_cast<U>(~U(0)) : sum;
      });
    };
  case IntOp::USubSat:
    return
        [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a < b ? U(0) : static_cast<U>(a - b); }); };
  case IntOp::SAddSat:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w, [](U a, U b) {
        const S x = toSigned<C>(a), y = toSigned<C>(b);
        if (y >= 0 ? x > highest<C>() - y : x < lowest<C>() - y)
          return static_cast<U>(y >= 0 ? highest<C>() : lowest<C>());
        return static_cast<U>(x + y);
      });
    };
  case IntOp::SSubSat:
    return [](const Inst &i, Warp &w) {
      binary<C>(i, w, [](U a, U b) {
        const S x = toSigned<C>(a), y = toSigned<C>(b);
        if (y >= 0 ? x < lowest<C>() + y : x > highest<C>() + y)
          return static_cast<U>(y >= 0 ? lowest<C>() : highest<C>());
        return static_cast<U>(x - y);
      });
    };
  default:
    return nullptr;
  }
}

template <class C> ExecFn basics(IntOp op) {
  using U = typename C::U;
  switch (op) {
  case IntOp::Add:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a + b; }); };
  case IntOp::Sub:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a - b; }); };
  case IntOp::Mul:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return Wide<C>(a) * Wide<C>(b); }); };
  case IntOp::And:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a & b; }); };
  case IntOp::Or:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a | b; }); };
  case IntOp::Xor:
    return [](const Inst &i, Warp &w) { binary<C>(i, w, [](U a, U b) { return a ^ b; }); };
  default:
    return nullptr;
  }
}

template <class C> ExecFn bitOps(IntOp op) {
  using U = typename C::U;
  switch (op) {
  case IntOp::Abs:
    return [](const Inst &i, Warp &w) {
      unary<C>(i, w, [](U a) { return toSigned<C>(a) < 0 ? static_cast<U>(U(0) - a) : a; });
    };
  case IntOp::CtPop:
    return [](const Inst &i, Warp &w) { unary<C>(i, w, [](U a) { return popCount(a); }); };
  case IntOp::Ctlz:
    return [](const Inst &i, Warp &w) { unary<C>(i, w, [](U a) { return leadingZeros<C>(a); }); };
  case IntOp::Cttz:
    return [](const Inst &i, Warp &w) { unary<C>(i, w, [](U a) { return trailingZeros<C>(a); }); };
  case IntOp::BSwap:
    return [](const Inst &i, Warp &w) { unary<C>(i, w, [](U a) { return swapBytes(a); }); };
  case IntOp::BitReverse:
    return [](const Inst &i, Warp &w) { unary<C>(i, w, [](U a) { return reverseBits<C>(a); }); };
  default:
    return nullptr;
  }
}

} // namespace

ExecFn intFunction(IntOp op, Type type) {
  return withInt(type, [op]<class C>() -> ExecFn {
    for (auto *family : {basics<C>, comparisons<C>, shifts<C>, limits<C>, divisions<C>, bitOps<C>})
      if (ExecFn fn = family(op))
        return fn;
    return nullptr;
  });
}

} // namespace tessera::ir::sim
