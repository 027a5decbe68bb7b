//===- SharedMemory.h - lives of buffers and places for them ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A buffer lives from its allocation to its end in the same block, and so through all that is nested between. In the
// order of the text its life is an interval; two buffers whose lives do not overlap may share memory.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_SHAREDMEMORY_H
#define TESSERA_ANALYSIS_SHAREDMEMORY_H

#include "IRSupport/LLVM.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::ir {

/// The size of something and the times `begin <= t < end` at which it needs its place.
struct SharedLife {
  int64_t bytes = 0;
  int64_t alignment = 1; ///< a power of two
  int64_t begin = 0, end = 0;

  bool meets(const SharedLife &other) const { return begin < other.end && other.begin < end; }
};

/// Where each of some lives is put, and how far they reach.
struct SharedPlaces {
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
};

/// No set of places reaches less far: what is alive at one time, at the worst time.
int64_t leastSharedBytes(ArrayRef<SharedLife> lives);

/// Aligned places, apart for lives that meet. Few lives are placed as well as can be; many by the best of some orders.
SharedPlaces placeShared(ArrayRef<SharedLife> lives);

/// The same lives, each of them on through the first that begins after it. What follows the next one at a place is then
/// ordered after its users by the barrier that the next one needs anyway.
SmallVector<SharedLife> keptThroughNext(ArrayRef<SharedLife> lives);

/// What is at a place of shared memory.
struct SharedObject {
  Operation *alloc = nullptr; ///< `layout.shared_alloc` or `layout.mbarrier_alloc`
  SharedLife life;

  /// Its place, once it has one.
  std::optional<int64_t> offset() const;
  void setOffset(int64_t offset) const;
};

/// The objects of \p kernel with their lives, in the order of the text. Emits an error and fails if a buffer has no
/// end, or is used after it.
FailureOr<SmallVector<SharedObject>> sharedObjects(tile::KernelOp kernel);

/// How the first byte of a buffer must be aligned for its layout: a swizzle that hardware repeats needs its period.
int64_t alignmentOf(layout::BufferType buffer);

/// The allocation that \p buffer is, or is a part of; null if that is not known.
Operation *allocationOf(Value buffer);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_SHAREDMEMORY_H
