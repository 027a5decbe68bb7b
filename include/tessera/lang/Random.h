//===- Random.h - random numbers from a counter ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Philox-4x32: no state, every element is a function of a seed and an offset, the same on every target (SEMANTICS N1).
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_RANDOM_H
#define TESSERA_LANG_RANDOM_H

#include "tessera/lang/Tile.h"

namespace tessera {

struct RandomOptions {
  int rounds = 10; ///< 1 to 16; below 7 the words are no longer random enough for statistics
};

/// The four words of one counter, u32 each.
struct RandomWords {
  Tile w0, w1, w2, w3;
};

/// Philox-4x32 of a 64-bit \p key and the counter \p c0 ... \p c3: four random words (SEMANTICS N1). All are integers
/// and broadcast together. The key counts modulo 2^64, its low half is the algorithm's first key word; counters count
/// modulo 2^32.
TESSERA_API RandomWords philox(Operand key, Operand c0, Operand c1, Operand c2, Operand c3, RandomOptions options = {},
                               std::source_location at = std::source_location::current());

/// A random u32 for each offset: word 0 of philox with the key \p seed and the counter (low half of the offset, high
/// half, 0, 0), the offset being extended to 64 bits by its own signedness. \p seed and \p offset are integers and
/// broadcast.
TESSERA_API Tile randint(Operand seed, Operand offset, RandomOptions options = {},
                         std::source_location at = std::source_location::current());
/// Uniform f32 in [0, 1): `(randint(seed, offset) >> 8) * 2^-24`, exact, so the same bits on every target. The greatest
/// is 1 - 2^-24.
TESSERA_API Tile rand(Operand seed, Operand offset, RandomOptions options = {},
                      std::source_location at = std::source_location::current());
/// Normal f32 of mean 0 and deviation 1 by Box and Muller from words 0 and 1 of the same counter: `sqrt(-2 * log(u)) *
/// cos(2 * pi * v)` with `u = ((w0 >> 8) + 1) * 2^-24` in (0, 1] and `v = (w1 >> 8) * 2^-24`; at most 5.77 in
/// magnitude. Equal on all targets within the bounds of log, sqrt and cos.
TESSERA_API Tile randn(Operand seed, Operand offset, RandomOptions options = {},
                       std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_RANDOM_H
