//===- CopiedLoads.h - what a pipelined loop brings ahead ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A load may be begun rounds before the one that it belongs to if what its address and mask are computed from can be,
// and if nothing in the loop writes what it reads or says what may be read.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_COPIEDLOADS_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_COPIEDLOADS_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tessera::ir::layout {

/// How the elements come in.
enum class CopyWay {
  Tensor,   ///< a unit of the chip copies the box into a slot of a ring
  Async,    ///< threads copy into a slot, and go on meanwhile
  Straight, ///< so do warps as a whole (Layout/StraightCopy.h); their accesses are counted, so that each round has some
  Registers, ///< threads load one round ahead, and the loop carries the tile
};

/// A load in the body of a loop that is begun ahead.
struct CopiedLoad {
  Operation *op = nullptr; ///< a `tile.load` or `tile.view_load`
  CopyWay way = CopyWay::Registers;
  BufferType slot;            ///< of the ring; null with `Registers`
  Operation *store = nullptr; ///< puts what is loaded, and nothing else uses, into a buffer that becomes the ring
  Value buffer;               ///< that buffer; or null
  int64_t vector = 1;         ///< elements that a thread copies at once
  Type read;                  ///< of the tile that is read back where there is no `buffer`; all convert it to that
  TileLayoutAttr access;      ///< who copies what with `Async` and `Straight`

  /// How often a thread copies.
  int64_t accesses() const { return int64_t{access.getLayout().size(::tessera::layout::Dim::Register)} / vector; }
  bool hasRing() const { return way != CopyWay::Registers; }
  Value result() const { return op->getResult(0); }
};

/// What values are computed from in the body of a loop.
struct Slice {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<unsigned> carried; ///< numbers of values that the loop carries
};

/// The slice of what \p loads, of the body of \p loop, take.
Slice sliceOf(mlir::scf::ForOp loop, ArrayRef<CopiedLoad> loads);

/// What loads may be copied by.
struct CopyMeans {
  bool threads = false;  ///< the chip copies beside the threads that ask for it
  bool boxes = false;    ///< the chip copies boxes, and the image may ask for what their descriptors need
  int loadBanks = 32;    ///< of shared memory, that serve loads
  int straightBytes = 0; ///< widest access of a lane of copies by whole warps; 0 if the chip has none
};

/// The loads in the body of \p loop that can be begun ahead and are worth it, in the order of the text. Those that feed
/// no product are only with \p isAsked.
SmallVector<CopiedLoad> copiedLoads(mlir::scf::ForOp loop, CopyMeans means, bool isAsked);

/// The ops that access \p buffer or end its life, under this name or another for all or a part of it.
SmallVector<Operation *> accessesOf(Value buffer);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_COPIEDLOADS_H
