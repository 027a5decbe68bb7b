//===- Elementwise.h - loops over the elements of registers --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A loop is made of a reading, which says how a stored element becomes a number and back, and a function on numbers.
// Result registers never overlap operand registers, so the loops vectorise.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_OPS_ELEMENTWISE_H
#define TESSERA_TARGET_INTERP_OPS_ELEMENTWISE_H

#include "Target/Interp/Float.h"
#include "Target/Interp/Frame.h"

#include <type_traits>

namespace tessera::ir::interp {

/// Integers read as signed; a set i1 is -1.
template <class T> struct AsSigned {
  using type = T;
  static type get(T x) { return x; }
  static T put(type v) { return v; }
};
template <> struct AsSigned<Bool> {
  using type = std::int8_t;
  static type get(Bool x) { return static_cast<type>(-x.bits); }
  static Bool put(int v) { return {static_cast<std::uint8_t>(v & 1)}; }
};

/// Integers read as unsigned.
template <class T> struct AsUnsigned {
  using type = std::make_unsigned_t<T>;
  static type get(T x) { return static_cast<type>(x); }
  static T put(type v) { return static_cast<T>(v); }
};
template <> struct AsUnsigned<Bool> {
  using type = std::uint8_t;
  static type get(Bool x) { return x.bits; }
  static Bool put(unsigned v) { return {static_cast<std::uint8_t>(v & 1)}; }
};

/// Floats computed in f32 (f64 in f64) and rounded once (SEMANTICS A3).
template <class T> struct AsFloat {
  using type = Compute<T>;
  static type get(T x) { return widen(x); }
  static T put(type v) { return narrow<T>(v); }
};

/// Floats computed in double; the result is rounded to f32 and then, for narrower types, to theirs (SEMANTICS A4).
template <class T> struct AsDouble {
  using type = double;
  static type get(T x) { return widen(x); }
  static T put(type v) { return narrow<T>(static_cast<Compute<T>>(v)); }
};

template <class T, template <class> class Read, class Fn> void unaryLoop(const Inst &inst, Frame &frame) {
  using R = Read<T>;
  const T *__restrict x = frame.in<T>(inst, 0);
  T *__restrict r = frame.out<T>(inst);
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i)
    r[i] = R::put(Fn::apply(R::get(x[i])));
}

template <class T, template <class> class Read, class Fn> void binaryLoop(const Inst &inst, Frame &frame) {
  using R = Read<T>;
  const T *__restrict x = frame.in<T>(inst, 0), *__restrict y = frame.in<T>(inst, 1);
  T *__restrict r = frame.out<T>(inst);
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i)
    r[i] = R::put(Fn::apply(R::get(x[i]), R::get(y[i])));
}

/// A comparison or test of two operands.
template <class T, template <class> class Read, class Fn> void compareLoop(const Inst &inst, Frame &frame) {
  using R = Read<T>;
  const T *__restrict x = frame.in<T>(inst, 0), *__restrict y = frame.in<T>(inst, 1);
  Bool *__restrict r = frame.out<Bool>(inst);
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i)
    r[i].bits = Fn::apply(R::get(x[i]), R::get(y[i]));
}

/// A test of one operand.
template <class T, template <class> class Read, class Fn> void testLoop(const Inst &inst, Frame &frame) {
  using R = Read<T>;
  const T *__restrict x = frame.in<T>(inst, 0);
  Bool *__restrict r = frame.out<Bool>(inst);
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i)
    r[i].bits = Fn::apply(R::get(x[i]));
}

template <template <class> class Read, class Fn> ExecFn intUnary(Elem e) {
  return dispatchInt<ExecFn>(e, []<class T>() -> ExecFn { return unaryLoop<T, Read, Fn>; });
}
template <template <class> class Read, class Fn> ExecFn intBinary(Elem e) {
  return dispatchInt<ExecFn>(e, []<class T>() -> ExecFn { return binaryLoop<T, Read, Fn>; });
}
template <template <class> class Read, class Fn> ExecFn intCompare(Elem e) {
  return dispatchInt<ExecFn>(e, []<class T>() -> ExecFn { return compareLoop<T, Read, Fn>; });
}
template <template <class> class Read, class Fn> ExecFn floatUnary(Elem e) {
  return dispatchFloat<ExecFn>(e, []<class T>() -> ExecFn { return unaryLoop<T, Read, Fn>; });
}
template <template <class> class Read, class Fn> ExecFn floatBinary(Elem e) {
  return dispatchFloat<ExecFn>(e, []<class T>() -> ExecFn { return binaryLoop<T, Read, Fn>; });
}
template <template <class> class Read, class Fn> ExecFn floatCompare(Elem e) {
  return dispatchFloat<ExecFn>(e, []<class T>() -> ExecFn { return compareLoop<T, Read, Fn>; });
}
template <template <class> class Read, class Fn> ExecFn floatTest(Elem e) {
  return dispatchFloat<ExecFn>(e, []<class T>() -> ExecFn { return testLoop<T, Read, Fn>; });
}

/// Copies the bytes of the first operand to the first result: casts that keep bits, reshapes.
void copyBits(const Inst &inst, Frame &frame);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_OPS_ELEMENTWISE_H
