//===- Core.h - what the files of the emitter share ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Only for the core of the emitter; families use Emitter.h.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_CORE_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_CORE_H

#include "Analysis/MaskForm.h"
#include "Conversion/Common/SmallCode.h"
#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/TensorMapUses.h"

#include "tessera-ir/Dialect/Layout/IR/KernelShape.h"

#include "llvm/ADT/DenseSet.h"

#include <array>
#include <optional>
#include <string>

namespace tessera::ir::gpu {

using ::tessera::layout::TileLayout;

/// What a thread contributes to a coordinate of its elements.
struct ThreadIndex {
  TileLayout layout;
  int axis; ///< -1 for the flat index
  Value code;
};

struct Emitter::State {
  State(tile::KernelOp kernel, const layout::KernelShape &shape, const EmitOptions &options, const GpuHooks &hooks,
        const OpTable &table);

  tile::KernelOp kernel;
  const layout::KernelShape shape;
  const EmitOptions &options;
  const GpuHooks &hooks;
  const OpTable &table;
  OpBuilder b;
  Location loc;
  VectorMathBuilder math;
  BorderCalls border;
  SmallCode code{b, loc}; ///< constants go to the start of the function
  bool failed = false;

  // Facts about the kernel.
  UniformExprs exprs;
  AffineForms affine{exprs};
  MaskForms masks{affine};
  llvm::DenseSet<Value> wanted; ///< tiles that need registers
  TensorMapUses tensorMaps;

  // The function and its arguments.
  mlir::LLVM::LLVMFuncOp function;
  Operation *bodyStart = nullptr; ///< what every thread needs is computed before this op
  std::array<Value, 3> programIds, programCounts;
  Value printBuffer, faultFlag;
  llvm::DenseMap<Operation *, Value> workspaces;           ///< addresses
  llvm::DenseMap<Attribute, mlir::LLVM::GlobalOp> globals; ///< of constant tiles
  SmallVector<Attribute> sites;
  CodeNotes notes;
  std::int64_t scratchOffset = 0, programSharedBytes = 0; ///< of a program's shared memory
  Value laneId, warpInBlock, warpId, uniformWarpId, programInBlock, blockInCluster, sharedBase;
  SmallVector<ThreadIndex> indices;
  SmallVector<std::pair<TileLayout, Value>> owners; ///< null for layouts without copies

  // What stands for values of the kernel.
  llvm::DenseMap<Value, Value> scalars;
  llvm::DenseMap<Value, ViewParts> views;
  llvm::DenseMap<Value, SmallVector<Value>> tiles;
  UniformCode uniforms{code, b, loc};
};

// Place.cpp

/// The number of this program among those that share a block of threads, i32.
Value programInBlock(Emitter &e);
/// The bits of \p dim, of \p size lanes, warps or blocks, that make copies, those among them that the layout does not
/// have.
std::uint32_t copyBits(const TileLayout &layout, ::tessera::layout::Dim dim, unsigned size);

// SharedMemory.cpp

/// Of the shared array: what its widest users, the tensor copies, ask for.
inline constexpr unsigned kSharedAlignment = 1024;

// Demand.cpp

/// The tiles of \p kernel whose registers something needs.
llvm::DenseSet<Value> wantedTiles(tile::KernelOp kernel, MaskForms &masks);

// Kernel.cpp

/// Makes \p emit's code where every thread passes once, before the kernel's own ops.
Value atStart(Emitter &e, function_ref<Value()> emit);

// Elementwise.cpp

/// Emits \p op register by register.
void emitElementwiseOp(Operation &op, Emitter &e);
/// Emits \p op if it gives a mask that compares indices with bounds, of which nothing else needs to be made
/// (Demand.cpp).
bool emitBounds(Operation &op, Emitter &e);

// Exponential.cpp

/// Emits an exponential of a tile of which only parts of a sum are seen; false, and nothing done, for other ops, and
/// where elements are better computed one by one.
bool emitExponentials(Operation &op, Emitter &e);

// Division.cpp

/// Emits an f32 division of a tile in which many elements share a divisor; false, and nothing done, for other ops.
bool emitSharedDivision(Operation &op, Emitter &e);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_CORE_H
