//===- MemoryOps.h - loads, stores, atomics --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `extra` of these instructions is the number of their MemoryOp.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_MEMORYOPS_H
#define TESSERA_TARGET_SIM_OPS_MEMORYOPS_H

#include "Target/Sim/Program.h"

namespace tessera::ir::sim {

/// Writes the elements; reads the pointer and, if it is masked, the mask and one value per element to give where the
/// mask is false.
ExecFn loadFunction(bool isMasked);
/// Reads the pointer, the elements, and the mask if there is one.
ExecFn storeFunction(bool isMasked);
/// Reads the pointer, the number of a block of the cluster in which that place is, the elements, and the mask.
ExecFn clusterStoreFunction();

enum class AtomicOp : std::uint8_t {
  Add,
  FAdd,
  SMin,
  SMax,
  UMin,
  UMax,
  And,
  Or,
  Xor,
  Xchg,
  CompareExchange,
  Load,
  Store,
};
/// Writes the old value (not of Store); reads the pointer, the values (two of CompareExchange: expected, desired; none
/// of Load) and a mask. Null if there is no such operation.
ExecFn atomicFunction(AtomicOp op, Type type);

/// A fence of the memory of all lanes.
ExecFn fenceFunction();

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_MEMORYOPS_H
