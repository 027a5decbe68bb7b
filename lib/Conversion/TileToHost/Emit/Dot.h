//===- Dot.h - the layout of packed operands -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The micro-kernel of a dot reads *words*: f32 for floats up to 32 bits, f64, and for i8 an i32 that holds two
// neighbours along k as i16, the first in the lower half, or one element if k has one step. A panel of B and a block of
// rows of A are read in the order in which they lie.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_EMIT_DOT_H
#define TESSERA_CONVERSION_TILETOHOST_EMIT_DOT_H

#include "Conversion/TileToHost/Emit/Emitter.h"

namespace tessera::ir::host {

/// Extents of a dot.
struct DotShape {
  explicit DotShape(tile::DotOp op);
  int64_t batches = 1, rows, columns, depth;
};

/// Where the words of an operand lie. A *line* is a row of A or a column of B.
struct PackedLayout {
  PackedLayout(tile::DotOp op, const PackedView &view);

  bool isB;
  bool isPaired;   ///< two elements of k in a word
  Type word;       ///< f32, f64 or i32
  int64_t lines;   ///< of one batch
  int64_t depth;   ///< words of a line
  int64_t panel;   ///< lines that lie together; of A all or one
  bool linesInner; ///< neighbouring lines of a panel are neighbours in memory, else neighbours along k are

  int64_t batchWords() const { return lines * depth; }
  int64_t lineStride() const { return linesInner ? 1 : depth; } ///< within a panel
  int64_t depthStride() const { return linesInner ? panel : 1; }
};

/// The word at line \p line and step \p k (in words) of \p batch, i64 each, as a number of words from the start.
Value wordIndex(Emitter &e, const PackedLayout &layout, Value batch, Value line, Value k);

/// The start of a packed operand.
Value packedPointer(Emitter &e, const PackedView &view);

/// Writes an operand of a dot as the micro-kernel reads it.
std::unique_ptr<GroupSink> makePackSink(const Sink &sink, Emitter &e);

/// Operands of a micro-kernel: pointers to the words of its first row and of its panel for k = 0.
struct MicroKernel {
  const PackedLayout &a, &b;
  int64_t rows;   ///< of A, in registers
  unsigned lanes; ///< of a vector of columns; a divisor of B's panel
  Value rowPointer, panelPointer;

  /// \p sums[row * vectors + vector] plus the products of all steps of k.
  SmallVector<Value> emit(Emitter &e, SmallVector<Value> sums) const;
};

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_EMIT_DOT_H
