//===- Operators.h - arithmetic, comparison and bits -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The general operators, on any mix of tiles, scalars, pointers and C++ numbers. Types follow SEMANTICS T3 and T4,
// shapes broadcast as NumPy's (M2). Templates, so that the operators of Scalar and Ptr, which know more, are preferred.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_OPERATORS_H
#define TESSERA_LANG_OPERATORS_H

#include "tessera/lang/Tile.h"

namespace tessera {

namespace detail {

enum class Binary : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  CeilDiv,
  FloorDiv,
  FloorMod,
};
enum class Compare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge };
enum class Unary : std::uint8_t { Neg, Not };

TESSERA_API Snapshot binary(Binary op, const Operand &a, const Operand &b);
TESSERA_API Snapshot compare(Compare op, const Operand &a, const Operand &b);
TESSERA_API Snapshot unary(Unary op, const Operand &x);

inline Tile binaryTile(Binary op, const Operand &a, const Operand &b) { return Tile(binary(op, a, b), a.at); }
inline Tile compareTile(Compare op, const Operand &a, const Operand &b) { return Tile(compare(op, a, b), a.at); }

} // namespace detail

// Floats: correctly rounded in f32 and f64; f16 and bf16 compute in f32 and round once; fp8 likewise (A3, T4).
// Integers: wrap modulo 2^n (T5); `/` truncates and `%` has the dividend's sign, as in C++ (A1). A pointer plus
// integers advances by whole elements.
template <class = void> Tile operator+(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Add, a, b); }
template <class = void> Tile operator-(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Sub, a, b); }
template <class = void> Tile operator*(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Mul, a, b); }
template <class = void> Tile operator/(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Div, a, b); }
template <class = void> Tile operator%(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Rem, a, b); }

// Bits of integers and logic of i1. `>>` is arithmetic on signed types and logical on unsigned ones; a shift by the
// width or more gives an unspecified value (A2).
template <class = void> Tile operator&(Operand a, Operand b) { return detail::binaryTile(detail::Binary::And, a, b); }
template <class = void> Tile operator|(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Or, a, b); }
template <class = void> Tile operator^(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Xor, a, b); }
template <class = void> Tile operator<<(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Shl, a, b); }
template <class = void> Tile operator>>(Operand a, Operand b) { return detail::binaryTile(detail::Binary::Shr, a, b); }

// Comparisons give i1; with a NaN they are false, except `!=` (A5).
template <class = void> Tile operator==(Operand a, Operand b) { return detail::compareTile(detail::Compare::Eq, a, b); }
template <class = void> Tile operator!=(Operand a, Operand b) { return detail::compareTile(detail::Compare::Ne, a, b); }
template <class = void> Tile operator<(Operand a, Operand b) { return detail::compareTile(detail::Compare::Lt, a, b); }
template <class = void> Tile operator<=(Operand a, Operand b) { return detail::compareTile(detail::Compare::Le, a, b); }
template <class = void> Tile operator>(Operand a, Operand b) { return detail::compareTile(detail::Compare::Gt, a, b); }
template <class = void> Tile operator>=(Operand a, Operand b) { return detail::compareTile(detail::Compare::Ge, a, b); }

/// Unary minus flips the sign of zero too (A6).
template <class = void> Tile operator-(Operand x) { return Tile(detail::unary(detail::Unary::Neg, x), x.at); }
/// All bits flipped; of i1, the logical not.
template <class = void> Tile operator~(Operand x) { return Tile(detail::unary(detail::Unary::Not, x), x.at); }

inline Tile &operator+=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Add, {a, b.at}, b); }
inline Tile &operator-=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Sub, {a, b.at}, b); }
inline Tile &operator*=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Mul, {a, b.at}, b); }
inline Tile &operator/=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Div, {a, b.at}, b); }
inline Tile &operator%=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Rem, {a, b.at}, b); }
inline Tile &operator&=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::And, {a, b.at}, b); }
inline Tile &operator|=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Or, {a, b.at}, b); }
inline Tile &operator^=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Xor, {a, b.at}, b); }
inline Tile &operator<<=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Shl, {a, b.at}, b); }
inline Tile &operator>>=(Tile &a, Operand b) { return a = detail::binaryTile(detail::Binary::Shr, {a, b.at}, b); }

/// Division of integers rounding up, right for negatives too (A1).
template <class = void> Tile cdiv(Operand a, Operand b) { return detail::binaryTile(detail::Binary::CeilDiv, a, b); }
/// Division of integers rounding down.
template <class = void> Tile floor_div(Operand a, Operand b) {
  return detail::binaryTile(detail::Binary::FloorDiv, a, b);
}
/// The remainder of floor_div, with the divisor's sign.
template <class = void> Tile floor_mod(Operand a, Operand b) {
  return detail::binaryTile(detail::Binary::FloorMod, a, b);
}

} // namespace tessera

#endif // TESSERA_LANG_OPERATORS_H
