//===- Lanes.h - where a vector of a tile's elements stands --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Tiles are computed a block of lanes at a time. A block is a run of elements along one axis of a tile; as an SSA value
// its elements are one vector, or one scalar where the block has a single lane.
//
// Elements have a form of their own in code: f16, bf16 and fp8 are their bits (i16, i8), pointers are i64 addresses, i1
// is i1. In memory i1 is a byte of 0 or 1 and all else is as in code.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_EMIT_LANES_H
#define TESSERA_CONVERSION_TILETOHOST_EMIT_LANES_H

#include "Conversion/Common/CodeTypes.h"

#include <cstdint>

namespace tessera::ir::host {

/// A run of `lanes` elements of a tile along `axis`; `index` has the coordinates of the first, i64 each, one per axis
/// of the tile. A scalar has no axes and one lane.
///
/// Axes whose elements lie evenly may be run through as one: then the coordinate of the innermost of them goes past its
/// extent and the others stay 0. Code that only adds up strides needs to know nothing of it.
struct LaneBlock {
  SmallVector<Value, 5> index;
  unsigned axis = 0;
  unsigned lanes = 1;
};

/// What a loop nest runs over: all elements of a shape, in blocks. Axes of one element get no loop.
struct Domain {
  SmallVector<int64_t, 5> shape;
  SmallVector<unsigned, 5> order; ///< axes from the outermost loop to the innermost
  SmallVector<bool, 5> joined;    ///< per axis: run through together with the next one of more than one element
  unsigned axis = 0;              ///< of the lanes of a block: the innermost of more than one element
  unsigned lanes = 1;             ///< of a block; divides the extent of `axis`
};

/// One loop of a nest.
struct DomainLoop {
  unsigned axis;  ///< whose coordinate it counts
  int64_t extent; ///< of all axes that it runs through
};

/// Elements in the arena: element i has the place `pointer` + sum of i[d] * strides[d], in elements of storedType().
struct Buffer {
  Value pointer; ///< an `!llvm.ptr`
  SmallVector<int64_t, 5> strides;
  Type element; ///< of the tile
};

/// The form of \p lanes elements: a vector, or the element itself for 1.
Type laneType(Type element, unsigned lanes);
/// How many lanes a value in code has.
unsigned lanesOf(Value value);

/// Splits \p shape into blocks of at most \p lanes lanes along the innermost axis of \p order; row-major if that is
/// empty.
Domain domainOf(ArrayRef<int64_t> shape, unsigned lanes, ArrayRef<unsigned> order = {});
/// The loops that \p domain needs, outermost first; none if it has one element.
SmallVector<DomainLoop, 5> loopsOf(const Domain &domain);
/// Row-major strides of \p shape.
SmallVector<int64_t, 5> denseStrides(ArrayRef<int64_t> shape);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_EMIT_LANES_H
