//===- Packing.h - elements in the words that an access moves --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Accesses move integers: words of 32 bits, of 64 where elements have 64, and less than a word where that is all.
// Elements narrower than their word lie in it from the low bits up.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_PACKING_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_PACKING_H

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"

namespace tessera::ir::gpu {

/// What an access moves that has \p count (a power of two) elements of the dialect's type \p element.
border::AccessType accessTypeOf(Type element, unsigned count);
/// Elements in code as one value of that type, and back.
Value pack(Emitter &e, Type element, ArrayRef<Value> elements);
SmallVector<Value> unpack(Emitter &e, Type element, unsigned count, Value packed);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_PACKING_H
