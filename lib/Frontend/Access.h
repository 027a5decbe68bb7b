//===- Access.h - operands of memory operations -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What loads, stores and atomics share: hints, pointers, masks, and values brought to the pointers' type and shape.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_FRONTEND_ACCESS_H
#define TESSERA_FRONTEND_ACCESS_H

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/TileEnums.h"
#include "tessera/lang/Memory.h"

namespace tessera::ir {

/// The IR's hint; UsageError for one that is not for loads, or not for stores.
tile::CacheHint loadCache(const Recorder &r, Cache cache);
tile::CacheHint storeCache(const Recorder &r, Cache cache);
tile::EvictHint evictHint(Evict evict);

/// A pointer or tile of pointers; \p verb completes "cannot ... a tile of f32" and begins with the operation's name.
Typed pointerOperand(Recorder &r, const Operand &operand, std::string_view verb);
/// A mask in the shape of \p pointers.
Typed maskFor(Recorder &r, const Operand &mask, Typed pointers);
/// A value of the type \p pointers point to, in their shape; \p what names its role.
Typed valueFor(Recorder &r, const Operand &value, Typed pointers, std::string_view what);

} // namespace tessera::ir

#endif // TESSERA_FRONTEND_ACCESS_H
