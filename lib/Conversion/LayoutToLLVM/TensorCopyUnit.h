//===- TensorCopyUnit.h - what copies boxes of views -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A unit of the chip that copies boxes through descriptors, and barriers in shared memory that count its bytes. What
// these emit is for one thread unless they say otherwise; barriers are pointers to 8 bytes of shared memory.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_TENSORCOPYUNIT_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_TENSORCOPYUNIT_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"
#include "tessera-ir/Dialect/Tile/IR/TileEnums.h"

namespace tessera::ir::gpu {

class Emitter;

class TensorCopyUnit {
public:
  virtual ~TensorCopyUnit();

  /// Starts to copy the box of the descriptor \p map at \p coords (i32, that of the contiguous axis first) to \p to;
  /// its bytes are counted at \p barrier.
  virtual void load(Emitter &e, Value to, Value map, ValueRange coords, Value barrier, tile::EvictHint evict) const = 0;
  /// Starts to copy \p from to the box.
  virtual void store(Emitter &e, Value map, ValueRange coords, Value from, tile::EvictHint evict) const = 0;
  /// Makes a group of the stores that the thread has started.
  virtual void commit(Emitter &e) const = 0;
  /// Each thread waits for all its groups but the last \p pending; with \p read, for them to have read their buffers.
  virtual void wait(Emitter &e, unsigned pending, bool read) const = 0;
  /// The descriptor \p map will be used.
  virtual void prefetch(Emitter &e, Value map) const = 0;
  /// What each thread did to memory of \p space comes before what units do that are started later.
  virtual void fence(Emitter &e, layout::FenceSpace space) const = 0;

  /// Makes a barrier whose phases take \p count arrivals.
  virtual void makeBarrier(Emitter &e, Value barrier, unsigned count) const = 0;
  /// The barriers that the thread has made are there for the unit, too.
  virtual void publishBarriers(Emitter &e) const = 0;
  virtual void arrive(Emitter &e, Value barrier) const = 0;
  /// Arrives, and tells the barrier that \p bytes more end its phase.
  virtual void expect(Emitter &e, Value barrier, unsigned bytes) const = 0;
  /// Each thread asks whether the phase of \p parity (i32) has ended, an i1. It may be kept waiting for a while.
  virtual Value tryWait(Emitter &e, Value barrier, Value parity) const = 0;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_TENSORCOPYUNIT_H
