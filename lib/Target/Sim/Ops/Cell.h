//===- Cell.h - how a number is stored and computed with -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_CELL_H
#define TESSERA_TARGET_SIM_OPS_CELL_H

#include "Target/Interp/Float.h"
#include "Target/Sim/Warp.h"

#include <cstdint>

namespace tessera::ir::sim {

using U128 = unsigned __int128;
using S128 = __int128;

/// The C++ types of an integer type: `U` is stored, `S` is the same bits with a sign.
template <Type K> struct Cell;
template <> struct Cell<Type::I1> {
  using U = std::uint8_t;
  using S = std::int8_t;
  static constexpr unsigned bits = 1;
};
template <> struct Cell<Type::I8> {
  using U = std::uint8_t;
  using S = std::int8_t;
  static constexpr unsigned bits = 8;
};
template <> struct Cell<Type::I16> {
  using U = std::uint16_t;
  using S = std::int16_t;
  static constexpr unsigned bits = 16;
};
template <> struct Cell<Type::I32> {
  using U = std::uint32_t;
  using S = std::int32_t;
  static constexpr unsigned bits = 32;
};
template <> struct Cell<Type::I64> {
  using U = std::uint64_t;
  using S = std::int64_t;
  static constexpr unsigned bits = 64;
};
template <> struct Cell<Type::I128> {
  using U = U128;
  using S = S128;
  static constexpr unsigned bits = 128;
};

/// Brings a result back into an i1's range; other types wrap by themselves.
template <class C> constexpr typename C::U wrap(typename C::U x) {
  if constexpr (C::bits == 1)
    return x & 1;
  else
    return x;
}
template <class C> constexpr typename C::S toSigned(typename C::U x) {
  if constexpr (C::bits == 1)
    return static_cast<typename C::S>(-static_cast<int>(x & 1));
  else
    return static_cast<typename C::S>(x);
}

/// Calls `fn.operator()<Cell<K>>()` for an integer type.
template <class Fn> ExecFn withInt(Type type, Fn &&fn) {
  switch (type) {
  case Type::I1:
    return fn.template operator()<Cell<Type::I1>>();
  case Type::I8:
    return fn.template operator()<Cell<Type::I8>>();
  case Type::I16:
    return fn.template operator()<Cell<Type::I16>>();
  case Type::I32:
    return fn.template operator()<Cell<Type::I32>>();
  case Type::I64:
    return fn.template operator()<Cell<Type::I64>>();
  case Type::I128:
    return fn.template operator()<Cell<Type::I128>>();
  default:
    return nullptr;
  }
}

/// Calls `fn.operator()<T>()` with the C++ type of a float.
template <class Fn> ExecFn withFloat(Type type, Fn &&fn) {
  switch (type) {
  case Type::F16:
    return fn.template operator()<interp::F16>();
  case Type::BF16:
    return fn.template operator()<interp::BF16>();
  case Type::F32:
    return fn.template operator()<float>();
  case Type::F64:
    return fn.template operator()<double>();
  default:
    return nullptr;
  }
}

/// An instruction of one operand: `fn(a)` in each lane.
template <class To, class From, class Fn> inline void mapLanes(const Inst &i, Warp &w, Fn fn) {
  To *__restrict o = w.reg<To>(i.out(0));
  const From *__restrict a = w.reg<From>(i.in(0));
  forLanes(w, [=](unsigned l) { o[l] = fn(a[l]); });
}
/// Of two.
template <class To, class From, class Fn> inline void mapLanes2(const Inst &i, Warp &w, Fn fn) {
  To *__restrict o = w.reg<To>(i.out(0));
  const From *a = w.reg<From>(i.in(0)), *b = w.reg<From>(i.in(1));
  forLanes(w, [=](unsigned l) { o[l] = fn(a[l], b[l]); });
}
/// Of three.
template <class To, class From, class Fn> inline void mapLanes3(const Inst &i, Warp &w, Fn fn) {
  To *__restrict o = w.reg<To>(i.out(0));
  const From *a = w.reg<From>(i.in(0)), *b = w.reg<From>(i.in(1)), *c = w.reg<From>(i.in(2));
  forLanes(w, [=](unsigned l) { o[l] = fn(a[l], b[l], c[l]); });
}

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_CELL_H
