//===- LayoutGraph.h - chooses the layouts of a kernel ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A node is a group of tiles around one op, or a value that `scf` carries; it gets one layout. An edge goes from the
// node that gives a tile to one that takes it: where the layouts that follow from both differ, elements have to move.
// The sum of what nodes and moves cost is made small:
//
//   1. accesses and dots get the layouts that they would like best;
//   2. layouts spread from them along the heaviest edges first, so that those meet where few bytes pass;
//   3. single nodes, then whole regions of one layout, change over to that of a neighbour while this saves anything.
//
// Cheap tiles (isCheap()) are no part of the graph: they are made in whatever layout is asked for.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_LAYOUTGRAPH_H
#define TESSERA_CONVERSION_TILETOLAYOUT_LAYOUTGRAPH_H

#include "Conversion/Common/MatrixUnit.h"
#include "Conversion/TileToLayout/Access.h"
#include "Conversion/TileToLayout/OpLayouts.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace tessera::ir::layout {

class LayoutGraph {
public:
  /// The graph of \p kernel, run by the threads of \p shape. \p accesses holds the accesses of tiles; products are
  /// multiplied on \p units, where that is not null.
  LayoutGraph(tile::KernelOp kernel, const KernelShape &shape, const llvm::DenseMap<Operation *, Access> &accesses,
              const MatrixUnits *units);

  /// Chooses a layout for every node.
  void solve();

  /// The layout of \p tile, which is not cheap; and what the op of \p operand asks of the tile there.
  TileLayout layoutOf(Value tile) const;
  TileLayout layoutAt(OpOperand &operand) const;
  bool isCheapTile(Value tile) const { return cheap.contains(tile); }

private:
  /// A layout by its number.
  using Label = int;
  static constexpr Label kNone = -1;

  struct Node {
    Operation *op = nullptr;
    LayoutGroup group;
    bool isFirst = false; ///< the group that decides what the op costs; a value that is carried costs nothing
    double weight = 1;    ///< how often it runs
    SmallVector<unsigned, 4> edges;
    SmallVector<Label, 4> liked; ///< layouts that an access or dot asks for
    std::optional<Label> unit;   ///< of a product: what its matrix unit accumulates in
    Label label = kNone;
  };
  /// How a tile hangs on a node.
  struct End {
    unsigned node = 0;
    unsigned map = 0;
  };
  struct Edge {
    End from, to;
    unsigned bits = 0; ///< of an element
    double weight = 1;
    double bytes = 0; ///< that pass it, times the weight
  };

  // Building.
  unsigned addNode(Operation *op, LayoutGroup group, bool isFirst);
  End endAt(unsigned node, LayoutMap map = LayoutMap::same());
  void addOp(Operation *op);
  void addCarriers(Operation *op);
  void carry(Operation *op, Value like, mlir::ValueRange values, ArrayRef<OpOperand *> sources);
  void addEdges();

  // Labels.
  Label intern(const TileLayout &layout);
  Label applied(End end, Label label);
  Label inverted(End end, Label label);
  Label defaultLabel(const Node &node);
  bool accepts(const Node &node, Label label) const;
  /// The label of the node at the other end of \p edge from \p node that needs no move, if there is one.
  Label impliedAcross(const Edge &edge, unsigned node, Label label);

  // Costs.
  double nodeCost(unsigned node, Label label);
  double edgeCost(const Edge &edge, Label from, Label to);
  double edgeCost(const Edge &edge) { return edgeCost(edge, nodes[edge.from.node].label, nodes[edge.to.node].label); }
  double costAround(unsigned node, Label label);

  // Solving.
  /// Gives nodes without a layout one that fits those next to them, starting from \p sources.
  void spread(ArrayRef<unsigned> sources);
  void addWithinWarps(const Node &node, SmallVectorImpl<Label> &candidates);
  bool improveNode(unsigned node);
  bool improveRegion(const Edge &edge, bool forward);

  const KernelShape shape;
  const llvm::DenseMap<Operation *, Access> &accesses;
  const MatrixUnits *const units;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<LayoutMap> maps;
  std::vector<TileLayout> labels;
  llvm::DenseMap<Value, End> producers;
  llvm::DenseMap<OpOperand *, End> consumers;
  SmallVector<OpOperand *> operands; ///< keys of `consumers` in order
  llvm::DenseSet<Value> cheap;
  std::unordered_multimap<std::size_t, Label> byHash;
  std::map<std::pair<unsigned, Label>, Label> appliedLabels, invertedLabels;
  std::map<std::pair<unsigned, Label>, double> nodeCosts;
  std::map<std::tuple<Label, Label, unsigned>, double> moveCosts;
};

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_LAYOUTGRAPH_H
