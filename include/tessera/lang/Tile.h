//===- Tile.h - a block of elements ----------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_TILE_H
#define TESSERA_LANG_TILE_H

#include "tessera/lang/Value.h"

namespace tessera {

/// How a float conversion rounds.
enum class Rounding : std::uint8_t {
  nearest,     ///< to nearest, ties to even
  toward_zero, ///< truncation
  stochastic,  ///< up or down with the probability of the lost part; needs random_bits
};

/// Options of Tile::to.
struct CastOptions {
  Rounding rounding = Rounding::nearest;
  bool saturate = false;            ///< out-of-range values clamp to the largest finite one (float to float)
  OptionalOperand random_bits = {}; ///< 32 random bits an element, for Rounding::stochastic
};

/// A block of elements of one dtype, rank 0 to 5, every extent a power of two, at most 2^20 elements (SEMANTICS T2).
/// A C++ variable: copies are new variables, assignment inside a traced region is carried out of it. A tile of rank 0
/// is a scalar and converts to Int, F32, ... where its dtype allows.
class TESSERA_API Tile : public Value {
public:
  /// A variable without a value; reading it before the first assignment is a UsageError.
  Tile() = default;
  Tile(const Tile &source, std::source_location at = std::source_location::current()) : Value(source, at) {}
  Tile(Tile &&) noexcept = default;
  /// Any scalar or pointer is a tile of rank 0.
  Tile(const Value &source, std::source_location at = std::source_location::current()) : Value(source, at) {}
  /// A C++ number is a scalar: i32 (i64 where it does not fit) for integers, f32 for floats, i1 for bool.
  template <Number Literal>
  Tile(Literal number, std::source_location at = std::source_location::current()) : Tile(Operand(number, at)) {}
  explicit Tile(const detail::Snapshot &value, std::source_location at) : Value(value, at) {}
  explicit Tile(const Operand &literal);
  Tile &operator=(Tile source) {
    write(source);
    return *this;
  }

  /// This tile converted to \p dtype (SEMANTICS C1-C3): float narrowing rounds to nearest even and overflows to
  /// infinity (to NaN where the type has none), float to int truncates, saturates and maps NaN to 0, int to int wraps.
  /// Throws UsageError for pointers and for options that do not apply.
  Tile to(DType dtype, CastOptions options = {}, std::source_location at = std::source_location::current()) const;
  /// The same bits read as \p dtype. Equal widths keep the shape; a wider dtype joins the last axis (2 x f16 to u32), a
  /// narrower one splits each element into a new last axis. Between a pointer and i64 it converts the address.
  Tile bitcast(DType dtype, std::source_location at = std::source_location::current()) const;
  /// Of a pointer or tile of pointers: the same addresses, pointing to elements of \p dtype (same alias class).
  Tile as(DType dtype, std::source_location at = std::source_location::current()) const;
  /// A 1-D tile of n elements as one row, 1 x n.
  Tile row(std::source_location at = std::source_location::current()) const;
  /// A 1-D tile of n elements as one column, n x 1.
  Tile col(std::source_location at = std::source_location::current()) const;
  /// Names the present value in the printed IR; returns this variable's value.
  Tile named(std::string_view name, std::source_location at = std::source_location::current()) const;
};

} // namespace tessera

#endif // TESSERA_LANG_TILE_H
