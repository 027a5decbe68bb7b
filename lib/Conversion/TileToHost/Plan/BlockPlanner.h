//===- BlockPlanner.h - groups and order of the ops of a block --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A graph whose nodes are what is emitted for a block and whose edges are what must come before what. Groups form by
// contracting nodes; a contraction that would close a circle is not made. What is left is emitted in an order that the
// edges allow, close to that of the text.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_PLAN_BLOCKPLANNER_H
#define TESSERA_CONVERSION_TILETOHOST_PLAN_BLOCKPLANNER_H

#include "Conversion/TileToHost/Plan/Order.h"
#include "Conversion/TileToHost/Plan/Values.h"

namespace tessera::ir::host {

/// The memory of the arena that a step touches. Values stand for the slots of their homes.
struct StepUse {
  SmallVector<Read, 4> reads;
  SmallVector<Value, 2> defines;
  SmallVector<unsigned, 2> readSlots, writtenSlots;
};

/// What the steps of each block touch, in parallel with Plan::steps().
using StepUses = llvm::DenseMap<Block *, std::vector<StepUse>>;

class BlockPlanner {
public:
  BlockPlanner(PlanContents &plan, const Values &values, const MemoryOrder &order, StepUses &uses, Block *block)
      : plan(plan), values(values), order(order), uses(uses), block(block) {}

  /// Fills in the steps and groups of the block and the homes of the tiles that it computes.
  void run();

private:
  enum class NodeKind { Scalar, Structured, Region, Define, Copy, Store, ViewStore, Reduce, Pack, LaneLoop };
  struct Node {
    NodeKind kind;
    Operation *op;
    Value value;                   ///< that a Copy or Pack writes
    unsigned operand = 0;          ///< of the dot of a Pack
    SmallVector<int64_t, 5> shape; ///< of what goes into a group
    SmallVector<Read, 4> reads;    ///< of anything that it needs
    MemoryUse memory;
    BufferView to;                               ///< of a Copy
    std::optional<BufferView> from;              ///< of a Copy
    Value overwrites;                            ///< of a Copy: the value carried by a loop whose memory it changes
    bool isLast = false;                         ///< of a Copy: at the end of the block
    bool isDropped = false;                      ///< of a Copy: its value is computed where it belongs
    SmallVector<std::pair<unsigned, bool>> next; ///< nodes that come later; whether lane by lane is enough
    unsigned cluster = 0;

    bool isLoop() const { return kind != NodeKind::Scalar && kind != NodeKind::Structured && kind != NodeKind::Region; }
  };

  // Nodes.
  unsigned addNode(NodeKind kind, Operation *op);
  unsigned addCopy(Operation *op, Value value, const BufferView &to);
  unsigned addMoved(Operation *op);
  void addPack(tile::DotOp dot, unsigned operand);
  void addNodes(Operation *op);
  void addRegion(Operation *op);
  void addYields(Operation *terminator);
  void readAll(unsigned node, mlir::ValueRange operands, bool lanewise);
  void readInside(unsigned node, Operation *op);

  // Edges.
  void connect(unsigned first, unsigned second, bool lanewise);
  void addDataEdges();
  void addOverwriteEdges();
  void addMemoryEdges();

  // Groups.
  void formClusters();
  bool tryMerge(unsigned a, unsigned b);
  void merge(unsigned a, unsigned b);
  bool areCompatible(unsigned a, unsigned b) const;
  bool haveOnlyLanewiseEdges(unsigned a, unsigned b) const;
  bool isReachable(unsigned from, unsigned to) const;
  bool isReadOnlyInside(const Node &node, ArrayRef<unsigned> clusters) const;
  void placeValues();
  void placeDirectly(unsigned copy);
  bool readsOverwritten(unsigned cluster, const Node &copy) const;

  // Steps.
  void addSteps();
  void addStep(ArrayRef<unsigned> members);
  void addGroup(ArrayRef<unsigned> members);

  PlanContents &plan;
  const Values &values;
  const MemoryOrder &order;
  StepUses &uses;
  Block *block;
  std::vector<Node> nodes;
  std::vector<SmallVector<unsigned, 2>> clusters; ///< nodes of each, in order
  llvm::DenseMap<Value, unsigned> producers;
  llvm::DenseMap<Value, SmallVector<std::pair<unsigned, bool>>> readers; ///< and whether lane by lane
  llvm::DenseSet<Value> placed;                                          ///< where a copy would have put them
  /// Nodes that must come before an op, or before the op of this block that it is in.
  llvm::DenseMap<Operation *, SmallVector<unsigned>> before;
};

/// Whether any order of combining gives the same bits.
bool isOrderFree(tile::ReduceOp reduce);

/// Fills in what the loops of \p group may assume; \p computed are the elementwise ops in it.
void describeGroup(PlanContents &plan, const Values &values, Group &group, ArrayRef<Operation *> computed);

/// Places all slots.
void layOutArena(PlanContents &plan, const StepUses &uses);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_PLAN_BLOCKPLANNER_H
