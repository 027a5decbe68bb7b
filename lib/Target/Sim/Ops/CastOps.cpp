//===- CastOps.cpp - conversions, moves, selections -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/Arithmetic.h"
#include "Target/Sim/Ops/Cell.h"

#include <algorithm>
#include <cmath>

namespace tessera::ir::sim {

using interp::fromDouble;
using interp::toDouble;

namespace {

template <class From, class To> ExecFn intToInt(CastOp op) {
  using U = typename From::U;
  using V = typename To::U;
  if (op == CastOp::SExt)
    return [](const Inst &i, Warp &w) {
      mapLanes<V, U>(i, w, [](U a) { return wrap<To>(static_cast<V>(toSigned<From>(a))); });
    };
  return [](const Inst &i, Warp &w) { mapLanes<V, U>(i, w, [](U a) { return wrap<To>(static_cast<V>(a)); }); };
}

/// Truncates; what does not fit is poison, or the nearest limit if \p kSaturates (NaN gives 0).
template <class T, class To, bool kSigned, bool kSaturates> void floatToInt(const Inst &i, Warp &w) {
  using V = typename To::U;
  mapLanes<V, T>(i, w, [](T x) -> V {
    constexpr int width = static_cast<int>(To::bits) - (kSigned ? 1 : 0);
    const double above = std::ldexp(1.0, width), below = kSigned ? -above : 0.0;
    const double a = std::trunc(toDouble(x));
    if (a >= below && a < above) {
      if constexpr (kSigned)
        return wrap<To>(static_cast<V>(static_cast<std::int64_t>(a)));
      else
        return wrap<To>(static_cast<V>(static_cast<std::uint64_t>(a)));
    }
    if (!kSaturates)
      return wrap<To>(static_cast<V>(kPoison));
    if (a != a)
      return 0;
    const V ones = static_cast<V>(~V(0)), highest = kSigned ? static_cast<V>(ones >> 1) : ones;
    return wrap<To>(a < 0 ? static_cast<V>(kSigned ? ~highest : 0) : highest);
  });
}

template <class From, class T, bool kSigned> void intToFloat(const Inst &i, Warp &w) {
  using U = typename From::U;
  mapLanes<T, U>(i, w, [](U a) {
    if constexpr (From::bits <= 32) // exact in double
      return fromDouble<T>(kSigned ? static_cast<double>(toSigned<From>(a)) : static_cast<double>(a));
    else if constexpr (kSigned)
      return fromDouble<T>(interp::toDoubleSticky(static_cast<std::int64_t>(a)));
    else
      return fromDouble<T>(interp::toDoubleSticky(static_cast<std::uint64_t>(a)));
  });
}
/// The host's own conversions round once.
template <class From, bool kSigned, class T> void intToHostFloat(const Inst &i, Warp &w) {
  using U = typename From::U;
  mapLanes<T, U>(i, w, [](U a) {
    if constexpr (kSigned)
      return static_cast<T>(toSigned<From>(a));
    else
      return static_cast<T>(a);
  });
}

template <class From, class T> ExecFn intToFloatBy(bool isSigned) {
  if constexpr (std::is_floating_point_v<T>)
    return isSigned ? intToHostFloat<From, true, T> : intToHostFloat<From, false, T>;
  else
    return isSigned ? intToFloat<From, T, true> : intToFloat<From, T, false>;
}

template <class From, class To> void floatToFloat(const Inst &i, Warp &w) {
  mapLanes<To, From>(i, w, [](From a) {
    if constexpr (std::is_same_v<From, double>)
      return fromDouble<To>(a);
    else if constexpr (std::is_same_v<To, double>)
      return toDouble(a);
    else
      return interp::narrow<To>(interp::widen(a));
  });
}

} // namespace

ExecFn castFunction(CastOp op, Type from, Type to) {
  switch (op) {
  case CastOp::Trunc:
  case CastOp::ZExt:
  case CastOp::SExt:
    return withInt(from, [=]<class From>() { return withInt(to, [=]<class To>() { return intToInt<From, To>(op); }); });
  case CastOp::UiToFp:
  case CastOp::SiToFp:
    if (from == Type::I128)
      return nullptr;
    return withInt(from, [=]<class From>() {
      return withFloat(to, [=]<class T>() { return intToFloatBy<From, T>(op == CastOp::SiToFp); });
    });
  case CastOp::FpConvert:
    return withFloat(from, [=]<class From>() {
      return withFloat(to, [=]<class To>() -> ExecFn { return floatToFloat<From, To>; });
    });
  default:
    if (to == Type::I128)
      return nullptr;
    return withFloat(from, [=]<class T>() {
      return withInt(to, [=]<class To>() -> ExecFn {
        return op == CastOp::FpToUi      ? floatToInt<T, To, false, false>
               : op == CastOp::FpToSi    ? floatToInt<T, To, true, false>
               : op == CastOp::FpToUiSat ? floatToInt<T, To, false, true>
                                         : floatToInt<T, To, true, true>;
      });
    });
  }
}

/// An unsigned number as wide as the type's registers.
template <class Fn> static ExecFn withWidth(Type type, Fn &&fn) {
  switch (bytesOf(type)) {
  case 1:
    return fn.template operator()<std::uint8_t>();
  case 2:
    return fn.template operator()<std::uint16_t>();
  case 4:
    return fn.template operator()<std::uint32_t>();
  case 8:
    return fn.template operator()<std::uint64_t>();
  default:
    return fn.template operator()<U128>();
  }
}

ExecFn moveFunction(Type type) {
  return withWidth(type, []<class U>() -> ExecFn {
    return [](const Inst &i, Warp &w) { mapLanes<U, U>(i, w, [](U a) { return a; }); };
  });
}

ExecFn selectFunction(Type type) {
  return withWidth(type, []<class U>() -> ExecFn {
    return [](const Inst &i, Warp &w) {
      U *__restrict o = w.reg<U>(i.out(0));
      const std::uint8_t *c = w.reg<std::uint8_t>(i.in(0));
      const U *a = w.reg<U>(i.in(1)), *b = w.reg<U>(i.in(2));
      forLanes(w, [=](unsigned l) { o[l] = c[l] ? a[l] : b[l]; });
    };
  });
}

static void repack(const Inst &i, Warp &w) {
  const std::size_t from = i.imm & 0xff, to = i.imm >> 8;
  const std::size_t ins = to * i.outs / from;
  forLanesOf(w.mask, [&](unsigned l) {
    std::byte bytes[256];
    for (std::size_t k = 0; k != ins; ++k)
      std::memcpy(bytes + k * from, w.reg<std::byte>(i.in(static_cast<unsigned>(k))) + l * from, from);
    for (unsigned k = 0; k != i.outs; ++k)
      std::memcpy(w.reg<std::byte>(i.out(k)) + l * to, bytes + k * to, to);
  });
}

ExecFn repackFunction() { return repack; }

ExecFn indexFunction(Type index) {
  return withInt(index, []<class C>() -> ExecFn {
    return [](const Inst &i, Warp &w) {
      using U = typename C::U;
      std::uint64_t *__restrict o = w.reg<std::uint64_t>(i.out(0));
      const std::uint64_t *a = w.reg<std::uint64_t>(i.in(0)), scale = i.imm;
      const U *b = w.reg<U>(i.in(1));
      forLanes(w, [=](unsigned l) {
        o[l] = a[l] + static_cast<std::uint64_t>(static_cast<std::int64_t>(toSigned<C>(b[l]))) * scale;
      });
    };
  });
}

} // namespace tessera::ir::sim
