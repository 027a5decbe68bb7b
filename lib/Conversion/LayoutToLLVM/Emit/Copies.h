//===- Copies.h - values that only one of several threads has --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where threads hold copies of an element, one of them acts: it alone adds to memory, and has the old value. The others
// get it by a shuffle, or through memory of the program's that only this uses.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_COPIES_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_COPIES_H

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"

namespace tessera::ir::gpu {

/// \p registers of a tile of \p element and \p layout (of a scalar: the layout of layoutOf()), which are right where
/// isOwner() holds, right in every thread. All threads of the program must come here together.
SmallVector<Value> shareWithCopies(Emitter &e, const layout::TileLayout &layout, Type element,
                                   ArrayRef<Value> registers);

/// Gives registers that hold copies what the first register of their element has.
void fillCopies(const layout::TileLayout &layout, SmallVectorImpl<Value> &registers);

/// Whether any of \p conditions, i1 of each thread, holds in any thread of the program. All must come here together.
Value anyInProgram(Emitter &e, ValueRange conditions);

/// Whether anything uses \p result, a tile or a scalar.
bool isUsed(Emitter &e, Value result);

/// Shared memory that a kernel needs for this, beyond its own.
std::int64_t scratchBytes(Emitter &e, tile::KernelOp kernel);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_COPIES_H
