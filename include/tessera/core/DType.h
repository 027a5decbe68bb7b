//===- DType.h - element types as values -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A dtype is a value (`f32`) that is also usable as a template argument (`Ptr<f32>`), so it reads the same everywhere.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_DTYPE_H
#define TESSERA_CORE_DTYPE_H

#include "tessera/core/Export.h"

#include <cstdint>
#include <string>

namespace tessera {

/// The element types of SEMANTICS T1. `Any` stands for "bound at launch" in a parameter list and for nothing else.
enum class Kind : std::uint8_t {
  None,
  Any,
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
  E4M3,
  E5M2,
  E4M3Fnuz,
  E5M2Fnuz,
};

/// An element type: a kind behind zero or more levels of pointer. A structural type, so it can be a template argument.
struct DType {
  Kind kind = Kind::None;
  std::uint8_t pointers = 0; ///< levels of indirection: 0 = the kind itself, 1 = pointer to it, ...

  constexpr bool operator==(const DType &) const = default;

  constexpr bool isPointer() const { return pointers != 0; }
  /// The type a pointer points to. Meaningful only if isPointer().
  constexpr DType pointee() const { return {kind, static_cast<std::uint8_t>(pointers - 1)}; }
  constexpr bool isBool() const { return !pointers && kind == Kind::I1; }
  constexpr bool isSigned() const { return !pointers && kind >= Kind::I8 && kind <= Kind::I64; }
  constexpr bool isUnsigned() const { return !pointers && kind >= Kind::U8 && kind <= Kind::U64; }
  /// Signed or unsigned integer; i1 is not one.
  constexpr bool isInt() const { return isSigned() || isUnsigned(); }
  constexpr bool isFloat() const { return !pointers && kind >= Kind::F16; }
  constexpr bool isFp8() const { return !pointers && kind >= Kind::E4M3; }
  /// Width of a value in bits; i1 has 1, a pointer 64, None and Any 0.
  constexpr int bits() const {
    if (pointers)
      return 64;
    switch (kind) {
    case Kind::None:
    case Kind::Any:
      return 0;
    case Kind::I1:
      return 1;
    case Kind::I8:
    case Kind::U8:
    case Kind::E4M3:
    case Kind::E5M2:
    case Kind::E4M3Fnuz:
    case Kind::E5M2Fnuz:
      return 8;
    case Kind::I16:
    case Kind::U16:
    case Kind::F16:
    case Kind::BF16:
      return 16;
    case Kind::I32:
    case Kind::U32:
    case Kind::F32:
      return 32;
    case Kind::I64:
    case Kind::U64:
    case Kind::F64:
      return 64;
    }
    return 0;
  }
  /// Bytes of one element in memory; i1 takes one byte.
  constexpr int bytes() const { return bits() == 1 ? 1 : bits() / 8; }
  /// The spelling users type: "f32", "ptr_to(f32)".
  TESSERA_API std::string name() const;
};

inline constexpr DType i1{Kind::I1}, i8{Kind::I8}, i16{Kind::I16}, i32{Kind::I32}, i64{Kind::I64};
inline constexpr DType u8{Kind::U8}, u16{Kind::U16}, u32{Kind::U32}, u64{Kind::U64};
inline constexpr DType f16{Kind::F16}, bf16{Kind::BF16}, f32{Kind::F32}, f64{Kind::F64};
inline constexpr DType e4m3{Kind::E4M3}, e5m2{Kind::E5M2}, e4m3fnuz{Kind::E4M3Fnuz}, e5m2fnuz{Kind::E5M2Fnuz};

/// The type of a pointer to \p t: `Ptr<ptr_to(f32)>` is a table of addresses of f32.
constexpr DType ptr_to(DType t) { return {t.kind, static_cast<std::uint8_t>(t.pointers + 1)}; }

/// The result type of a binary operation on \p a and \p b (SEMANTICS T4); Kind::None when the two do not mix.
/// Two equal fp8 give that fp8 (computed in f32, rounded once).
constexpr DType promote(DType a, DType b) {
  if (a.isPointer() || b.isPointer() || a.kind <= Kind::Any || b.kind <= Kind::Any)
    return {};
  if (a == b)
    return a;
  if (a.isBool())
    return b;
  if (b.isBool())
    return a;
  if (a.isFloat() && b.isFloat()) {
    if (a.bits() != b.bits())
      return a.bits() > b.bits() ? a : b;
    return f32; // f16 with bf16, or two different fp8
  }
  if (a.isFloat() || b.isFloat()) {
    const DType f = a.isFloat() ? a : b;
    return f.isFp8() ? f32 : f;
  }
  if (a.isSigned() == b.isSigned())
    return a.bits() >= b.bits() ? a : b;
  const DType s = a.isSigned() ? a : b, u = a.isSigned() ? b : a;
  return s.bits() > u.bits() ? s : DType{};
}

namespace detail {

/// Whether every value of \p from is a value of \p to.
constexpr bool isLossless(DType from, DType to) {
  if (from == to)
    return true;
  if (from.isPointer() || to.isPointer() || from.kind <= Kind::Any || to.kind <= Kind::Any || to.isBool())
    return false;
  if (from.isBool())
    return true;
  if (from.isInt() && to.isInt())
    return from.bits() < to.bits() && (from.isUnsigned() || to.isSigned());
  if (from.isInt()) {
    const int digits = from.bits() - (from.isSigned() ? 1 : 0);
    const int mantissa = to == f64 ? 53 : to == f32 ? 24 : to == f16 ? 11 : to == bf16 ? 8 : 0;
    return to.isFloat() && digits <= mantissa;
  }
  if (!to.isFloat())
    return false;
  return from.isFp8() ? !to.isFp8() : from.bits() < to.bits();
}

} // namespace detail

} // namespace tessera

#endif // TESSERA_CORE_DTYPE_H
