//===- BlockPlanner.cpp - the graph of a block ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every node comes after those it depends on, since nodes are added in the order of the text, loops take in their tiles
// just before they run and blocks hand theirs on at the end.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/BlockPlanner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

namespace tessera::ir::host {

namespace scf = mlir::scf;

static bool isTileValue(Value value) { return isa<RankedTensorType>(value.getType()); }

void BlockPlanner::run() {
  for (Operation &op : block->without_terminator())
    if (values.isLive(&op))
      addNodes(&op);
  addYields(block->getTerminator());
  addDataEdges();
  addOverwriteEdges();
  addMemoryEdges();
  formClusters();
  placeValues();
  addSteps();
}

//===--- Nodes --------------------------------------------------------------===//

unsigned BlockPlanner::addNode(NodeKind kind, Operation *op) {
  const auto number = static_cast<unsigned>(nodes.size());
  Node node;
  node.kind = kind;
  node.op = op;
  node.memory.roots.resize(order.rootCount());
  nodes.push_back(std::move(node));
  return number;
}

void BlockPlanner::readAll(unsigned node, mlir::ValueRange operands, bool lanewise) {
  for (Value operand : operands)
    values.forEachRead(operand, lanewise, [&](Read read) { nodes[node].reads.push_back(read); });
}

void BlockPlanner::readInside(unsigned node, Operation *op) {
  const auto add = [&](Read read) {
    if (!op->isAncestor(read.value.getParentRegion()->getParentOp()))
      nodes[node].reads.push_back({read.value, false});
  };
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      if (!values.isLive(inner))
        return;
      if (auto dot = dyn_cast<tile::DotOp>(inner)) {
        values.forEachRead(dot.getAcc(), false, add);
        for (unsigned operand : {0u, 1u}) {
          const PackSource source = values.packSourceOf(dot, operand);
          if (op->isAncestor(source.block->getParentOp()))
            values.forEachRead(source.value, false, add);
        }
        return;
      }
      for (Value operand : inner->getOperands())
        values.forEachRead(operand, false, add);
      values.forEachReadOfAccess(inner, add);
    });
}

unsigned BlockPlanner::addCopy(Operation *op, Value value, const BufferView &to) {
  const unsigned number = addNode(NodeKind::Copy, op);
  Node &node = nodes[number];
  node.value = value;
  node.to = to;
  node.shape.assign(tile::shapeOf(value.getType()).begin(), tile::shapeOf(value.getType()).end());
  readAll(number, value, true);
  return number;
}

void BlockPlanner::addPack(tile::DotOp dot, unsigned operand) {
  const PackSource source = values.packSourceOf(dot, operand);
  if (source.block != block)
    return;
  const ArrayRef<int64_t> shape = tile::shapeOf(dot->getOperand(operand).getType());
  const Type element = tile::elementOf(dot->getOperand(operand).getType());
  const Type sum = tile::elementOf(dot.getType());
  const bool isInteger = isa<IntegerType>(element);
  PackedView packed;
  packed.isB = operand == 1;
  packed.transposed = source.transposed;
  packed.stored = isInteger ? Type(IntegerType::get(element.getContext(), 16)) : sum;
  const int64_t batches = shape.size() == 3 ? shape[0] : 1;
  const int64_t rows = shape[shape.size() - 2], columns = shape.back();
  const int64_t k = packed.isB ? rows : columns, others = packed.isB ? columns : rows;
  packed.depth = isInteger ? std::max<int64_t>(2, k) : k;
  const int64_t lanes = plan.options.vectorBytes * 8 / tile::bitsOf(sum);
  packed.panel = packed.isB ? std::min(columns, lanes * plan.options.nv) : 0;

  // Dots of one operand share its panels.
  for (unsigned number = 0; number < nodes.size(); ++number) {
    const Node &node = nodes[number];
    if (node.kind != NodeKind::Pack || node.operand != operand || node.value != source.value)
      continue;
    PackedView other = plan.packed.lookup({node.op, operand});
    packed.slot = other.slot;
    if (other.stored && other == packed) {
      plan.packed[{dot, operand}] = packed;
      before[dot].push_back(number);
      return;
    }
  }
  packed.slot = plan.addSlot(batches * others * packed.depth * (tile::bitsOf(packed.stored) / 8));
  plan.packed[{dot, operand}] = packed;
  const unsigned number = addNode(NodeKind::Pack, dot);
  Node &node = nodes[number];
  node.value = source.value;
  node.operand = operand;
  node.shape.assign(tile::shapeOf(source.value.getType()).begin(), tile::shapeOf(source.value.getType()).end());
  readAll(number, source.value, true);
  before[dot].push_back(number);
}

unsigned BlockPlanner::addMoved(Operation *op) {
  // The elements of the source, row by row, are those of the result under another shape.
  const Value source = op->getOperand(0);
  BufferView to = denseView(source.getType());
  to.slot = plan.homes[op->getResult(0)].buffer.slot;
  return addCopy(op, source, to);
}

void BlockPlanner::addNodes(Operation *op) {
  const auto addLoop = [&](NodeKind kind, Type shaped, mlir::ValueRange lanewise, mlir::ValueRange others) {
    const unsigned number = addNode(kind, op);
    nodes[number].shape.assign(tile::shapeOf(shaped).begin(), tile::shapeOf(shaped).end());
    nodes[number].memory = order.useOf(op);
    readAll(number, lanewise, true);
    readAll(number, others, false);
    values.forEachReadOfAccess(op, [&](Read read) { nodes[number].reads.push_back(read); });
    readInside(number, op);
    for (Value result : op->getResults())
      producers[result] = number;
  };
  const auto addStep = [&](NodeKind kind) {
    const unsigned number = addNode(kind, op);
    nodes[number].memory = order.useOf(op);
    readAll(number, op->getOperands(), false);
    readInside(number, op);
    for (Value result : op->getResults())
      producers[result] = number;
  };
  switch (values.classOf(op)) {
  case OpClass::Ignored:
  case OpClass::Source:
  case OpClass::Terminator:
    return;
  case OpClass::Scalar:
    return addStep(NodeKind::Scalar);
  case OpClass::Structured:
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      addPack(dot, 0);
      addPack(dot, 1);
      const unsigned number = addNode(NodeKind::Structured, op);
      readAll(number, dot.getAcc(), false);
      producers[dot.getResult()] = number;
      return;
    }
    return addStep(NodeKind::Structured);
  case OpClass::Shape:
    if (!isTileValue(op->getResult(0)))
      return addStep(values.hasScalarStep(op) ? NodeKind::Scalar : NodeKind::Structured);
    if (values.kindOf(op->getResult(0)) == ValueKind::Node)
      return addLoop(NodeKind::Define, op->getResult(0).getType(), {}, op->getOperands());
    if (values.isCopied(op))
      producers[op->getResult(0)] = addMoved(op);
    return;
  case OpClass::Elementwise: {
    const Value result = op->getResult(0);
    if (values.kindOf(result) == ValueKind::Uniform)
      return addStep(NodeKind::Scalar);
    if (values.kindOf(result) != ValueKind::Node)
      return;
    if (auto rows = dyn_cast<tile::ViewLoadRowsOp>(op))
      return addLoop(NodeKind::Define, result.getType(), {}, op->getOperands());
    return addLoop(NodeKind::Define, result.getType(), op->getOperands(), {});
  }
  case OpClass::Reduce:
    return addLoop(NodeKind::Reduce, op->getOperand(0).getType(), op->getOperands(), {});
  case OpClass::Store:
    return addLoop(NodeKind::Store, op->getOperand(0).getType(), op->getOperands(), {});
  case OpClass::ViewStore:
    if (auto rows = dyn_cast<tile::ViewStoreRowsOp>(op)) {
      addLoop(NodeKind::ViewStore, rows.getValue().getType(), rows.getValue(),
              {rows.getView(), rows.getRows(), rows.getCol()});
      return;
    }
    return addLoop(NodeKind::ViewStore, cast<tile::ViewStoreOp>(op).getValue().getType(), op->getOperands(), {});
  case OpClass::Atomic:
    return addLoop(NodeKind::LaneLoop, op->getOperand(0).getType(), op->getOperands(), {});
  case OpClass::Region:
    return addRegion(op);
  }
}

void BlockPlanner::addRegion(Operation *op) {
  // Panels of what does not change inside.
  op->walk([&](tile::DotOp dot) {
    if (!values.isLive(dot))
      return;
    addPack(dot, 0);
    addPack(dot, 1);
  });
  // What the loop takes in.
  SmallVector<unsigned> copies;
  const auto takeIn = [&](mlir::ValueRange arguments, mlir::ValueRange inits) {
    for (auto [argument, init] : llvm::zip_equal(arguments, inits))
      if (isTileValue(argument))
        copies.push_back(addCopy(op, init, plan.homes[argument].buffer));
  };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    takeIn(loop.getRegionIterArgs(), loop.getInitArgs());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    takeIn(loop.getBeforeArguments(), loop.getInits());

  const unsigned number = addNode(NodeKind::Region, op);
  nodes[number].memory = order.useOf(op);
  for (Value operand : op->getOperands())
    if (!isTileValue(operand))
      nodes[number].reads.push_back({operand, true});
  readInside(number, op);
  for (Value result : op->getResults())
    producers[result] = number;
  before[op].append(copies);
}

void BlockPlanner::addYields(Operation *terminator) {
  Operation *parent = block->getParentOp();
  mlir::ValueRange yielded = terminator->getOperands(), into;
  mlir::ValueRange carried; // values whose memory changes while the block may still read it
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    into = carried = loop.getRegionIterArgs();
  } else if (isa<scf::IfOp>(parent)) {
    into = parent->getResults();
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (auto condition = dyn_cast<scf::ConditionOp>(terminator)) {
      yielded = condition.getArgs();
      into = loop.getResults();
    } else {
      into = loop.getBeforeArguments();
    }
  } else {
    return;
  }
  // Values that read what other copies overwrite are put aside first.
  SmallVector<std::optional<unsigned>> aside(yielded.size());
  const auto isCarried = [&](Value value) { return llvm::is_contained(carried, value); };
  for (auto [number, value] : llvm::enumerate(yielded)) {
    if (!isTileValue(value) || value == into[number])
      continue;
    bool readsCarried = false;
    values.forEachRead(value, true, [&](Read read) {
      readsCarried |= isCarried(read.value) && !(read.value == carried[number] && read.lanewise);
    });
    if (readsCarried)
      aside[number] = addCopy(terminator, value, plan.addBuffer(value.getType()));
  }
  for (auto [number, value] : llvm::enumerate(yielded)) {
    if (!isTileValue(value) || value == into[number])
      continue;
    const unsigned copy = addCopy(terminator, value, plan.homes[into[number]].buffer);
    nodes[copy].isLast = true;
    if (!carried.empty())
      nodes[copy].overwrites = carried[number];
    if (aside[number]) {
      nodes[copy].from = nodes[*aside[number]].to;
      nodes[copy].reads.clear();
      connect(*aside[number], copy, false);
    }
  }
}

//===--- Edges --------------------------------------------------------------===//

void BlockPlanner::connect(unsigned first, unsigned second, bool lanewise) {
  if (first != second)
    nodes[first].next.emplace_back(second, lanewise);
}

void BlockPlanner::addDataEdges() {
  for (unsigned number = 0; number < nodes.size(); ++number) {
    for (const Read &read : nodes[number].reads) {
      readers[read.value].emplace_back(number, read.lanewise);
      auto producer = producers.find(read.value);
      if (producer == producers.end())
        continue;
      // Only what one lane computes from its own elements is there before the loop has ended.
      const Node &from = nodes[producer->second];
      const bool lanewise = read.lanewise && from.kind == NodeKind::Define && from.shape == nodes[number].shape;
      connect(producer->second, number, lanewise);
    }
    const NodeKind kind = nodes[number].kind;
    if (kind != NodeKind::Region && kind != NodeKind::Structured)
      continue;
    Operation *op = nodes[number].op;
    for (unsigned first : before.lookup(op))
      connect(first, number, false);
    for (Region &region : op->getRegions())
      region.walk([&](tile::DotOp dot) {
        for (unsigned first : before.lookup(dot))
          connect(first, number, false);
      });
  }
}

void BlockPlanner::addOverwriteEdges() {
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (nodes[number].overwrites)
      for (auto [reader, lanewise] : readers.lookup(nodes[number].overwrites))
        connect(reader, number, lanewise && nodes[reader].shape == nodes[number].shape);
}

void BlockPlanner::addMemoryEdges() {
  SmallVector<unsigned> touching;
  // For each of them, those that lie strictly before it: an edge from them to what is strictly after it says nothing
  // new.
  std::vector<llvm::BitVector> strictlyBefore;
  for (unsigned number = 0; number < nodes.size(); ++number) {
    if (nodes[number].memory.isNone())
      continue;
    llvm::BitVector known(static_cast<unsigned>(touching.size()));
    for (unsigned i = static_cast<unsigned>(touching.size()); i-- > 0;) {
      if (known.test(i))
        continue;
      const unsigned first = touching[i];
      const Order kept = order.between(nodes[first].op, nodes[first].memory, nodes[number].op, nodes[number].memory);
      if (kept != Order::Free)
        connect(first, number, kept == Order::Lanewise);
      if (kept == Order::Strict) {
        known.set(i);
        known |= strictlyBefore[i];
      }
    }
    touching.push_back(number);
    strictlyBefore.push_back(std::move(known));
  }
}

//===--- Steps --------------------------------------------------------------===//

void BlockPlanner::addSteps() {
  // The place in the text of the last node decides among clusters that may come next.
  std::vector<unsigned> place(clusters.size()), waiting(clusters.size());
  const auto forEachNext = [&](unsigned cluster, function_ref<void(unsigned)> visit) {
    for (unsigned member : clusters[cluster])
      for (auto [next, lanewise] : nodes[member].next)
        if (nodes[next].cluster != cluster)
          visit(nodes[next].cluster);
  };
  for (unsigned cluster = 0; cluster < clusters.size(); ++cluster) {
    for (unsigned member : clusters[cluster])
      if (!nodes[member].isDropped)
        place[cluster] = std::max(place[cluster], member);
    forEachNext(cluster, [&](unsigned next) { ++waiting[next]; });
  }
  std::set<std::pair<unsigned, unsigned>> ready;
  for (unsigned cluster = 0; cluster < clusters.size(); ++cluster)
    if (waiting[cluster] == 0 && !clusters[cluster].empty())
      ready.emplace(place[cluster], cluster);
  plan.steps[block];
  uses[block];
  while (!ready.empty()) {
    const unsigned cluster = ready.begin()->second;
    ready.erase(ready.begin());
    addStep(clusters[cluster]);
    forEachNext(cluster, [&](unsigned next) {
      if (--waiting[next] == 0)
        ready.emplace(place[next], next);
    });
  }
}

void BlockPlanner::addStep(ArrayRef<unsigned> members) {
  // A load that must not be merged with others may still have no reader.
  const auto isIdle = [&](unsigned member) {
    return nodes[member].kind == NodeKind::Define && llvm::none_of(nodes[member].op->getResults(), [&](Value result) {
             return plan.homes.lookup(result).kind == HomeKind::Buffer;
           });
  };
  if (llvm::all_of(members, isIdle))
    return;
  StepUse use;
  for (unsigned member : members) {
    const Node &node = nodes[member];
    if (node.isDropped)
      continue;
    // A reduction may read its input again after other sinks have written.
    for (const Read &read : node.reads)
      use.reads.push_back({read.value, read.lanewise && node.kind != NodeKind::Reduce});
    if (node.kind == NodeKind::Copy) {
      use.writtenSlots.push_back(node.to.slot);
      if (node.from)
        use.readSlots.push_back(node.from->slot);
    } else if (node.kind == NodeKind::Pack) {
      use.writtenSlots.push_back(plan.packed.lookup({node.op, node.operand}).slot);
    } else if (node.kind != NodeKind::Region) {
      for (Value result : node.op->getResults())
        use.defines.push_back(result);
    }
  }
  uses[block].push_back(std::move(use));

  const Node &first = nodes[members.front()];
  Step step;
  step.op = first.op;
  switch (first.kind) {
  case NodeKind::Scalar:
    step.kind = Step::Scalar;
    break;
  case NodeKind::Structured:
    step.kind = Step::Structured;
    break;
  case NodeKind::Region:
    step.kind = Step::Region;
    break;
  default:
    step.kind = Step::Group;
    step.op = nullptr;
    step.group = static_cast<unsigned>(plan.groups.size());
    addGroup(members);
  }
  plan.steps[block].push_back(step);
}

bool isOrderFree(tile::ReduceOp reduce) {
  const std::optional<tile::CombineKind> kind = tile::matchCombine(reduce.getCombine());
  return kind && *kind != tile::CombineKind::AddF && *kind != tile::CombineKind::MulF;
}

void BlockPlanner::addGroup(ArrayRef<unsigned> members) {
  Group group;
  group.shape = nodes[members.front()].shape;
  SmallVector<Operation *> computed;
  for (unsigned member : members) {
    const Node &node = nodes[member];
    Sink sink;
    sink.op = node.op;
    switch (node.kind) {
    case NodeKind::Define:
      computed.push_back(node.op);
      sink.kind = SinkKind::Define;
      for (Value result : node.op->getResults()) {
        const Home home = plan.homes.lookup(result);
        if (home.kind != HomeKind::Buffer)
          continue;
        sink.value = result;
        sink.to = home.buffer;
        group.sinks.push_back(sink);
      }
      continue;
    case NodeKind::Copy:
      if (node.isDropped)
        continue;
      sink.kind = SinkKind::Copy;
      sink.value = node.value;
      sink.to = node.to;
      sink.from = node.from;
      break;
    case NodeKind::Pack:
      sink.kind = SinkKind::Pack;
      sink.value = node.value;
      sink.packed = plan.packed.lookup({node.op, node.operand});
      break;
    case NodeKind::Store:
      sink.kind = SinkKind::Store;
      break;
    case NodeKind::ViewStore:
      sink.kind = SinkKind::ViewStore;
      break;
    case NodeKind::Reduce:
      sink.kind = isOrderFree(cast<tile::ReduceOp>(node.op)) ? SinkKind::ReduceOrderFree : SinkKind::ReducePairs;
      break;
    case NodeKind::LaneLoop:
      sink.kind = SinkKind::LaneLoop;
      break;
    case NodeKind::Scalar:
    case NodeKind::Structured:
    case NodeKind::Region:
      llvm_unreachable("no part of a group");
    }
    group.sinks.push_back(sink);
  }
  describeGroup(plan, values, group, computed);
  plan.groups.push_back(std::move(group));
}

} // namespace tessera::ir::host
