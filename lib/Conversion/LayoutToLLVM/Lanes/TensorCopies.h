//===- TensorCopies.h - copies of boxes of views ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_TENSORCOPIES_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_TENSORCOPIES_H

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/TensorCopyUnit.h"

namespace tessera::ir::gpu {

/// Whether this thread does what one thread of the program does for all, an i1.
Value isFirstThread(Emitter &e);

/// The unit of the chip that copies boxes; null, with \p op refused, if it has none.
const TensorCopyUnit *unitFor(Operation &op, Emitter &e);

/// The barrier of the ring \p barrier at \p slot, which may be null.
Value barrierPointer(Emitter &e, Value barrier, Value slot);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_TENSORCOPIES_H
