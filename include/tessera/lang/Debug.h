//===- Debug.h - looking inside a kernel, and target assembly --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_DEBUG_H
#define TESSERA_LANG_DEBUG_H

#include "tessera/lang/Tile.h"

#include <array>
#include <initializer_list>
#include <vector>

namespace tessera {

struct PrintOptions {
  OptionalOperand when = {}; ///< i1; prints only the programs, or only the lanes, where it is true
};

/// Prints one line a lane: \p prefix, the values, under their names where they were given one, program and coordinates
/// (SEMANTICS L3): `device_print("row", {i, x}, {.when = x < 0})`. Works on every target. Tiles among the values and
/// `when` broadcast together; scalars are the same in every lane, and alone give one line a program.
TESSERA_API void device_print(std::string_view prefix, std::initializer_list<Operand> values, PrintOptions options = {},
                              std::source_location at = std::source_location::current());
/// Prints one value.
inline void device_print(std::string_view prefix, Operand value, PrintOptions options = {},
                         std::source_location at = std::source_location::current()) {
  device_print(prefix, std::initializer_list<Operand>{value}, options, at);
}
/// Prints the prefix once a program.
inline void device_print(std::string_view prefix, PrintOptions options = {},
                         std::source_location at = std::source_location::current()) {
  device_print(prefix, std::initializer_list<Operand>{}, options, at);
}

/// Reports \p message with the user's line, program and coordinates for each lane where \p condition (i1) is false. On
/// when the kernel is compiled with checks, otherwise it costs nothing (SEMANTICS L3).
TESSERA_API void device_assert(Operand condition, std::string_view message = "assertion failed",
                               std::source_location at = std::source_location::current());

/// Instructions for one family of targets: the start of the target's name ("cuda", "hip:gfx9"), the text, and its
/// constraints in LLVM's notation ("=f,f").
struct AsmBody {
  std::string_view target, text, constraints;
};

struct AsmOptions {
  bool pure = true; ///< false when the text touches memory or must run even if its results are unused
  int pack = 1;     ///< so many neighbouring elements go to one run of the text; a power of two
};

namespace detail {
TESSERA_API std::vector<Snapshot> inlineAsm(std::initializer_list<AsmBody> bodies, const DType *outputs,
                                            std::size_t count, std::initializer_list<Operand> inputs,
                                            const AsmOptions &options, std::source_location at);
template <std::size_t... Index>
std::array<Tile, sizeof...(Index)> tileArray(const std::vector<Snapshot> &values, std::source_location at,
                                             std::integer_sequence<std::size_t, Index...>) {
  return {Tile(values[Index], at)...};
}
} // namespace detail

/// A target's own instructions on each element: `inline_asm({{"cuda", "lg2.approx.f32 $0, $1;", "=f,f"}}, f32, {x})`.
/// The inputs broadcast to one shape, which the result has too. The longest fitting target name is used; a target that
/// none fits refuses the kernel (SEMANTICS P2). UsageError for an unknown family, two bodies for one target, and no
/// bodies.
inline Tile inline_asm(std::initializer_list<AsmBody> bodies, DType output, std::initializer_list<Operand> inputs,
                       AsmOptions options = {}, std::source_location at = std::source_location::current()) {
  return Tile(detail::inlineAsm(bodies, &output, 1, inputs, options, at)[0], at);
}
/// The same with several results: `auto [q, r] = inline_asm(bodies, {u32, u32}, {x, y})`.
template <std::size_t Count>
std::array<Tile, Count> inline_asm(std::initializer_list<AsmBody> bodies, const DType (&outputs)[Count],
                                   std::initializer_list<Operand> inputs, AsmOptions options = {},
                                   std::source_location at = std::source_location::current()) {
  static_assert(Count > 1, "write one output without braces");
  return detail::tileArray(detail::inlineAsm(bodies, outputs, Count, inputs, options, at), at,
                           std::make_integer_sequence<std::size_t, Count>());
}
/// The same without results; never pure.
inline void inline_asm(std::initializer_list<AsmBody> bodies, std::initializer_list<Operand> inputs,
                       std::source_location at = std::source_location::current()) {
  detail::inlineAsm(bodies, nullptr, 0, inputs, {.pure = false}, at);
}

} // namespace tessera

#endif // TESSERA_LANG_DEBUG_H
