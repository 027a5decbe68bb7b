//===- Access.h - where a thread's elements lie in memory ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// An access whose addresses are linear in the index costs one offset of the thread, added to an address that all
// threads share; registers differ by constants, or by sums of strides that all threads share. A bounds mask compares
// what the thread contributes to a coordinate with a bound of 32 bits.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_ACCESS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_ACCESS_H

#include "Conversion/LayoutToLLVM/Emit/Core.h"

#include <memory>

namespace tessera::ir::gpu {

/// Where the elements of one access lie, register by register.
class Addresses {
public:
  virtual ~Addresses();
  /// Of the element of register \p reg, in global memory.
  virtual Value pointer(unsigned reg) = 0;
  /// Whether it is inside what may be accessed, as far as the place alone decides: an i1, or null for yes.
  virtual Value inside(unsigned) { return {}; }
};

/// The form of the addresses of an access, if it may be used; null if they have registers. Creates no code.
const AffineForm *linearAddressOf(MaskForms &masks, Operation &op);

/// Of the load, store or atomic \p op, whose tile has \p layout.
std::unique_ptr<Addresses> addressesOf(Emitter &e, Operation &op, const TileLayout &layout);

/// The form of the i1 tile \p mask, if that compares indices with bounds and may be used: then it is cheaper than the
/// tiles that the mask is computed from. Creates no code.
const MaskForm *boundsOf(MaskForms &masks, Value mask);

/// Which elements of one access are touched, register by register; or the registers of a mask.
class Masks {
public:
  /// \p mask is that of the op, which accesses memory or computes the mask, or null.
  Masks(Emitter &e, Operation &op, Value mask, const TileLayout &layout);
  /// An i1, or null for true.
  Value at(unsigned reg);

private:
  struct Limit {
    UniformExpr bound;
    int axis;
    Value code; ///< i32
  };
  Value limitOf(const UniformExpr &bound, int axis);
  Value inside(const Interval &interval, int axis, unsigned reg);
  Value below(const UniformExpr &bound, int axis, unsigned reg);

  Emitter &e;
  const TileLayout &layout;
  const bool isStore;
  const MaskForm *form = nullptr; ///< null if there is none that may be used
  Value whole;                    ///< of all registers, or null for true
  SmallVector<SmallVector<Value>> tiles;
  SmallVector<Limit> limits;
};

/// How many neighbouring registers \p op moves at once, from each multiple of it on.
unsigned vectorOf(Operation &op, const TileLayout &layout);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_ACCESS_H
