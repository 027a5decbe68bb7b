//===- LayoutAttrs.h - layouts as attributes, and types with them --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `#layout.tile` holds a tessera::layout::TileLayout and is the encoding of a tile; `#layout.shared` holds a
// SharedLayout, the order of a buffer. The functions below ask types for layouts and give them some.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTATTRS_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTATTRS_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera::layout {

/// Lets attributes that hold layouts be uniqued.
llvm::hash_code hash_value(const TileLayout &layout);
llvm::hash_code hash_value(const SharedLayout &layout);

} // namespace tessera::layout

#include "tessera-ir/Dialect/Layout/IR/LayoutEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h.inc"

namespace tessera::ir::layout {

using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

/// What tile_layout_c1 to _c4 have against these columns, as a sentence; empty if they make a layout.
std::string whyNoTileLayout(llvm::ArrayRef<int64_t> shape, const TileLayout::Bases &bases);
/// The same with shared_layout_c1 to _c3.
std::string whyNoSharedLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<uint32_t> offsets);

/// The layout of a tile's type; null if it has none.
TileLayoutAttr encodingOf(mlir::Type type);
/// The same by value; the layout of a scalar if the type has none.
TileLayout layoutOf(mlir::Type type);
/// The tile \p type under \p layout, which has its shape; a scalar stays itself.
mlir::Type withLayout(mlir::Type type, const TileLayout &layout);
mlir::Type withLayout(mlir::Type type, TileLayoutAttr layout);
/// The tile \p type without a layout; a scalar stays itself.
mlir::Type withoutLayout(mlir::Type type);

} // namespace tessera::ir::layout

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTATTRS_H
