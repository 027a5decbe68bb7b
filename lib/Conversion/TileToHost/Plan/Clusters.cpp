//===- Clusters.cpp - which ops share a loop ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Contracts nodes of a block's graph and decides what is left in memory. Each contraction keeps the graph free of
// circles and joins nodes whose order need only hold lane by lane, so that the result is right whatever is contracted;
// what is tried, and when, only decides how fast the code is.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/BlockPlanner.h"

namespace tessera::ir::host {

void BlockPlanner::formClusters() {
  clusters.resize(nodes.size());
  for (unsigned number = 0; number < nodes.size(); ++number) {
    nodes[number].cluster = number;
    clusters[number].push_back(number);
  }
  if (!plan.options.fuse)
    return;
  for (unsigned number = 0; number < nodes.size(); ++number) {
    if (!nodes[number].isLoop())
      continue;
    // First those that compute what the node reads, the latest first; then those that read the same.
    SmallVector<unsigned> partners;
    for (const Read &read : nodes[number].reads) {
      auto producer = producers.find(read.value);
      if (read.lanewise && producer != producers.end())
        partners.push_back(producer->second);
    }
    llvm::sort(partners, std::greater<>());
    for (const Read &read : nodes[number].reads)
      if (read.lanewise && isa<RankedTensorType>(read.value.getType()))
        for (auto [reader, lanewise] : readers.lookup(read.value))
          if (reader < number && lanewise)
            partners.push_back(reader);
    for (unsigned partner : partners)
      tryMerge(nodes[partner].cluster, nodes[number].cluster);
  }
}

bool BlockPlanner::tryMerge(unsigned a, unsigned b) {
  if (a == b)
    return true;
  const Node &first = nodes[clusters[a].front()], &second = nodes[clusters[b].front()];
  if (!first.isLoop() || !second.isLoop() || first.shape != second.shape || !areCompatible(a, b) ||
      !haveOnlyLanewiseEdges(a, b) || !haveOnlyLanewiseEdges(b, a) || isReachable(a, b) || isReachable(b, a))
    return false;
  merge(a, b);
  return true;
}

void BlockPlanner::merge(unsigned a, unsigned b) {
  for (unsigned member : clusters[b])
    nodes[member].cluster = a;
  clusters[a].append(clusters[b]);
  clusters[b].clear();
  llvm::sort(clusters[a]);
}

bool BlockPlanner::areCompatible(unsigned a, unsigned b) const {
  unsigned writers = 0;
  bool hasSolo = false;
  tile::ReduceOp reduce;
  for (unsigned cluster : {a, b})
    for (unsigned member : clusters[cluster]) {
      const Node &node = nodes[member];
      if (node.kind != NodeKind::Define)
        ++writers;
      hasSolo |= node.kind == NodeKind::LaneLoop;
      if (node.kind != NodeKind::Reduce)
        continue;
      // Reductions of one loop go along one axis in one way.
      auto other = cast<tile::ReduceOp>(node.op);
      if (reduce && (reduce.getAxis() != other.getAxis() || isOrderFree(reduce) != isOrderFree(other)))
        return false;
      reduce = other;
    }
  if (!hasSolo)
    return true;
  // Loops of atomics write nothing else.
  if (writers > 1)
    return false;
  for (unsigned cluster : {a, b})
    for (unsigned member : clusters[cluster])
      if (nodes[member].kind == NodeKind::Define && !isReadOnlyInside(nodes[member], {a, b}))
        return false;
  return true;
}

bool BlockPlanner::isReadOnlyInside(const Node &node, ArrayRef<unsigned> inside) const {
  for (Value result : node.op->getResults())
    for (auto [reader, lanewise] : readers.lookup(result))
      if (!lanewise || !llvm::is_contained(inside, nodes[reader].cluster))
        return false;
  return true;
}

bool BlockPlanner::haveOnlyLanewiseEdges(unsigned a, unsigned b) const {
  for (unsigned member : clusters[a])
    for (auto [next, lanewise] : nodes[member].next)
      if (!lanewise && nodes[next].cluster == b)
        return false;
  return true;
}

bool BlockPlanner::isReachable(unsigned from, unsigned to) const {
  std::vector<bool> seen(clusters.size());
  SmallVector<unsigned> work;
  const auto visit = [&](unsigned cluster) {
    for (unsigned member : clusters[cluster])
      for (auto [next, lanewise] : nodes[member].next) {
        const unsigned into = nodes[next].cluster;
        // The edge between the two does not count.
        if (into == cluster || (cluster == from && into == to) || seen[into])
          continue;
        seen[into] = true;
        work.push_back(into);
      }
  };
  visit(from);
  while (!work.empty() && !seen[to])
    visit(work.pop_back_val());
  return seen[to];
}

//===--- Homes --------------------------------------------------------------===//

void BlockPlanner::placeValues() {
  for (const Node &node : nodes) {
    if (node.kind != NodeKind::Define)
      continue;
    for (Value result : node.op->getResults()) {
      const auto isOutside = [&](std::pair<unsigned, bool> reader) {
        return !reader.second || nodes[reader.first].cluster != node.cluster;
      };
      auto found = readers.find(result);
      if (found == readers.end())
        plan.homes[result] = {};
      else if (!plan.options.fuse || llvm::any_of(found->second, isOutside))
        plan.homes[result] = {HomeKind::Buffer, plan.addBuffer(result.getType())};
      else
        plan.homes[result] = {};
    }
  }
  if (!plan.options.fuse)
    return;
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (nodes[number].kind == NodeKind::Copy && !nodes[number].from)
      placeDirectly(number);
}

/// Lets the value of a copy be computed where the copy would put it.
void BlockPlanner::placeDirectly(unsigned copy) {
  Node &node = nodes[copy];
  const ValueKind kind = values.kindOf(node.value);
  auto found = producers.find(node.value);
  if ((kind != ValueKind::Node && kind != ValueKind::Own) || found == producers.end() || placed.contains(node.value))
    return;
  const Node &producer = nodes[found->second];
  if (producer.kind == NodeKind::Define) {
    // Whoever else reads it does so before the memory changes again.
    if (!node.isLast || producer.cluster != node.cluster || plan.homes[node.value].kind != HomeKind::Buffer)
      return;
  } else {
    const bool isWhole = producer.kind == NodeKind::Structured || producer.kind == NodeKind::Reduce ||
                         producer.kind == NodeKind::LaneLoop;
    if (!isWhole || clusters[node.cluster].size() > 1)
      return;
    if (!node.isLast && readers.lookup(node.value).size() != 1)
      return;
    if (readsOverwritten(producer.cluster, node) || isReachable(producer.cluster, node.cluster) ||
        isReachable(node.cluster, producer.cluster))
      return;
    merge(producer.cluster, node.cluster);
  }
  node.isDropped = true;
  placed.insert(node.value);
  plan.homes[node.value] = {HomeKind::Buffer, node.to};
}

/// Whether the cluster reads what the copy overwrites other than a dot that adds to it in place.
bool BlockPlanner::readsOverwritten(unsigned cluster, const Node &copy) const {
  if (!copy.overwrites)
    return false;
  for (unsigned member : clusters[cluster]) {
    auto dot = dyn_cast<tile::DotOp>(nodes[member].op);
    if (dot && dot.getAcc() == copy.overwrites)
      continue;
    for (const Read &read : nodes[member].reads)
      if (read.value == copy.overwrites)
        return true;
  }
  return false;
}

} // namespace tessera::ir::host
