//===- Fragments.h - operands of matrix units, step by step ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the threads of a warp hold of an operand for one step of a unit along k. Registers of less than 32 bits come in
// words of neighbours, as units take them.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_FRAGMENTS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_FRAGMENTS_H

#include "Conversion/LayoutToLLVM/Lanes/Buffer.h"
#include "Layout/MatrixLoad.h"

namespace tessera::ir::gpu {

/// Registers of \p element, in words where they are narrower.
SmallVector<Value> wordsOf(Emitter &e, Type element, ArrayRef<Value> registers);

/// The steps of an operand along one of its axes.
struct Steps {
  /// Of matrices of \p shape, two or three axes, along axis \p axis of the last two, under the layout \p one of a step.
  Steps(ArrayRef<int64_t> shape, int axis, const ::tessera::layout::TileLayout &one);

  int64_t count() const { return int64_t(1) << bits; }
  /// The flat index of the element that step \p step of \p batch has where one of its layout has \p flat.
  std::uint32_t flat(std::uint32_t flat, int64_t step, int64_t batch) const;
  /// The bits of flat indices in which steps and batches differ.
  std::uint32_t otherBits() const;

  int axis;
  int columnBits, matrixBits;      ///< of the operand's flat index
  int oneColumnBits, oneDepthBits; ///< of a step's columns, and of its extent along the axis
  int bits;                        ///< of the number of a step
  int oneBits, allBits;            ///< of all flat indices of a step, and of the operand
};

/// Fragments of an operand in a tile.
class TileFragments {
public:
  TileFragments(Emitter &e, Value tile, int axis, const ::tessera::layout::TileLayout &one);
  const Steps &all() const { return steps; }
  SmallVector<Value> read(int64_t batch, int64_t step) const;

private:
  Steps steps;
  ::tessera::layout::TileLayout one;
  llvm::DenseMap<std::uint32_t, unsigned> wordOf; ///< by what a thread has of the flat index of the first element
  SmallVector<Value> words;
  unsigned perWord;
};

/// Fragments of an operand in a buffer: read by loads of matrices where the chip has them and places allow it.
class BufferFragments {
public:
  BufferFragments(Emitter &e, Value buffer, int axis, const ::tessera::layout::TileLayout &one);
  const Steps &all() const { return steps; }
  SmallVector<Value> read(int64_t batch, int64_t step) { return read(batch, step, {}, 0); }
  /// Step `step + bits`, where the bits of \p run (i32), a multiple of 2^runShift, are none of \p step.
  SmallVector<Value> read(int64_t batch, int64_t step, Value run, int runShift);

private:
  SmallVector<Value> readMatrices(std::uint32_t also, Value more, std::uint32_t moreBits);
  SmallVector<Value> readElements(std::uint32_t also, Value more, std::uint32_t moreBits);

  Emitter &e;
  Steps steps;
  const ::tessera::layout::SharedLayout &shared;
  Type element;
  layout::TileLayout::Bases offsets; ///< of the first step of the first batch
  std::optional<::tessera::layout::MatrixAccess> matrices;
  std::unique_ptr<Places> places;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_FRAGMENTS_H
