//===- Atomic.h - memory shared by programs --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Only atomics communicate between programs, and a program must not wait for another (SEMANTICS M4). All of them work
// on each lane by itself, give the old value, do nothing in lanes whose mask is false (which yield 0), and let each of
// several lanes with one address take effect once (M5). Values and mask broadcast to the shape of the pointers, and
// values convert to the element type without loss.
//
// | operation          | i8-i64, u8-u64 | f16 bf16 f32 f64 | fp8 | pointers |
// |--------------------|----------------|------------------|-----|----------|
// | add sub max min    | yes            | yes              | no  | no       |
// | and or xor         | yes            | no               | no  | no       |
// | xchg cas load store| yes            | yes              | yes | yes      |
//
// i1 has no atomics. What a chip lacks becomes a loop around its compare-and-swap.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_ATOMIC_H
#define TESSERA_LANG_ATOMIC_H

#include "tessera/lang/Ptr.h"

namespace tessera {

/// What an atomic access orders: a release all earlier accesses of the whole program, its other warps included, an
/// acquire all later ones (SEMANTICS M5).
enum class Order : std::uint8_t { relaxed, acquire, release, acq_rel };
/// Who sees that order: the programs on one multiprocessor's block, on the device, or everyone, the host included.
enum class Scope : std::uint8_t { block, device, system };

struct AtomicOptions {
  OptionalOperand mask = {}; ///< i1; lanes whose mask is false do nothing
  Order order = Order::relaxed;
  Scope scope = Scope::device;
};

/// Options of atomic_xchg and atomic_cas, which order both ways by default.
struct ExchangeOptions {
  OptionalOperand mask = {}; ///< i1; lanes whose mask is false do nothing
  Order order = Order::acq_rel;
  Scope scope = Scope::device;
};

/// Adds; integers wrap.
TESSERA_API Tile atomic_add(Operand pointers, Operand value, AtomicOptions options = {},
                            std::source_location at = std::source_location::current());
/// Subtracts; integers wrap.
TESSERA_API Tile atomic_sub(Operand pointers, Operand value, AtomicOptions options = {},
                            std::source_location at = std::source_location::current());
/// Keeps the greater; a NaN is dropped and -0 is below +0.
TESSERA_API Tile atomic_max(Operand pointers, Operand value, AtomicOptions options = {},
                            std::source_location at = std::source_location::current());
/// Keeps the lesser; see atomic_max.
TESSERA_API Tile atomic_min(Operand pointers, Operand value, AtomicOptions options = {},
                            std::source_location at = std::source_location::current());
/// Bitwise and, of integers.
TESSERA_API Tile atomic_and(Operand pointers, Operand value, AtomicOptions options = {},
                            std::source_location at = std::source_location::current());
/// Bitwise or, of integers.
TESSERA_API Tile atomic_or(Operand pointers, Operand value, AtomicOptions options = {},
                           std::source_location at = std::source_location::current());
/// Bitwise exclusive or, of integers.
TESSERA_API Tile atomic_xor(Operand pointers, Operand value, AtomicOptions options = {},
                            std::source_location at = std::source_location::current());
/// Replaces the element.
TESSERA_API Tile atomic_xchg(Operand pointers, Operand value, ExchangeOptions options = {},
                             std::source_location at = std::source_location::current());
/// Replaces the element by \p desired where it holds \p expected, compared bit by bit; where the result equals
/// \p expected it was replaced.
TESSERA_API Tile atomic_cas(Operand pointers, Operand expected, Operand desired, ExchangeOptions options = {},
                            std::source_location at = std::source_location::current());
/// Reads; `relaxed` or `acquire`.
TESSERA_API Tile atomic_load(Operand pointers, AtomicOptions options = {},
                             std::source_location at = std::source_location::current());
/// Writes; `relaxed` or `release`.
TESSERA_API void atomic_store(Operand pointers, Operand value, AtomicOptions options = {},
                              std::source_location at = std::source_location::current());

/// True in the last program to arrive at \p counter, one pointer to an i32, u32, i64 or u64 that was 0 before the
/// launch (a Zeroed parameter or a zeroed workspace): everything the others did before they arrived is then visible.
/// All programs of the grid arrive, each once (SEMANTICS M4).
TESSERA_API Bool last_program(Operand counter, std::source_location at = std::source_location::current());
/// The same where \p arrivals programs share the counter: one counter for each output block, say, and as many arrivals
/// as it has splits.
TESSERA_API Bool last_program(Operand counter, IndexOperand arrivals,
                              std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_ATOMIC_H
