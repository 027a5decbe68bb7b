//===- Product.h - what matrix units are asked about -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_PRODUCT_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_PRODUCT_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <optional>

namespace tessera::ir::gpu {

/// A product of matrices, or as many of them as `batches` says, without where its operands are.
struct Product {
  explicit Product(tile::DotOp dot);
  explicit Product(layout::SharedDotOp dot);

  SmallVector<int64_t, 3> shapeOfA() const { return shape(rows, depth); }
  SmallVector<int64_t, 3> shapeOfB() const { return shape(depth, columns); }
  SmallVector<int64_t, 3> shapeOfResult() const { return shape(rows, columns); }
  /// One of the batches, and of its depth only \p depth.
  Product part(int64_t depth) const;

  std::optional<int64_t> batches; ///< of three axes
  int64_t rows, columns, depth;
  Type a, b, sum; ///< of elements
  tile::DotPrecision precision;
  std::optional<uint32_t> maxImpreciseK;

private:
  template <class Op> Product(Op dot, Type left, Type right);
  SmallVector<int64_t, 3> shape(int64_t first, int64_t second) const;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_PRODUCT_H
