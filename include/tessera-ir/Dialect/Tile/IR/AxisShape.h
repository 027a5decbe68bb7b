//===- AxisShape.h - a block seen from one axis -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_AXISSHAPE_H
#define TESSERA_IR_DIALECT_TILE_IR_AXISSHAPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdint>

namespace tessera::ir::tile {

/// A shape as `outer` x `extent` x `inner` elements, the axis of interest in the middle. All are powers of two.
struct AxisShape {
  std::int64_t outer = 1, extent = 1, inner = 1;
  std::int64_t count() const { return outer * extent * inner; }
};

inline AxisShape axisShape(llvm::ArrayRef<std::int64_t> shape, unsigned axis) {
  AxisShape result;
  for (const auto [i, extent] : llvm::enumerate(shape))
    (i < axis ? result.outer : i == axis ? result.extent : result.inner) *= extent;
  return result;
}

} // namespace tessera::ir::tile

#endif // TESSERA_IR_DIALECT_TILE_IR_AXISSHAPE_H
