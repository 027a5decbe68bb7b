//===- Verify.h - checks that several verifiers share ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each emits an error on the op that names what was expected and what was seen, and returns whether it was right.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_VERIFY_H
#define TESSERA_DIALECT_TILE_IR_VERIFY_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::tile {

/// \p axis is one of \p rank axes.
LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank);

/// The value called \p name of type \p type has the extents \p expected (none for a scalar).
LogicalResult verifyShape(Operation *op, StringRef name, Type type, ArrayRef<int64_t> expected);

/// Two values have one element type.
LogicalResult verifySameElement(Operation *op, StringRef name, Type type, StringRef otherName, Type otherType);

/// Two values have one shape.
LogicalResult verifySameShape(Operation *op, StringRef name, Type type, StringRef otherName, Type otherType);

/// Two values have one rank.
LogicalResult verifySameRank(Operation *op, StringRef name, Type type, StringRef otherName, Type otherType);

/// \p offsets and the extents of \p box lie inside the extents of \p whole, which has the rank of \p box.
LogicalResult verifyBox(Operation *op, ArrayRef<int64_t> offsets, StringRef boxName, Type box, StringRef wholeName,
                        Type whole);

/// A load does not ask for a store's cache.
LogicalResult verifyLoadCache(Operation *op, CacheHint cache);
/// A store does not ask for a load's cache.
LogicalResult verifyStoreCache(Operation *op, CacheHint cache);

/// Extents as text: "[128, 64]".
std::string shapeText(ArrayRef<int64_t> shape);

/// \p shape without \p axis; all of it if there is no such axis.
SmallVector<int64_t> withoutAxis(ArrayRef<int64_t> shape, int64_t axis);

} // namespace tessera::ir::tile

#endif // TESSERA_DIALECT_TILE_IR_VERIFY_H
