//===- TileBuilder.h - builds ops on tiles that have layouts ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What passes that take an op apart write their pieces with: `tile` ops whose results get the layout that the op's rule
// gives for those of the operands. Nothing that it builds moves an element to another thread but convert().
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_TILEBUILDER_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_TILEBUILDER_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::layout {

/// In which order a reduction combines elements: any, or that of the tree from either end of the axis.
enum class Order : std::uint8_t { Free, Forward, Backward };

class TileBuilder {
public:
  /// Emits before what \p builder stands at; \p builder must outlive this.
  TileBuilder(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  OpBuilder &builder() { return b; }
  Location location() const { return loc; }

  /// \p x under \p layout: \p x itself if it has it, or is a scalar.
  Value convert(Value x, const TileLayout &layout);
  /// A scalar for an empty \p shape.
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value trans(Value x, ArrayRef<int32_t> permutation);
  /// \p x, one of whose axes may have extent 1 where \p layout has more, repeated to it. Converts \p x if need be.
  Value broadcast(Value x, const TileLayout &layout);
  /// The coordinate on \p axis of each element of a tile of \p layout, as i32.
  Value coordinate(const TileLayout &layout, int axis);
  /// Every element of \p like is \p value.
  Value constant(TypedAttr value, Type like);
  /// \p lhs and \p rhs side by side on a new last axis, which registers tell apart.
  Value join(Value lhs, Value rhs);

  /// The inputs combined along \p axis by a copy of the region \p combine.
  SmallVector<Value> reduce(ValueRange inputs, int axis, Region &combine, Order order);
  /// Elements of the tiles \p lhs combined with those of \p rhs by a copy of \p combine, left with right.
  SmallVector<Value> combine(ValueRange lhs, ValueRange rhs, Region &combine);

  /// A layout of \p shape over as many threads as \p threads has, with neighbours of the last axis in neighbouring
  /// lanes.
  static TileLayout spread(ArrayRef<int64_t> shape, const TileLayout &threads);

private:
  OpBuilder &b;
  Location loc;
};

/// A layout in which \p parts registers tell a new last axis apart and each thread holds them of what it holds of
/// \p layout.
TileLayout joined(const TileLayout &layout, int64_t parts);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_TILEBUILDER_H
