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
#include "Conversion/LayoutToLLVM/Product.h"
#include "IRSupport/LLVM.h"
#include "Layout/MatrixUnits.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <optional>

namespace tessera::ir::layout {
class AsyncDotOp;
class AsyncDotCommitOp;
class AsyncDotWaitOp;
} // namespace tessera::ir::layout

namespace tessera::ir::gpu {

class Emitter;
class TensorCopyUnit;

/// A matrix unit of warps, and how it goes through a product.
struct WarpUnit : MatrixUnit {
  ::tessera::layout::WarpGrid warps;
};

class GpuHooks : public MatrixUnits {
public:
  explicit GpuHooks(const arch::Chip &chip) : chip_(chip) {}
  ~GpuHooks() override;

  const arch::Chip &chip() const { return chip_; }

  // -- Numbers --------------------------------------------------------------------------------------------------------

  /// The value of \p op, an elementary function, quotient, square root, maximum or minimum, of operands widened to f32
  /// or f64, by instructions that keep its error bound; null to compute it portably. An op with the flag `afn` has no
  /// bound. Maxima and minima are also asked for on words (i32) of two f16 each.
  virtual Value compute(Emitter &e, Operation &op, ValueRange wide) const;
  /// Whether `exp2` is an instruction.
  virtual bool hasExp2() const;
  /// 2^\p x of an f32 from -126 to 0, or NaN, with errors less than 3.5 ULP apart.
  virtual Value exp2(Emitter &e, Value x) const;
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
  /// The unit of warps for \p product, spread over \p warps; nothing where there is none, or none that is exact enough.
  virtual std::optional<WarpUnit> warpUnit(const Product &product, ::tessera::layout::WarpGrid warps) const;
  /// That whose results have the layout \p acc; nothing if there is none.
  std::optional<WarpUnit> warpUnitOf(const Product &product, unsigned numWarps,
                                     const ::tessera::layout::TileLayout &acc) const;
  /// The registers of the result of \p product. Operands have the layouts of its unit of \p warps; registers of less
  /// than 32 bits are given in words of neighbours.
  virtual SmallVector<Value> multiply(Emitter &e, const Product &product, ::tessera::layout::WarpGrid warps,
                                      ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> acc) const;
  /// The words (i32) that a lane gets by one \p access of matrixLoads(); \p row points to what the lane gives.
  virtual SmallVector<Value> loadMatrices(Emitter &e, Value row, const ::tessera::layout::MatrixAccess &access) const;
  /// Emit products that a unit of the kind Group works on beside the program. Refused by default.
  virtual void startProduct(Emitter &e, layout::AsyncDotOp dot) const;
  virtual void commitProducts(Emitter &e, layout::AsyncDotCommitOp commit) const;
  virtual void waitForProducts(Emitter &e, layout::AsyncDotWaitOp wait) const;

  // -- Memory ---------------------------------------------------------------------------------------------------------

  /// The most bytes that one access of a thread moves, of global memory and of shared memory.
  virtual unsigned accessBytes() const { return chip_.has(arch::Feature::Access256) ? 32 : 16; }
  virtual unsigned sharedAccessBytes() const { return 16; }
  /// Whether storeMatrices() exists: the accesses of Layout/MatrixLoad.h.
  virtual bool storesMatrices() const { return false; }
  /// Stores a word (i32) of each of 1, 2 or 4 matrices; \p row points to the row that the lane gives.
  virtual void storeMatrices(Emitter &e, Value row, ArrayRef<Value> words, bool isTransposed) const;
  /// Whether border::Function::Atomic exists for \p how on \p type. What does not is a loop of compare-and-swaps.
  virtual bool hasAtomic(border::Atomic how, border::AccessType type, bool isShared) const;
  /// Whether compare-and-swap, atomic load and atomic store exist for \p bits bits. 32 must.
  virtual bool hasCompareAndSwap(unsigned bits) const { return bits == 32 || bits == 64; }

  // -- Copies beside the program --------------------------------------------------------------------------------------

  /// Starts to copy \p bytes (4, 8 or 16), to which both pointers are aligned, from global to shared memory. Where
  /// \p mask, an i1, is false zeros are written and nothing is read; null is true.
  virtual void asyncCopy(Emitter &e, Value to, Value from, unsigned bytes, Value mask) const;
  /// Whether border::Function::CopyToShared exists for \p bytes of a lane: copies of a whole warp, for which there is
  /// one place in shared memory.
  virtual bool copiesStraight(unsigned) const { return false; }
  /// Makes a group of what the thread has started; waits for all its groups but the last \p pending. Where copies go
  /// straight, the warp's last \p accesses of them may be under way.
  virtual void asyncCommit(Emitter &e) const;
  virtual void asyncWait(Emitter &e, unsigned pending, unsigned accesses) const;

  /// The unit that copies boxes through descriptors; null where there is none. Lives as long as the hooks.
  virtual const TensorCopyUnit *tensorCopyUnit() const { return nullptr; }

private:
  const arch::Chip &chip_;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_GPUHOOKS_H
