//===- Group.cpp - the loop nest of a group ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A group whose conditions are not known gets two versions: one for when all hold, without masks and with vector
// accesses, and a general one.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;

GroupSink::~GroupSink() = default;

namespace {

/// A sink of the plan and, where it is more than a write, the object that emits it.
struct GroupPart {
  const Sink &sink;
  std::unique_ptr<GroupSink> object;
  unsigned loopsOutside = 0; ///< loops that the object lives inside of
  unsigned carried = 0;      ///< how many values it carries
};

/// What a write needs, computed before anything is written.
struct Write {
  Buffer buffer; ///< of Define and Copy
  Access access; ///< of the others
  Value lanes;
};

class GroupEmitter {
public:
  GroupEmitter(Emitter &e, const Group &group) : e(e), group(group) {}

  void emit();

private:
  bool makeParts();
  SmallVector<Value> emitVersion(bool isFast, ValueRange carried);
  SmallVector<Value> emitLoops(unsigned depth, SmallVector<Value> carried);
  SmallVector<Value> emitInside(unsigned depth, ValueRange carried);
  SmallVector<Value> emitInnerLoop(const DomainLoop &loop, ValueRange carried);
  SmallVector<Value> emitBlocks(ArrayRef<LaneBlock> blocks, ValueRange carried);
  std::pair<Value, Value> boundsOf(const DomainLoop &loop, int64_t step);

  Write prepare(const Sink &sink, const LaneBlock &block);
  void finish(const Write &write, const LaneBlock &block);

  Emitter &e;
  const Group &group;
  SmallVector<GroupPart, 2> parts;
  SmallVector<GroupPart *, 2> inside; ///< parts with objects, outermost first: the order of carried values
  bool onlyWrites = true;
  int64_t chunk = 0;

  // Of the version being emitted.
  Domain domain;
  SmallVector<DomainLoop, 5> loops;
  LaneBlock at;
};

} // namespace

static bool isPlainWrite(SinkKind kind) {
  return kind == SinkKind::Define || kind == SinkKind::Copy || kind == SinkKind::Store || kind == SinkKind::ViewStore;
}

bool GroupEmitter::makeParts() {
  for (const Sink &sink : group.sinks) {
    GroupPart part{sink, nullptr};
    if (!isPlainWrite(sink.kind)) {
      const SinkFn make = e.state().table.findSink(sink.op->getName().getStringRef());
      if (!make) {
        e.refuse(*sink.op, "is not an operation of this target");
        return false;
      }
      part.object = make(sink, e);
      onlyWrites = false;
      chunk = std::max(chunk, part.object->chunk());
    }
    parts.push_back(std::move(part));
  }
  for (unsigned depth = 0; depth <= group.shape.size(); ++depth)
    for (GroupPart &part : parts)
      if (part.object && part.object->depth() == depth)
        inside.push_back(&part);
  return true;
}

void GroupEmitter::emit() {
  e.state().group = &group;
  if (!makeParts()) {
    e.state().group = nullptr;
    return;
  }
  domain = domainOf(group.shape, group.lanes, group.order);
  SmallVector<Value> carried;
  for (GroupPart *part : inside) {
    if (part->object->depth() != 0)
      continue;
    const SmallVector<Value> init = part->object->begin(e, {}, domain);
    part->carried = static_cast<unsigned>(init.size());
    llvm::append_range(carried, init);
  }
  if (!group.canBeFast || group.isAlwaysFast())
    carried = emitVersion(group.canBeFast, carried);
  else
    carried = e.ifElse(
        conditionsHold(e, group.fast), ValueRange(carried).getTypes(), [&] { return emitVersion(true, carried); },
        [&] { return emitVersion(false, carried); });
  ValueRange rest = carried;
  for (GroupPart *part : inside) {
    if (part->object->depth() != 0)
      continue;
    part->object->end(e, {}, rest.take_front(part->carried));
    rest = rest.drop_front(part->carried);
  }
  e.state().group = nullptr;
}

SmallVector<Value> GroupEmitter::emitVersion(bool isFast, ValueRange carried) {
  e.state().full = isFast;
  domain = domainOfGroup(e, group, onlyWrites);
  loops = loopsOf(domain);
  at.index.assign(domain.shape.size(), e.i64(0));
  at.axis = domain.axis;
  at.lanes = domain.lanes;
  for (GroupPart *part : inside) {
    const ArrayRef<unsigned> outside = ArrayRef(domain.order).take_front(part->object->depth());
    part->loopsOutside = static_cast<unsigned>(
        llvm::count_if(loops, [&](const DomainLoop &loop) { return llvm::is_contained(outside, loop.axis); }));
  }
  SmallVector<Value> result = emitLoops(0, SmallVector<Value>(carried));
  e.state().full = false;
  return result;
}

/// The loops from number \p depth on, with the objects that live between it and the one outside.
SmallVector<Value> GroupEmitter::emitLoops(unsigned depth, SmallVector<Value> carried) {
  const size_t outer = carried.size();
  SmallVector<GroupPart *, 2> here;
  const auto outerIndex = [&](const GroupSink &object) {
    SmallVector<Value> index;
    for (unsigned axis : ArrayRef(domain.order).take_front(object.depth()))
      index.push_back(at.index[axis]);
    return index;
  };
  for (GroupPart *part : inside) {
    if (part->object->depth() == 0 || part->loopsOutside != depth)
      continue;
    here.push_back(part);
    const SmallVector<Value> init = part->object->begin(e, outerIndex(*part->object), domain);
    part->carried = static_cast<unsigned>(init.size());
    llvm::append_range(carried, init);
  }
  SmallVector<Value> result = emitInside(depth, carried);
  ValueRange rest = ValueRange(result).drop_front(outer);
  for (GroupPart *part : here) {
    part->object->end(e, outerIndex(*part->object), rest.take_front(part->carried));
    rest = rest.drop_front(part->carried);
  }
  result.resize(outer);
  return result;
}

SmallVector<Value> GroupEmitter::emitInside(unsigned depth, ValueRange carried) {
  if (depth == loops.size()) {
    SmallVector<Value> result = emitBlocks(at, carried);
    for (GroupPart *part : inside)
      if (part->object->chunk() != 0)
        part->object->endChunk(e, at);
    return result;
  }
  const DomainLoop &loop = loops[depth];
  if (depth + 1 == loops.size())
    return emitInnerLoop(loop, carried);
  const auto [low, high] = boundsOf(loop, 1);
  return e.forRange(low, high, 1, carried, [&](Value index, ValueRange inner) {
    at.index[loop.axis] = index;
    return emitLoops(depth + 1, SmallVector<Value>(inner));
  });
}

SmallVector<Value> GroupEmitter::emitInnerLoop(const DomainLoop &loop, ValueRange carried) {
  // What moves lanes one by one is long enough, and the general version is the exception or runs to a border that is
  // anywhere. Objects may count on the unrolling.
  const bool isExceptional = !e.state().full && group.canBeFast;
  const bool canUnroll = !onlyWrites || !(isExceptional || movesLanesAlone(e, group, domain.axis));
  const auto unroll =
      canUnroll ? static_cast<unsigned>(std::min<int64_t>(group.unroll, loop.extent / domain.lanes)) : 1;
  const int64_t step = int64_t(unroll) * domain.lanes;
  const auto run = [&](Value low, Value high, ValueRange from) {
    return e.forRange(low, high, step, from, [&](Value index, ValueRange values) {
      at.index[loop.axis] = index;
      return emitBlocks(blocksFrom(e, at, unroll), values);
    });
  };
  if (chunk == 0) {
    const auto [low, high] = boundsOf(loop, step);
    return run(low, high, carried);
  }
  return e.forRange(e.i64(0), e.i64(loop.extent), std::min(chunk, loop.extent), carried,
                    [&](Value first, ValueRange values) {
                      SmallVector<Value> result = run(first, e.add(first, e.i64(std::min(chunk, loop.extent))), values);
                      at.index[loop.axis] = first;
                      for (GroupPart *part : inside)
                        if (part->object->chunk() != 0)
                          part->object->endChunk(e, at);
                      return result;
                    });
}

/// The part of a loop that can touch anything.
std::pair<Value, Value> GroupEmitter::boundsOf(const DomainLoop &loop, int64_t step) {
  Value low = e.i64(0), high = e.i64(loop.extent);
  const bool canClamp = onlyWrites && !e.state().full && !group.clamp.empty() && loop.extent == domain.shape[loop.axis];
  if (!canClamp)
    return {low, high};
  const Interval &interval = group.clamp[loop.axis];
  if (interval.lo) {
    low = clamped(e, e.uniform(interval.lo), loop.extent);
    low = e.builder().createOrFold<arith::AndIOp>(e.loc(), low, e.i64(-step));
  }
  if (interval.hi)
    high = clamped(e, e.uniform(interval.hi), loop.extent);
  return {low, high};
}

//===----------------------------------------------------------------------===//
// One turn
//===----------------------------------------------------------------------===//

Write GroupEmitter::prepare(const Sink &sink, const LaneBlock &block) {
  Write write;
  switch (sink.kind) {
  case SinkKind::Define:
    write.buffer = bufferAt(e, sink.to, tile::elementOf(sink.value.getType()));
    write.lanes = define(e, sink.value, block);
    break;
  case SinkKind::Copy:
    write.buffer = bufferAt(e, sink.to, tile::elementOf(sink.value.getType()));
    write.lanes = sink.from ? e.readBuffer(bufferAt(e, *sink.from, tile::elementOf(sink.value.getType())), block)
                            : e.lanesOrScalar(sink.value, block);
    break;
  default:
    write.lanes = e.lanesOrScalar(storedValueOf(*sink.op), block);
    write.access = accessAt(e, *sink.op, block);
  }
  return write;
}

void GroupEmitter::finish(const Write &write, const LaneBlock &block) {
  if (write.buffer.pointer)
    e.writeBuffer(write.buffer, write.lanes, block);
  else
    writeAccess(e, write.access, write.lanes);
}

/// Computes what an object will read, before anything is written.
static void readAhead(Emitter &e, const Sink &sink, ArrayRef<int64_t> shape, const LaneBlock &block) {
  if (sink.value) {
    e.lanesOrScalar(sink.value, block);
    return;
  }
  for (Value operand : sink.op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && tile::shapeOf(operand.getType()) == shape)
      e.lanesOrScalar(operand, block);
}

SmallVector<Value> GroupEmitter::emitBlocks(ArrayRef<LaneBlock> blocks, ValueRange carried) {
  for (const LaneBlock &block : blocks) {
    SmallVector<Write, 2> writes;
    for (const GroupPart &part : parts) {
      const Location outer = e.state().loc;
      e.setLocation(part.sink.op ? part.sink.op->getLoc() : outer);
      if (part.object)
        readAhead(e, part.sink, group.shape, block);
      writes.push_back(part.object ? Write() : prepare(part.sink, block));
      e.setLocation(outer);
    }
    for (const auto &[part, write] : llvm::zip_equal(parts, writes))
      if (!part.object)
        finish(write, block);
  }
  SmallVector<Value> result;
  for (GroupPart *part : inside) {
    const SmallVector<Value> next = part->object->blocks(e, blocks, carried.take_front(part->carried));
    carried = carried.drop_front(part->carried);
    llvm::append_range(result, next);
  }
  return result;
}

void emitGroup(Emitter &e, const Group &group) { GroupEmitter(e, group).emit(); }

} // namespace tessera::ir::host
