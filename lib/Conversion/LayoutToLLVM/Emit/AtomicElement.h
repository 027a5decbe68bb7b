//===- AtomicElement.h - one atomic access of one element ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the chip has no instruction for is a loop of compare-and-swaps on the element's bits, or on the word of 32 bits
// that they lie in.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_ATOMICELEMENT_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_ATOMICELEMENT_H

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"

namespace tessera::ir::gpu {

struct AtomicAccess {
  enum What : std::uint8_t {
    Modify,         ///< with a value, as `kind` says
    CompareAndSwap, ///< with what is expected and what is desired
    Load,
    Store, ///< of a value
  };

  What what = Modify;
  tile::AtomicKind kind = tile::AtomicKind::Add;
  tile::MemoryOrder order = tile::MemoryOrder::Relaxed;
  tile::MemoryScope scope = tile::MemoryScope::Device;
  Type element; ///< of the dialect

  bool isRelease() const { return order == tile::MemoryOrder::Release || order == tile::MemoryOrder::AcqRel; }
  bool isAcquire() const { return order == tile::MemoryOrder::Acquire || order == tile::MemoryOrder::AcqRel; }
};

/// What the element at \p pointer, in global or shared memory, was before, in code; 0 where \p mask (null: true) is
/// false. Null for a store. \p values are in code.
Value emitAtomicElement(Emitter &e, const AtomicAccess &access, Value pointer, ValueRange values, Value mask);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_ATOMICELEMENT_H
