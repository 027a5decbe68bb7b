//===- Scalar.h - scalars whose type C++ knows -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `Int`, `F32`, `Bool` ...: one value per program, uniform by construction. An operation of two scalars is a scalar
// where one side's type is the result (SEMANTICS T4), otherwise a Tile of rank 0.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_SCALAR_H
#define TESSERA_LANG_SCALAR_H

#include "tessera/lang/Operators.h"
#include "tessera/lang/Tile.h"

namespace tessera {

template <DType T> class Scalar;

namespace detail {

/// Reads \p source as a scalar of \p dtype; UsageError unless it has rank 0 and converts without loss.
TESSERA_API Snapshot toScalar(const Operand &source, DType dtype);

} // namespace detail

/// A scalar operand of an operation whose result is Scalar<T>. Only ever a parameter.
template <DType T> class ScalarOperand : public Operand {
public:
  ScalarOperand(const Scalar<T> &value, std::source_location at = std::source_location::current())
      : Operand(static_cast<const Value &>(value), at) {}
  template <DType U>
    requires(promote(U, T) == T)
  ScalarOperand(const Scalar<U> &value, std::source_location at = std::source_location::current())
      : Operand(static_cast<const Value &>(value), at) {}
  template <Number N>
    requires(T.isBool() ? std::same_as<N, bool> : (T.isFloat() || std::integral<N>))
  ScalarOperand(N number, std::source_location at = std::source_location::current()) : Operand(number, at) {}
};

/// One value of dtype T per program: kernel arguments, program ids, loop variables, loop bounds, conditions.
template <DType T> class Scalar : public Value {
  using At = std::source_location;
  using Arg = ScalarOperand<T>;
  static Scalar binary(detail::Binary op, const Operand &a, const Operand &b) {
    return Scalar(detail::binary(op, a, b), a.at);
  }
  Scalar &update(const detail::Snapshot &value, At at) {
    write(Scalar(Tile(value, at), at));
    return *this;
  }
  static Scalar<i1> compare(detail::Compare op, const Operand &a, const Operand &b) {
    return Scalar<i1>(detail::compare(op, a, b), a.at);
  }

public:
  static constexpr DType type = T;

  /// A variable without a value; reading it before the first assignment is a UsageError.
  Scalar() = default;
  Scalar(const Scalar &source, At at = At::current()) : Value(source, at) {}
  Scalar(Scalar &&) noexcept = default;
  /// A literal; it must be in range.
  template <Number N>
    requires(T.isBool() ? std::same_as<N, bool> : (T.isFloat() || std::integral<N>))
  Scalar(N number, At at = At::current()) : Value(detail::toScalar(Operand(number, at), T), at) {}
  /// A scalar of another type all of whose values this one has.
  template <DType U>
    requires(U != T && detail::isLossless(U, T))
  Scalar(const Scalar<U> &source, At at = At::current()) : Value(detail::toScalar(Operand(source, at), T), at) {}
  /// A tile of rank 0 whose values this type has; otherwise a UsageError while tracing.
  Scalar(const Tile &source, At at = At::current()) : Value(detail::toScalar(Operand(source, at), T), at) {}
  explicit Scalar(const detail::Snapshot &value, At at) : Value(value, at) {}
  Scalar &operator=(Scalar source) {
    write(source);
    return *this;
  }

  /// This scalar converted to \p dtype; see Tile::to.
  Tile to(DType dtype, CastOptions options = {}, At at = At::current()) const {
    return Tile(*this, at).to(dtype, options, at);
  }
  /// The same with the result's type known to C++: `n.to<f32>()`.
  template <DType U> Scalar<U> to(CastOptions options = {}, At at = At::current()) const {
    return Scalar<U>(Tile(*this, at).to(U, options, at), at);
  }
  /// The same bits read as \p dtype; see Tile::bitcast.
  Tile bitcast(DType dtype, At at = At::current()) const { return Tile(*this, at).bitcast(dtype, at); }
  /// Names the present value in the printed IR; returns this variable's value.
  Scalar named(std::string_view name, At at = At::current()) const {
    handle.setName(name, at);
    return Scalar(*this, at);
  }

  friend Scalar operator+(Arg a, Arg b) { return binary(detail::Binary::Add, a, b); }
  friend Scalar operator-(Arg a, Arg b) { return binary(detail::Binary::Sub, a, b); }
  friend Scalar operator*(Arg a, Arg b) { return binary(detail::Binary::Mul, a, b); }
  friend Scalar operator/(Arg a, Arg b) { return binary(detail::Binary::Div, a, b); }
  friend Scalar operator%(Arg a, Arg b) { return binary(detail::Binary::Rem, a, b); }
  friend Scalar operator&(Arg a, Arg b) { return binary(detail::Binary::And, a, b); }
  friend Scalar operator|(Arg a, Arg b) { return binary(detail::Binary::Or, a, b); }
  friend Scalar operator^(Arg a, Arg b) { return binary(detail::Binary::Xor, a, b); }
  friend Scalar operator<<(Arg a, Arg b) { return binary(detail::Binary::Shl, a, b); }
  friend Scalar operator>>(Arg a, Arg b) { return binary(detail::Binary::Shr, a, b); }
  friend Scalar<i1> operator==(Arg a, Arg b) { return compare(detail::Compare::Eq, a, b); }
  friend Scalar<i1> operator!=(Arg a, Arg b) { return compare(detail::Compare::Ne, a, b); }
  friend Scalar<i1> operator<(Arg a, Arg b) { return compare(detail::Compare::Lt, a, b); }
  friend Scalar<i1> operator<=(Arg a, Arg b) { return compare(detail::Compare::Le, a, b); }
  friend Scalar<i1> operator>(Arg a, Arg b) { return compare(detail::Compare::Gt, a, b); }
  friend Scalar<i1> operator>=(Arg a, Arg b) { return compare(detail::Compare::Ge, a, b); }
  friend Scalar operator-(Arg a) { return Scalar(detail::unary(detail::Unary::Neg, a), a.at); }
  friend Scalar operator~(Arg a) { return Scalar(detail::unary(detail::Unary::Not, a), a.at); }
  /// Division rounding up, right for negatives too (SEMANTICS A1).
  friend Scalar cdiv(Arg a, Arg b) { return binary(detail::Binary::CeilDiv, a, b); }
  /// Division rounding down, and its remainder, which has the divisor's sign.
  friend Scalar floor_div(Arg a, Arg b) { return binary(detail::Binary::FloorDiv, a, b); }
  friend Scalar floor_mod(Arg a, Arg b) { return binary(detail::Binary::FloorMod, a, b); }

  Scalar &operator+=(Operand b) { return update(detail::binary(detail::Binary::Add, {*this, b.at}, b), b.at); }
  Scalar &operator-=(Operand b) { return update(detail::binary(detail::Binary::Sub, {*this, b.at}, b), b.at); }
  Scalar &operator*=(Operand b) { return update(detail::binary(detail::Binary::Mul, {*this, b.at}, b), b.at); }
  Scalar &operator/=(Operand b) { return update(detail::binary(detail::Binary::Div, {*this, b.at}, b), b.at); }
  Scalar &operator%=(Operand b) { return update(detail::binary(detail::Binary::Rem, {*this, b.at}, b), b.at); }
  Scalar &operator&=(Operand b) { return update(detail::binary(detail::Binary::And, {*this, b.at}, b), b.at); }
  Scalar &operator|=(Operand b) { return update(detail::binary(detail::Binary::Or, {*this, b.at}, b), b.at); }
  Scalar &operator^=(Operand b) { return update(detail::binary(detail::Binary::Xor, {*this, b.at}, b), b.at); }
  Scalar &operator<<=(Operand b) { return update(detail::binary(detail::Binary::Shl, {*this, b.at}, b), b.at); }
  Scalar &operator>>=(Operand b) { return update(detail::binary(detail::Binary::Shr, {*this, b.at}, b), b.at); }
};

using Int = Scalar<i64>; ///< sizes, strides, indices: 64-bit signed
using I32 = Scalar<i32>;
using I64 = Scalar<i64>;
using U32 = Scalar<u32>;
using U64 = Scalar<u64>;
using F32 = Scalar<f32>;
using F64 = Scalar<f64>;
using Bool = Scalar<i1>;

/// Division of C++ integers rounding up, for grids and trip counts outside a kernel.
template <std::integral A, std::integral B> constexpr std::common_type_t<A, B> cdiv(A a, B b) {
  const std::common_type_t<A, B> quotient = a / b;
  return quotient + ((a % b != 0 && (a > 0) == (b > 0)) ? 1 : 0);
}
/// Division of C++ integers rounding down.
template <std::integral A, std::integral B> constexpr std::common_type_t<A, B> floor_div(A a, B b) {
  const std::common_type_t<A, B> quotient = a / b;
  return quotient - ((a % b != 0 && (a > 0) != (b > 0)) ? 1 : 0);
}
/// The remainder of floor_div, with the divisor's sign.
template <std::integral A, std::integral B> constexpr std::common_type_t<A, B> floor_mod(A a, B b) {
  return a - floor_div(a, b) * b;
}

} // namespace tessera

#endif // TESSERA_LANG_SCALAR_H
