//===- Ptr.h - addresses of elements ---------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_PTR_H
#define TESSERA_LANG_PTR_H

#include "tessera/lang/Any.h"
#include "tessera/lang/Scalar.h"

namespace tessera {

namespace detail {

/// Reads \p source as one pointer to \p pointee (`any`: to whatever it points to); UsageError otherwise.
TESSERA_API Snapshot toPointer(const Operand &source, DType pointee);

} // namespace detail

template <DType Element> class Ptr;

/// The pointer of `pointer + offset`. Only ever a parameter.
template <DType Element> class PtrOperand : public Operand {
public:
  PtrOperand(const Ptr<Element> &value, std::source_location at = std::source_location::current())
      : Operand(static_cast<const Value &>(value), at) {}
};

/// The offset of `pointer + offset`, in elements: an integer scalar or a C++ integer. Only ever a parameter.
class OffsetOperand : public Operand {
public:
  template <DType Element>
    requires(Element.isInt())
  OffsetOperand(const Scalar<Element> &value, std::source_location at = std::source_location::current())
      : Operand(static_cast<const Value &>(value), at) {}
  template <std::integral Integer>
  OffsetOperand(Integer number, std::source_location at = std::source_location::current()) : Operand(number, at) {}
};

/// An index fixed only at run time: an integer scalar, a tile of rank 0, or a C++ integer. Only ever a parameter.
class IndexOperand : public Operand {
public:
  template <DType Element>
    requires(Element.isInt())
  IndexOperand(const Scalar<Element> &value, std::source_location at = std::source_location::current())
      : Operand(static_cast<const Value &>(value), at) {}
  IndexOperand(const Tile &value, std::source_location at = std::source_location::current()) : Operand(value, at) {}
  template <std::integral Integer>
  IndexOperand(Integer number, std::source_location at = std::source_location::current()) : Operand(number, at) {}
};

/// The address of an element of \p Element in global memory, one per program; adding tiles of integers gives tiles
/// of pointers. `Ptr<any>` points to elements whose type is bound at launch and known while tracing (`p.pointee()`);
/// `Ptr<ptr_to(f32)>` is a table of addresses, which may alias any argument.
template <DType Element> class Ptr : public Value {
  using At = std::source_location;
  using Arg = PtrOperand<Element>;
  static Ptr offset(detail::Binary op, const Operand &a, const Operand &b) {
    return Ptr(detail::binary(op, a, b), a.at);
  }

public:
  static constexpr DType type = Element;

  /// A variable without a value; reading it before the first assignment is a UsageError.
  Ptr() = default;
  Ptr(const Ptr &source, At at = At::current()) : Value(source, at) {}
  Ptr(Ptr &&) noexcept = default;
  /// A tile of rank 0 that holds a pointer to Element (to anything for Ptr<any>); otherwise a UsageError while tracing.
  Ptr(const Tile &source, At at = At::current()) : Value(detail::toPointer(Operand(source, at), Element), at) {}
  /// Any pointer is a Ptr<any>.
  template <DType Other>
    requires(Element == any && Other != any)
  Ptr(const Ptr<Other> &source, At at = At::current()) : Value(detail::toPointer(Operand(source, at), Element), at) {}
  explicit Ptr(const detail::Snapshot &value, At at) : Value(value, at) {}
  Ptr &operator=(Ptr source) {
    write(source);
    return *this;
  }

  /// The element type: Element, or for Ptr<any> the one bound at launch.
  DType pointee(At at = At::current()) const { return dtype(at).pointee(); }
  /// The same address, pointing to elements of U; the argument must be aligned for U (checked).
  template <DType Other> Ptr<Other> as(At at = At::current()) const {
    return Ptr<Other>(Tile(*this, at).as(Other, at), at);
  }
  Tile as(DType dtype, At at = At::current()) const { return Tile(*this, at).as(dtype, at); }
  /// The address as an i64.
  Tile bitcast(DType dtype, At at = At::current()) const { return Tile(*this, at).bitcast(dtype, at); }
  /// Names the present value in the printed IR; returns this variable's value.
  Ptr named(std::string_view name, At at = At::current()) const {
    handle.setName(name, at);
    return Ptr(*this, at);
  }

  friend Ptr operator+(Arg a, OffsetOperand b) { return offset(detail::Binary::Add, a, b); }
  friend Ptr operator+(OffsetOperand a, Arg b) { return offset(detail::Binary::Add, a, b); }
  friend Ptr operator-(Arg a, OffsetOperand b) { return offset(detail::Binary::Sub, a, b); }
  Ptr &operator+=(OffsetOperand b) { return *this = offset(detail::Binary::Add, {*this, b.at}, b); }
  Ptr &operator-=(OffsetOperand b) { return *this = offset(detail::Binary::Sub, {*this, b.at}, b); }
};

} // namespace tessera

#endif // TESSERA_LANG_PTR_H
