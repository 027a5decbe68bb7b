//===- Value.h - traced values as C++ variables ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every traced handle (Tile, Scalar, Ptr) is a C++ variable of the kernel being traced: a copy is a new variable with
// the same value, an assignment inside `for_range` or `if_` means what it means in C++. Handles are bound to the trace
// that made them and to its thread; using one elsewhere throws UsageError.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_VALUE_H
#define TESSERA_LANG_VALUE_H

#include "tessera/core/DType.h"
#include "tessera/core/Export.h"
#include "tessera/core/Shape.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <source_location>
#include <string_view>
#include <type_traits>

namespace tessera {

class Operand;
class Tile;

/// Positive infinity, as a literal: `.other = -inf`.
inline constexpr double inf = std::numeric_limits<double>::infinity();
/// A quiet NaN, as a literal.
inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

namespace detail {

template <class...> inline constexpr bool alwaysFalse = false;

/// Whether this thread is recording a kernel.
TESSERA_API bool isTracing();

/// What a variable held when it was read: an SSA value, valid in the trace and region named beside it.
struct Snapshot {
  const void *value = nullptr; ///< opaque mlir::Value; null means "no value yet"
  std::uint64_t trace = 0;     ///< serial of the trace, 0 outside any
  std::uint32_t region = 0;    ///< serial of the region in which it was read
  DType dtype;                 ///< element type; of a pointer, a pointer type
};

/// The identity of a variable in a trace.
class TESSERA_API Handle {
public:
  /// A variable without a value, declared in the region being traced.
  Handle() noexcept;
  /// A new variable, declared in the region being traced, with the source's present value.
  Handle(const Handle &source, std::source_location at);
  /// Takes over the variable of \p source, which keeps its value until one of the two is assigned.
  Handle(Handle &&source) noexcept;
  /// A new variable holding \p value.
  Handle(const Snapshot &value, std::source_location at);
  ~Handle();
  Handle &operator=(const Handle &) = delete;

  /// Gives this variable the value of \p source.
  void assign(const Handle &source);
  /// The present value; throws UsageError when there is none, or when the variable is of another trace.
  Snapshot read(std::source_location at) const;
  /// Gives the present value a name in the printed IR.
  void setName(std::string_view name, std::source_location at) const;

private:
  std::uint64_t trace = 0;
  std::uint32_t variable = 0;
};

} // namespace detail

/// What all traced values share. Not used by itself: see Tile, Scalar, Ptr.
class TESSERA_API Value {
public:
  /// The element type. Of a pointer or a tile of pointers: the pointer type.
  DType dtype(std::source_location at = std::source_location::current()) const;
  /// The extents; empty for a scalar.
  Shape shape(std::source_location at = std::source_location::current()) const;
  /// The number of axes, 0 to 5; 0 for a scalar.
  int rank(std::source_location at = std::source_location::current()) const;

  /// A traced value has no truth value while the kernel is being recorded.
  template <class Dependent = void> explicit operator bool() const {
    static_assert(detail::alwaysFalse<Dependent>,
                  "a traced value is not known while the kernel is recorded, so it cannot steer "
                  "C++ control flow (if, while, ?:, !, && and ||): use if_(condition, ...) or "
                  "where(condition, a, b), and & and | in place of && and ||");
    return false;
  }

protected:
  Value() = default;
  Value(const Value &source, std::source_location at) : handle(source.handle, at) {}
  Value(Value &&) noexcept = default;
  Value(const detail::Snapshot &value, std::source_location at) : handle(value, at) {}
  void write(const Value &source) { handle.assign(source.handle); }

  detail::Handle handle;
  friend class Operand;
};

/// A C++ number usable as a literal operand.
template <class Type>
concept Number = std::integral<Type> || std::floating_point<Type>;

/// One operand of a traced operation: a traced value as it is now, or a C++ number whose type follows the other operand
/// (SEMANTICS T3). It remembers the line on which it was written. Only ever a parameter; do not declare variables of
/// it.
class TESSERA_API Operand {
public:
  enum class Form : std::uint8_t { Absent, Traced, Integer, Float, Bool };

  Operand(const Value &value, std::source_location at = std::source_location::current());
  template <Number Literal>
  Operand(Literal number, std::source_location at = std::source_location::current()) : at(at) {
    if constexpr (std::same_as<Literal, bool>) {
      form = Form::Bool;
      integer = number;
    } else if constexpr (std::integral<Literal>) {
      form = Form::Integer;
      negative = number < Literal(0);
      integer = static_cast<std::uint64_t>(number);
      isUnsigned = std::is_unsigned_v<Literal>;
    } else {
      form = Form::Float;
      real = static_cast<double>(number);
    }
  }

  bool isLiteral() const { return form >= Form::Integer; }
  bool isPresent() const { return form != Form::Absent; }

  Form form = Form::Absent;
  bool negative = false;   ///< of an integer literal
  bool isUnsigned = false; ///< of an integer literal's C++ type
  std::uint64_t integer = 0;
  double real = 0;
  detail::Snapshot value;
  std::source_location at;

protected:
  Operand() = default;
};

/// An operand that may be left out, for option structs: `{.mask = m}`.
class OptionalOperand : public Operand {
public:
  OptionalOperand() = default;
  OptionalOperand(const Value &value, std::source_location at = std::source_location::current()) : Operand(value, at) {}
  template <Number Literal>
  OptionalOperand(Literal number, std::source_location at = std::source_location::current()) : Operand(number, at) {}
  OptionalOperand(const Operand &operand) : Operand(operand) {}
};

} // namespace tessera

#endif // TESSERA_LANG_VALUE_H
