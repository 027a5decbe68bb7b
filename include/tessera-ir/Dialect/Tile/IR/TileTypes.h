//===- TileTypes.h - types of the dialect and questions about them --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `!tile.ptr`, `!tile.view`, and the few questions that verifiers, the tracer and executors ask of any value's type. A
// *scalar* is an element type standing alone; a *tile* is a ranked tensor of one; "shaped like" means: a scalar for a
// scalar, a tile of the same extents for a tile.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILETYPES_H
#define TESSERA_IR_DIALECT_TILE_IR_TILETYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>

#define GET_TYPEDEF_CLASSES
#include "tessera-ir/Dialect/Tile/IR/TileTypes.h.inc"

namespace tessera::ir::tile {

/// The limits of SEMANTICS T2.
inline constexpr int64_t kMaxElements = int64_t(1) << 20;
inline constexpr int64_t kMaxRank = 5;
/// How many `!tile.ptr` may be nested.
inline constexpr unsigned kMaxPointerLevels = 8;

/// Whether \p type can be an element: an integer, float or pointer of the dialect.
bool isElement(mlir::Type type);
/// Whether \p type is a tile: rank 1 to kMaxRank, extents powers of two, at most kMaxElements elements of any type.
bool isTile(mlir::Type type);
/// Whether \p type is that of a value of the dialect: an element, a tile of elements or a view.
bool isValueType(mlir::Type type);
/// Why extents do not make a tile, as the second half of a sentence; empty when they do.
std::string whyNoTile(llvm::ArrayRef<int64_t> shape);

/// The element type of a tile, and \p type itself otherwise.
mlir::Type elementOf(mlir::Type type);
/// The extents of a tile, and none for anything else.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// How many elements a value of this type holds: 1 for a scalar. Meaningful for isValueType() without views.
int64_t elementCountOf(mlir::Type type);
/// Shaped like \p type, with elements of \p element.
mlir::Type withElement(mlir::Type type, mlir::Type element);
/// A tile of \p element with these extents, or the scalar for an empty \p shape.
mlir::Type valueType(llvm::ArrayRef<int64_t> shape, mlir::Type element);
/// What pointers of this type (a scalar or a tile of them) point to, shaped like it. \p type itself if there are none.
mlir::Type pointeeOf(mlir::Type type);
/// `!tile.ptr` to the element of a view. \p type itself if it is none.
mlir::Type pointerToElementOf(mlir::Type type);
/// Width of a value of this element type: 64 for a pointer.
unsigned bitsOf(mlir::Type element);

} // namespace tessera::ir::tile

#endif // TESSERA_IR_DIALECT_TILE_IR_TILETYPES_H
