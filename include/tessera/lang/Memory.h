//===- Memory.h - loads and stores through pointers ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_MEMORY_H
#define TESSERA_LANG_MEMORY_H

#include "tessera/lang/Ptr.h"

namespace tessera {

/// Where an access is kept; changes speed only (SEMANTICS M7). For loads: `all` levels, `global` (not the first level),
/// `streaming` (used once), `again` (fetched anew). For stores: `write_back`, `global`, `streaming`.
enum class Cache : std::uint8_t { normal, all, global, streaming, again, write_back };
/// How long a line stays in the cache; changes speed only.
enum class Evict : std::uint8_t { normal, first, last };

struct LoadOptions {
  OptionalOperand mask = {};  ///< i1; lanes whose mask is false read nothing
  OptionalOperand other = {}; ///< what those lanes yield; 0 when not given
  Cache cache = Cache::normal;
  Evict evict = Evict::normal;
  bool reload = false; ///< never merged with an earlier load
};

struct StoreOptions {
  OptionalOperand mask = {}; ///< i1; lanes whose mask is false write nothing
  Cache cache = Cache::normal;
  Evict evict = Evict::normal;
};

/// The elements at \p pointers: the shape of the pointers, the dtype they point to. `mask` and `other` broadcast with
/// the pointers (SEMANTICS M1, M2); `other` takes the element type and a literal must be in its range. One byte of
/// memory holds an i1; non-zero reads as true. Throws UsageError when \p pointers are not pointers or shapes do not
/// broadcast.
TESSERA_API Tile load(Operand pointers, LoadOptions options = {},
                      std::source_location at = std::source_location::current());

/// Writes \p value to \p pointers. The value is broadcast to the pointers' shape, never the pointers to the value, and
/// its dtype must convert to the element type without loss (cast with `.to` otherwise). If several lanes name one
/// address, one of them wins (M3).
TESSERA_API void store(Operand pointers, Operand value, StoreOptions options = {},
                       std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_MEMORY_H
