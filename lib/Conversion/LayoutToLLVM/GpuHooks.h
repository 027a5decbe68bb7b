//===- GpuHooks.h - what a vendor does its own way -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The emitter asks these where chips differ. Each default is code that every GPU can run, so a vendor overrides what
// its chips do better. Hooks are stateless: what they emit goes to the emitter's place.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_GPUHOOKS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_GPUHOOKS_H

#include "Arch/Chip.h"
#include "Conversion/Common/MatrixUnit.h"
#include "Conversion/Common/Numbers/Numbers.h"
#include "Conversion/LayoutToLLVM/Border.h"
#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <optional>

namespace tessera::ir::gpu {

class Emitter;

class GpuHooks : public MatrixUnits {
public:
  explicit GpuHooks(const arch::Chip &chip) : chip_(chip) {}
  ~GpuHooks() override;

  const arch::Chip &chip() const { return chip_; }

  // -- Numbers --------------------------------------------------------------------------------------------------------

  /// The value of \p op, an elementary function, quotient, square root, maximum or minimum, of operands widened to f32
  /// or f64, by instructions that keep its error bound; null to compute it portably. An op with the flag `afn` has no
  /// bound.
  virtual Value compute(Emitter &e, Operation &op, ValueRange wide) const;
  /// Stored values (Numbers.h) of type \p from as stored values of type \p to, rounded as \p how says; empty to convert
  /// them one by one portably. Neighbours in \p stored are neighbours in registers.
  virtual SmallVector<Value> convertFloats(Emitter &e, ArrayRef<Value> stored, Type from, Type to,
                                           const numbers::Narrowing &how) const;

  // -- Lanes ----------------------------------------------------------------------------------------------------------

  /// Whether border::Function::Reduce exists for \p how.
  virtual bool hasWarpReduce(border::Reduction how) const;

  // -- Matrices -------------------------------------------------------------------------------------------------------

  /// None by default.
  std::optional<MatrixUnit> matrixUnit(tile::DotOp dot, unsigned numWarps) const override;
  /// The registers of the result of \p dot, whose operands have that unit's layouts and these registers.
  virtual SmallVector<Value> multiply(Emitter &e, tile::DotOp dot, ArrayRef<Value> a, ArrayRef<Value> b,
                                      ArrayRef<Value> acc) const;

  // -- Memory ---------------------------------------------------------------------------------------------------------

  /// The most bytes that one access of a thread moves, of global memory and of shared memory.
  virtual unsigned accessBytes() const { return chip_.has(arch::Feature::Access256) ? 32 : 16; }
  virtual unsigned sharedAccessBytes() const { return 16; }
  /// Whether border::Function::Atomic exists for \p how on \p type. What does not is a loop of compare-and-swaps.
  virtual bool hasAtomic(border::Atomic how, border::AccessType type, bool isShared) const;
  /// Whether compare-and-swap, atomic load and atomic store exist for \p bits bits. 32 must.
  virtual bool hasCompareAndSwap(unsigned bits) const { return bits == 32 || bits == 64; }

private:
  const arch::Chip &chip_;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_GPUHOOKS_H
