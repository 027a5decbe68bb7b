//===- Values.h - what kind of value each one is ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What can be said of values before ops are grouped: which are one scalar, which are views of others, which cost so
// little that everybody who needs them computes them anew, and which must be computed once.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_PLAN_VALUES_H
#define TESSERA_CONVERSION_TILETOHOST_PLAN_VALUES_H

#include "Conversion/TileToHost/Plan/Contents.h"

#include "llvm/ADT/DenseSet.h"

namespace tessera::ir::host {

/// Kinds of ops.
enum class OpClass {
  Scalar, ///< neither takes nor gives a tile
  Source, ///< splats and constants of one element
  Shape,  ///< gives the same elements under other indices
  Elementwise,
  Reduce,
  Structured, ///< has a lowering of its own
  Store,
  ViewStore,
  Atomic,
  Region,  ///< of scf
  Ignored, ///< emits nothing
  Terminator,
};

/// What sort of value a tile is.
enum class ValueKind {
  Uniform,
  View,  ///< a view of the buffer of its base
  Cheap, ///< computed wherever it is read
  Node,  ///< computed once, lane by lane; has a buffer if anything outside its group reads it
  Own,   ///< has a buffer: results of structured ops, reductions and regions, and what regions take
};

/// One value that something reads.
struct Read {
  Value value;   ///< a scalar, a Node, or an Own
  bool lanewise; ///< for each lane its own element
};

/// What a dot reads through one operand: a tile, perhaps with its last two axes swapped.
struct PackSource {
  Value value;
  bool transposed = false;
  Block *block = nullptr; ///< where it is packed
};

class Values {
public:
  explicit Values(PlanContents &plan);

  /// Once all blocks are planned: writes down the homes of what is computed where it is read, and of views.
  void addHomes() const;

  OpClass classOf(Operation *op) const;
  /// Whether anything comes of the op.
  bool isLive(Operation *op) const { return live.contains(op); }
  ValueKind kindOf(Value tile) const;
  /// Of a View: the Node or Own value whose buffer it is part of, and how, in a dense buffer of slot 0.
  std::pair<Value, const BufferView *> baseOf(Value view) const;
  /// Whether the shape op has to move elements to a buffer of its result, which is then Own.
  bool isCopied(Operation *op) const { return copied.contains(op); }
  /// Whether the Uniform tile or scalar is computed by a step of its own.
  bool hasScalarStep(Operation *op) const;

  /// Calls \p found with everything that has to be there when \p value is read.
  void forEachRead(Value value, bool lanewise, function_ref<void(Read)> found) const;
  /// The scalars and views that the forms of an access are made of, and the tiles that its mask reads.
  void forEachReadOfAccess(Operation *op, function_ref<void(Read)> found) const;

  PackSource packSourceOf(tile::DotOp dot, unsigned operand) const;
  /// Vector ops that evaluating \p value takes, down to buffers and scalars.
  unsigned costOf(Value cheap) const;

private:
  struct Info {
    ValueKind kind = ValueKind::Uniform;
    unsigned cost = 0;                 ///< of a Cheap
    SmallVector<Value, 2> buffersRead; ///< by a Cheap
    Value base;                        ///< of a View
    BufferView view;                   ///< of a View
  };

  void findLive(ArrayRef<Operation *> ops);
  void force(Value value);
  void findForced(ArrayRef<Operation *> ops);
  void classify(Operation *op);
  void classifyShape(Operation *op);
  void classifyElementwise(Operation *op);
  bool hasExactForm(Value value) const;
  void setOwn(Value value);
  ValueKind setKind(Value value, ValueKind kind);

  PlanContents &plan;
  llvm::DenseMap<Value, Info> infos;
  llvm::DenseSet<Operation *> live;
  llvm::DenseSet<Operation *> copied;
  llvm::DenseSet<Value> needed; ///< by something that emits code
  llvm::DenseSet<Value> forced; ///< must be computed once
};

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_PLAN_VALUES_H
