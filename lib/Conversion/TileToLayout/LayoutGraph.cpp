//===- LayoutGraph.cpp - chooses the layouts of a kernel ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/LayoutGraph.h"

#include "Conversion/TileToLayout/Costs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace tessera::ir::layout {

namespace scf = mlir::scf;

/// How often a loop is taken to turn.
static constexpr double kTurns = 8;
/// Loops deeper than this count no more.
static constexpr int kDeepest = 4;
/// What must be saved for a change.
static constexpr double kSaving = 1e-6;

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

/// How often what stands in \p block runs.
static double weightOf(Block *block) {
  double weight = 1;
  int depth = 0;
  for (Operation *parent = block->getParentOp(); parent && depth < kDeepest; parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(parent)) {
      weight *= kTurns;
      ++depth;
    }
  return weight;
}

//===--- Building -----------------------------------------------------------===//

LayoutGraph::LayoutGraph(tile::KernelOp kernel, const KernelShape &shape,
                         const llvm::DenseMap<Operation *, Access> &accesses, const MatrixUnits *units)
    : shape(shape), accesses(accesses), units(units) {
  maps.push_back(LayoutMap::same());
  kernel.getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (isTile(result) && isCheap(result))
        cheap.insert(result);
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      addCarriers(op);
    else if (hasTiles(op) && !isa<scf::YieldOp, scf::ConditionOp>(op) &&
             !(op->getNumResults() == 1 && cheap.contains(op->getResult(0))))
      addOp(op);
  });
  addEdges();
}

unsigned LayoutGraph::addNode(Operation *op, LayoutGroup group, bool isFirst) {
  Node node;
  node.op = op;
  node.group = std::move(group);
  node.isFirst = isFirst;
  node.weight = weightOf(op->getBlock());
  nodes.push_back(std::move(node));
  return static_cast<unsigned>(nodes.size() - 1);
}

LayoutGraph::End LayoutGraph::endAt(unsigned node, LayoutMap map) {
  if (map.kind() == LayoutMap::Kind::Same)
    return {node, 0};
  maps.push_back(std::move(map));
  return {node, static_cast<unsigned>(maps.size() - 1)};
}

void LayoutGraph::addOp(Operation *op) {
  OpLayouts layouts = layoutsOf(op);
  const auto first = static_cast<unsigned>(nodes.size());
  for (auto [number, group] : llvm::enumerate(layouts.groups))
    addNode(op, group, number == 0);
  for (auto [operand, place] : llvm::zip_equal(op->getOpOperands(), layouts.operands))
    if (isTile(operand.get())) {
      consumers[&operand] = endAt(first + place.group, place.map);
      operands.push_back(&operand);
    }
  for (auto [result, place] : llvm::zip_equal(op->getResults(), layouts.results))
    if (isTile(result))
      producers[result] = endAt(first + place.group, place.map);
  const auto like = [&](ArrayRef<TileLayout> layouts) {
    for (const TileLayout &layout : layouts)
      nodes[first].liked.push_back(intern(layout));
  };
  if (auto access = accesses.find(op); access != accesses.end() && access->second.wide.axis != -1)
    like(coalescedLayouts(access->second, shape));
  else if (auto dot = dyn_cast<tile::DotOp>(op)) {
    const auto unit = units ? units->matrixUnit(dot, static_cast<unsigned>(shape.numWarps)) : std::nullopt;
    if (unit) {
      like(unit->acc);
      nodes[first].unit = nodes[first].liked.front();
    } else {
      like(dotLayouts(tile::shapeOf(dot.getType()), shape));
    }
  }
}

/// One node for \p values, which are one tile at different times, and for \p sources, from where it comes.
void LayoutGraph::carry(Operation *op, Value like, mlir::ValueRange values, ArrayRef<OpOperand *> sources) {
  if (!isTile(like))
    return;
  const unsigned node = addNode(op, {SmallVector<int64_t, 5>(tile::shapeOf(like.getType())), 0}, false);
  for (Value value : values)
    producers[value] = endAt(node);
  for (OpOperand *source : sources) {
    consumers[source] = endAt(node);
    operands.push_back(source);
  }
}

void LayoutGraph::addCarriers(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [i, result] : llvm::enumerate(loop.getResults()))
      carry(op, result, {result, loop.getRegionIterArg(i)}, {&loop.getInitsMutable()[i], &yield->getOpOperand(i)});
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [i, result] : llvm::enumerate(branch.getResults()))
      carry(op, result, result, {&branch.thenYield()->getOpOperand(i), &branch.elseYield()->getOpOperand(i)});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
      carry(op, argument, argument, {&loop.getInitsMutable()[i], &loop.getYieldOp()->getOpOperand(i)});
    for (auto [i, result] : llvm::enumerate(loop.getResults()))
      carry(op, result, {result, loop.getAfterArguments()[i]}, {&loop.getConditionOp().getArgsMutable()[i]});
  }
}

void LayoutGraph::addEdges() {
  for (OpOperand *operand : operands) {
    auto producer = producers.find(operand->get());
    if (producer == producers.end())
      continue; // cheap
    Edge edge;
    edge.from = producer->second;
    edge.to = consumers.find(operand)->second;
    const Type type = operand->get().getType();
    edge.bits = tile::bitsOf(tile::elementOf(type));
    edge.weight = weightOf(operand->get().getParentBlock()); // a move is made where the tile comes from
    edge.bytes = edge.weight * static_cast<double>(tile::elementCountOf(type)) * edge.bits / 8;
    const auto number = static_cast<unsigned>(edges.size());
    nodes[edge.from.node].edges.push_back(number);
    if (edge.to.node != edge.from.node)
      nodes[edge.to.node].edges.push_back(number);
    edges.push_back(edge);
  }
}

//===--- Labels -------------------------------------------------------------===//

LayoutGraph::Label LayoutGraph::intern(const TileLayout &layout) {
  const std::size_t hash = layout.hash();
  auto [begin, end] = byHash.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (labels[known->second] == layout)
      return known->second;
  labels.push_back(layout);
  const auto label = static_cast<Label>(labels.size() - 1);
  byHash.emplace(hash, label);
  return label;
}

LayoutGraph::Label LayoutGraph::applied(End end, Label label) {
  if (end.map == 0)
    return label;
  auto [known, isNew] = appliedLabels.try_emplace({end.map, label}, kNone);
  if (isNew)
    known->second = intern(maps[end.map].apply(labels[label]));
  return known->second;
}

LayoutGraph::Label LayoutGraph::inverted(End end, Label label) {
  auto [known, isNew] = invertedLabels.try_emplace({end.map, label}, kNone);
  if (isNew)
    known->second = intern(::tessera::layout::withoutRegisterCopies(maps[end.map].invert(labels[label])));
  return known->second;
}

bool LayoutGraph::accepts(const Node &node, Label label) const {
  return label != kNone && holdsInRegisters(labels[label], node.group.registerBits);
}

/// Row-major: registers hold 16 bytes or what is needed, then lanes, then warps.
LayoutGraph::Label LayoutGraph::defaultLabel(const Node &node) {
  const int64_t count =
      std::accumulate(node.group.shape.begin(), node.group.shape.end(), int64_t(1), std::multiplies<>());
  const int64_t share = std::max<int64_t>(1, count / (shape.threadsOfProgram() * shape.numBlocks));
  const int64_t run = std::max(int64_t(1) << node.group.registerBits, std::min<int64_t>(4, share));
  const int axis = 0;
  const TileLayout flat = blockedLayout(count, axis, run, shape, false);
  return intern(::tessera::layout::reshaped(flat, node.group.shape));
}

LayoutGraph::Label LayoutGraph::impliedAcross(const Edge &edge, unsigned node, Label label) {
  const bool forward = edge.from.node == node;
  const Label passing = applied(forward ? edge.from : edge.to, label);
  const Label implied = inverted(forward ? edge.to : edge.from, passing);
  return accepts(nodes[forward ? edge.to.node : edge.from.node], implied) ? implied : kNone;
}

//===--- Costs --------------------------------------------------------------===//

double LayoutGraph::nodeCost(unsigned number, Label label) {
  const Node &node = nodes[number];
  if (!node.isFirst)
    return 0;
  auto [known, isNew] = nodeCosts.try_emplace({number, label}, 0);
  if (isNew) {
    double cost = 0;
    if (auto access = accesses.find(node.op); access != accesses.end())
      cost = costOf(access->second, labels[label]);
    else if (node.unit)
      cost = unitCost(cast<tile::DotOp>(node.op), labels[*node.unit], labels[label]);
    else
      cost = computeCost(node.op, labels[label]);
    known->second = node.weight * cost;
  }
  return known->second;
}

double LayoutGraph::edgeCost(const Edge &edge, Label from, Label to) {
  if (from == kNone || to == kNone)
    return 0;
  const Label given = applied(edge.from, from), asked = applied(edge.to, to);
  if (given == asked)
    return 0;
  auto [known, isNew] = moveCosts.try_emplace({given, asked, edge.bits}, 0);
  if (isNew)
    known->second = moveCost(labels[given], labels[asked], edge.bits);
  return edge.weight * known->second;
}

double LayoutGraph::costAround(unsigned number, Label label) {
  double cost = nodeCost(number, label);
  for (const unsigned edge : nodes[number].edges) {
    const unsigned from = edges[edge].from.node, to = edges[edge].to.node;
    cost += edgeCost(edges[edge], from == number ? label : nodes[from].label, to == number ? label : nodes[to].label);
  }
  return cost;
}

//===--- Solving ------------------------------------------------------------===//

void LayoutGraph::spread(ArrayRef<unsigned> sources) {
  // Edges that leave a node with a layout; the heaviest, and of equal ones the first, is next.
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry> queue;
  const auto leave = [&](const Node &node) {
    for (const unsigned edge : node.edges)
      queue.emplace(edges[edge].bytes, -static_cast<int>(edge));
  };
  for (const unsigned source : sources)
    leave(nodes[source]);
  while (!queue.empty()) {
    const Edge &edge = edges[-queue.top().second];
    queue.pop();
    const bool forward = nodes[edge.from.node].label != kNone;
    Node &source = nodes[forward ? edge.from.node : edge.to.node];
    Node &target = nodes[forward ? edge.to.node : edge.from.node];
    if (source.label == kNone || target.label != kNone)
      continue;
    target.label = impliedAcross(edge, forward ? edge.from.node : edge.to.node, source.label);
    if (target.label != kNone)
      leave(target);
  }
}

/// To layouts around an access, those of them in which it is coalesced and the move stays in warps.
void LayoutGraph::addWithinWarps(const Node &node, SmallVectorImpl<Label> &candidates) {
  auto access = accesses.find(node.op);
  if (!node.isFirst || access == accesses.end() || access->second.wide.axis == -1)
    return;
  const size_t known = candidates.size();
  for (size_t i = node.liked.size(); i != known; ++i) {
    const Label around = candidates[i];
    if (around == kNone)
      continue;
    if (const std::optional<TileLayout> layout = coalescedWithin(access->second, labels[around], shape))
      candidates.push_back(intern(*layout));
  }
}

bool LayoutGraph::improveNode(unsigned number) {
  Node &node = nodes[number];
  SmallVector<Label, 4> candidates = node.liked;
  for (const unsigned edge : node.edges) {
    const unsigned other = edges[edge].from.node == number ? edges[edge].to.node : edges[edge].from.node;
    if (other != number)
      candidates.push_back(impliedAcross(edges[edge], other, nodes[other].label));
  }
  addWithinWarps(node, candidates);
  Label best = node.label;
  double bestCost = costAround(number, node.label);
  for (const Label candidate : candidates) {
    if (!accepts(node, candidate) || candidate == node.label)
      continue;
    const double cost = costAround(number, candidate);
    if (cost < bestCost - kSaving) {
      best = candidate;
      bestCost = cost;
    }
  }
  const bool changed = best != node.label;
  node.label = best;
  return changed;
}

/// Lets the node behind \p edge, and all that share its layout without a move, take over the layout before it.
bool LayoutGraph::improveRegion(const Edge &edge, bool forward) {
  const unsigned source = forward ? edge.from.node : edge.to.node, first = forward ? edge.to.node : edge.from.node;
  const Label label = impliedAcross(edge, source, nodes[source].label);
  if (label == kNone || source == first)
    return false;
  std::map<unsigned, Label> changes{{first, label}};
  std::vector<unsigned> open{first};
  while (!open.empty()) {
    const unsigned number = open.back();
    open.pop_back();
    for (const unsigned next : nodes[number].edges) {
      const unsigned other = edges[next].from.node == number ? edges[next].to.node : edges[next].from.node;
      if (other == source || changes.contains(other) || edgeCost(edges[next]) != 0)
        continue;
      const Label implied = impliedAcross(edges[next], number, changes.at(number));
      if (implied == kNone)
        continue;
      changes.emplace(other, implied);
      open.push_back(other);
    }
  }
  const auto labelAfter = [&](unsigned number) {
    auto change = changes.find(number);
    return change == changes.end() ? nodes[number].label : change->second;
  };
  double saving = 0;
  for (const auto &[number, after] : changes) {
    saving += nodeCost(number, nodes[number].label) - nodeCost(number, after);
    for (const unsigned touched : nodes[number].edges) {
      const unsigned from = edges[touched].from.node, to = edges[touched].to.node;
      const unsigned other = from == number ? to : from;
      if (changes.contains(other) && other < number)
        continue; // counted there
      saving += edgeCost(edges[touched]) - edgeCost(edges[touched], labelAfter(from), labelAfter(to));
    }
  }
  if (saving <= kSaving)
    return false;
  for (const auto &[number, after] : changes)
    nodes[number].label = after;
  return true;
}

void LayoutGraph::solve() {
  SmallVector<unsigned> anchors;
  for (unsigned number = 0; number < nodes.size(); ++number) {
    Node &node = nodes[number];
    double least = 0;
    for (const Label liked : node.liked)
      if (const double cost = nodeCost(number, liked); node.label == kNone || cost < least) {
        node.label = liked;
        least = cost;
      }
    if (node.label != kNone)
      anchors.push_back(number);
  }
  spread(anchors);
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (nodes[number].label == kNone) {
      nodes[number].label = defaultLabel(nodes[number]);
      spread(number);
    }
  constexpr int kRounds = 6;
  bool changed = true;
  for (int round = 0; round < kRounds && changed; ++round) {
    changed = false;
    for (unsigned number = 0; number < nodes.size(); ++number)
      changed |= improveNode(number);
    for (const Edge &edge : edges)
      for (const bool forward : {true, false})
        if (edgeCost(edge) > 0)
          changed |= improveRegion(edge, forward);
  }
}

TileLayout LayoutGraph::layoutOf(Value tile) const {
  const End end = producers.at(tile);
  return maps[end.map].apply(labels[nodes[end.node].label]);
}

TileLayout LayoutGraph::layoutAt(OpOperand &operand) const {
  const End end = consumers.at(&operand);
  return maps[end.map].apply(labels[nodes[end.node].label]);
}

} // namespace tessera::ir::layout
