//===- Operands.h - operands of products where they belong -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_OPERANDS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_OPERANDS_H

#include "IRSupport/LLVM.h"
#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

/// \p x with elements of the float type \p element, which holds them exactly.
Value withElements(OpBuilder &b, Location loc, Value x, Type element);

/// \p x under \p layout.
Value under(OpBuilder &b, Location loc, Value x, const ::tessera::layout::TileLayout &layout);

/// What an operand was before it was transposed and reshaped: that is stored, and a buffer transposed and reshaped
/// instead, for which nothing moves.
class Origin {
public:
  explicit Origin(Value operand);

  Value tile() const { return value; }
  /// Whether it comes straight from memory.
  bool isLoaded() const;

  /// The layout of the origin under which the operand has \p layout.
  ::tessera::layout::SharedLayout layoutFor(::tessera::layout::SharedLayout layout) const;

  /// \p buffer, of the origin, as the operand.
  Value asOperand(OpBuilder &b, Location loc, Value buffer) const;

private:
  Value value;
  SmallVector<Operation *> steps; ///< from the operand back
};

/// The outermost loop around \p dot in which what an operand comes from does not change, or \p dot.
Operation *placeOf(const Origin &origin, tile::DotOp dot);

/// An operand in shared memory.
struct StoredOperand {
  Value buffer;               ///< as the product reads it
  Value allocation;           ///< null for an operand in registers
  Operation *place = nullptr; ///< before which it is stored, and behind which it is freed
};

/// The operands of a kernel's products that were stored. What several products take of one block is stored once.
class OperandStores {
public:
  /// Stores what an operand of \p dot comes from before \p place, so that the operand has \p layout. \p isFenced: for a
  /// unit that reads it beside the program; not where it is stored right before the product, which has a fence.
  StoredOperand store(const Origin &origin, const ::tessera::layout::SharedLayout &layout, tile::DotOp dot,
                      Operation *place, bool isFenced = false);

  /// Frees \p operands behind \p dot, where \p b is.
  void free(OpBuilder &b, ArrayRef<StoredOperand> operands, tile::DotOp dot);

private:
  struct Entry {
    Value tile;
    Value allocation;
    Block *block; ///< in which it is stored
    layout::SharedFreeOp freed;
  };
  SmallVector<Entry> entries;
};

/// Erases \p dot, which \p product stands for, and what its operands are no longer needed for.
void replaceProduct(tile::DotOp dot, Value product);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_OPERANDS_H
