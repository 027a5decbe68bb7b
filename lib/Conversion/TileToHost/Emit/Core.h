//===- Core.h - what the files of the emitter share ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Only for the core of the emitter; families use Emitter.h.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_EMIT_CORE_H
#define TESSERA_CONVERSION_TILETOHOST_EMIT_CORE_H

#include "Conversion/Common/SmallCode.h"
#include "Conversion/Common/VectorMathBuilder.h"
#include "Conversion/TileToHost/Emit/Emitter.h"

#include <array>
#include <optional>

namespace tessera::ir::host {

/// Lanes that were computed before.
struct Memo {
  LaneBlock block;
  Value code;
};

/// Where the lanes of a load or store lie. Either `pointer` is that of the first lane and the others follow it, or
/// `addresses` has those of all lanes, as a scalar if they are one.
struct Access {
  Type element;
  unsigned lanes = 1;
  Value pointer;
  Value addresses;
  Value mask; ///< i1 of each lane, or one for all; null if all are true
};

/// Lanes from `index` on that are below `bound`.
struct BoundMask {
  UniformExpr bound;
  Value index, code;
};

struct Emitter::State {
  State(tile::KernelOp kernel, const Plan &plan, const HostOptions &options, const OpTable &table)
      : kernel(kernel), plan(plan), options(options), table(table), b(kernel.getContext()), loc(kernel.getLoc()) {}

  tile::KernelOp kernel;
  const Plan &plan;
  const HostOptions &options;
  const OpTable &table;
  OpBuilder b;
  Location loc;
  std::optional<VectorMathBuilder> math;
  SmallCode code{b, loc}; ///< constants go to the start of the function
  bool failed = false;

  // The function and its arguments.
  mlir::LLVM::LLVMFuncOp function;
  Value arena, grid;
  std::array<Value, 3> programIds, programCounts;
  Value printBuffer, faultFlag;
  llvm::DenseMap<Operation *, Value> workspaces; ///< addresses
  SmallVector<Attribute> sites;

  // What stands for values of the kernel.
  llvm::DenseMap<Value, Value> scalars;
  llvm::DenseMap<Value, ViewParts> views;
  llvm::DenseMap<Value, Buffer> buffers; ///< where they differ from the plan
  llvm::DenseMap<unsigned, Value> slots; ///< pointers of slots where they differ from the plan
  llvm::DenseMap<Value, SmallVector<Memo, 1>> memo;
  UniformCode uniforms{code, b, loc};
  SmallVector<BoundMask> boundMasks;

  llvm::DenseMap<Attribute, mlir::LLVM::GlobalOp> globals; ///< of constant tiles

  const Group *group = nullptr; ///< being emitted
  bool full = false;            ///< whether it is the group's fast version

  // Arena memory beyond the plan's.
  uint64_t scratchUsed = 0, scratchMost = 0;

  mlir::LLVM::AliasScopeDomainAttr aliasDomain;
  mlir::LLVM::AliasScopeAttr arenaScope, argumentScope;
};

// Lanes.cpp

/// Axes of a reshape that correspond: equally many elements on both sides.
struct Segment {
  SmallVector<unsigned, 5> source, result; ///< axes of more than one element
};
SmallVector<Segment, 5> segmentsOf(ArrayRef<int64_t> source, ArrayRef<int64_t> result);
/// The place of operand 0 of a shape operation that only moves elements, when its result is wanted at \p block; nothing
/// for other ops.
std::optional<LaneBlock> sourceBlock(Emitter &e, Operation &op, const LaneBlock &block);
/// Computes \p tile at \p block from the operands of its op, whether or not it has a buffer, unless that was done.
Value define(Emitter &e, Value tile, const LaneBlock &block);
/// \p code is what \p tile has at \p block.
void remember(Emitter &e, Value tile, const LaneBlock &block, Value code);
/// Forgets all lanes, before memory of the arena or of arguments changes its meaning.
void forget(Emitter &e);

// Elementwise.cpp

/// The bits of \p code as an integer, and back to the form of \p element.
Value toBitsOf(Emitter &e, Value code);
Value fromBitsOf(Emitter &e, Value bits, Type element);

// Memory.cpp

/// A place in the arena.
Value arenaPointer(Emitter &e, uint64_t offset);
/// What the kernel needs of the arena, known when all is emitted.
uint64_t arenaBytes(Emitter &e);
Buffer bufferAt(Emitter &e, const BufferView &view, Type element);
/// The address in a scalar pointer, or of the first element of a view.
Value baseAddress(Emitter &e, Value pointer);
/// Where a load or store finds its lanes at \p block, and which of them it touches.
Access accessAt(Emitter &e, Operation &op, const LaneBlock &block);
/// The lanes; \p other, or 0 if that is null, where the mask is false.
Value readAccess(Emitter &e, const Access &access, Value other);
void writeAccess(Emitter &e, const Access &access, Value lanes);
/// The tile or scalar that a store writes.
Value storedValueOf(Operation &op);
/// What a load reads at \p block.
Value loadLanes(Emitter &e, Operation &op, const LaneBlock &block);

// Masks.cpp

/// The mask \p mask of an access at \p block: i1 lanes, one i1 for all, or null where all are true. \p access is what
/// is known of the access, or null; \p mask is null where that, which then may be used, is all there is.
Value maskAt(Emitter &e, const AccessForm *access, Value mask, const LaneBlock &block);
/// \p a and \p b, either of which may be null for true or a scalar beside lanes.
Value both(Emitter &e, Value a, Value b);
/// Whether all of \p conditions hold, as an i1.
Value conditionsHold(Emitter &e, ArrayRef<Condition> conditions);
/// Whether lanes along \p axis are neighbours in memory.
bool isContiguous(Emitter &e, const AccessForm &form, unsigned axis);
/// \p value held between 0 and \p most.
Value clamped(Emitter &e, Value value, int64_t most);

// Views.cpp

/// The tile type that a view access reads or writes.
Type viewAccessType(Operation &op);
/// The pad of a view load, or null.
Value padOf(Operation &op);
/// Fills in where the lanes of a view access lie, from the view's own numbers.
void placeInView(Emitter &e, Operation &op, const LaneBlock &block, Access &access);

// Scalars.cpp

/// Emits \p op, which works on scalars and uniform tiles.
void emitScalarStep(Emitter &e, Operation &op);

// Group.cpp, Axes.cpp, Domain.cpp

void emitGroup(Emitter &e, const Group &group);
/// How the loops of a group run in the version that is being emitted.
Domain domainOfGroup(Emitter &e, const Group &group, bool canJoin);
/// Whether some access of the group moves the lanes along \p axis one by one.
bool movesLanesAlone(Emitter &e, const Group &group, unsigned axis);
/// \p count blocks that follow one another along their axis, of which \p first is the first.
SmallVector<LaneBlock, 4> blocksFrom(Emitter &e, const LaneBlock &first, unsigned count);

// ControlFlow.cpp

/// Emits an op of `scf` and the steps inside.
void emitRegionStep(Emitter &e, Operation &op);

// Kernel.cpp

/// Emits the steps of \p block, all but its terminator.
void emitSteps(Emitter &e, Block &block);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_EMIT_CORE_H
