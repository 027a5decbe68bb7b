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

template <DType Element> class Scalar;

namespace detail {

/// Reads \p source as a scalar of \p dtype; UsageError unless it has rank 0 and converts without loss.
TESSERA_API Snapshot toScalar(const Operand &source, DType dtype);

} // namespace detail

/// A scalar operand of an operation whose result is Scalar<Element>. Only ever a parameter.
template <DType Element> class ScalarOperand : public Operand {
public:
  ScalarOperand(const Scalar<Element> &value, std::source_location at = std::source_location::current())
      : Operand(static_cast<const Value &>(value), at) {}
  template <DType Other>
    requires(promote(Other, Element) == Element)
  ScalarOperand(const Scalar<Other> &value, std::source_location at = std::source_location::current())
      : Operand(static_cast<const Value &>(value), at) {}
  template <Number Literal>
    requires(Element.isBool() ? std::same_as<Literal, bool> : (Element.isFloat() || std::integral<Literal>))
  ScalarOperand(Literal number, std::source_location at = std::source_location::current()) : Operand(number, at) {}
};

/// One value of \p Element per program: kernel arguments, program ids, loop variables, loop bounds, conditions.
template <DType Element> class Scalar : public Value {
  using At = std::source_location;
  using Arg = ScalarOperand<Element>;
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
  static constexpr DType type = Element;

  /// A variable without a value; reading it before the first assignment is a UsageError.
  Scalar() = default;
  Scalar(const Scalar &source, At at = At::current()) : Value(source, at) {}
  Scalar(Scalar &&) noexcept = default;
  /// A literal; it must be in range.
  template <Number Literal>
    requires(Element.isBool() ? std::same_as<Literal, bool> : (Element.isFloat() || std::integral<Literal>))
  Scalar(Literal number, At at = At::current()) : Value(detail::toScalar(Operand(number, at), Element), at) {}
  /// A scalar of another type all of whose values this one has.
  template <DType Other>
    requires(Other != Element && detail::isLossless(Other, Element))
  Scalar(const Scalar<Other> &source, At at = At::current())
      : Value(detail::toScalar(Operand(source, at), Element), at) {}
  /// A tile of rank 0 whose values this type has; otherwise a UsageError while tracing.
  Scalar(const Tile &source, At at = At::current()) : Value(detail::toScalar(Operand(source, at), Element), at) {}
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
  template <DType Other> Scalar<Other> to(CastOptions options = {}, At at = At::current()) const {
    return Scalar<Other>(Tile(*this, at).to(Other, options, at), at);
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
template <std::integral Left, std::integral Right> constexpr std::common_type_t<Left, Right> cdiv(Left a, Right b) {
  const std::common_type_t<Left, Right> quotient = a / b;
  return quotient + ((a % b != 0 && (a > 0) == (b > 0)) ? 1 : 0);
}
/// Division of C++ integers rounding down.
template <std::integral Left, std::integral Right>
constexpr std::common_type_t<Left, Right> floor_div(Left a, Right b) {
  const std::common_type_t<Left, Right> quotient = a / b;
  return quotient - ((a % b != 0 && (a > 0) != (b > 0)) ? 1 : 0);
}
/// The remainder of floor_div, with the divisor's sign.
template <std::integral Left, std::integral Right>
constexpr std::common_type_t<Left, Right> floor_mod(Left a, Right b) {
  return a - floor_div(a, b) * b;
}

} // namespace tessera

#endif // TESSERA_LANG_SCALAR_H
