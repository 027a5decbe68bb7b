//===- Arena.cpp - places of tiles in memory ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Steps are numbered in the order of the text. A slot is taken from its first use to its last, and for the whole of a
// loop if it is used both in the loop and outside. What is computed from a tile that is read for the last time, lane by
// lane, takes over its slot.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/BlockPlanner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tessera::ir::host {

namespace {

/// When a slot is in use; never if `first > last`.
struct Life {
  unsigned first = ~0u;
  unsigned last = 0;

  void include(unsigned time) {
    first = std::min(first, time);
    last = std::max(last, time);
  }
  bool isEmpty() const { return first > last; }
  bool meets(const Life &other) const { return first <= other.last && other.first <= last; }
};

class Layout {
public:
  Layout(PlanContents &plan, const StepUses &uses) : plan(plan), uses(uses), lives(plan.slots.size()) {
    for (unsigned slot = 0; slot < plan.slots.size(); ++slot)
      owners.push_back(slot);
  }

  void run() {
    number(&plan.kernel.getBody().front());
    extendOverLoops();
    if (plan.options.fuse)
      shareInPlace();
    place();
  }

private:
  std::optional<unsigned> slotOf(Value value) const {
    auto home = plan.homes.find(value);
    if (home == plan.homes.end() || home->second.kind != HomeKind::Buffer)
      return std::nullopt;
    return home->second.buffer.slot;
  }

  /// Whether each element of \p a lies in its slot where that of \p b does in its own.
  bool haveSamePlaces(Value a, Value b) const {
    const BufferView &x = plan.homes.find(a)->second.buffer, &y = plan.homes.find(b)->second.buffer;
    return x.offset == y.offset && x.strides == y.strides &&
           x.stored.getIntOrFloatBitWidth() == y.stored.getIntOrFloatBitWidth();
  }

  void number(Block *block) {
    auto steps = plan.steps.find(block);
    if (steps == plan.steps.end())
      return;
    const std::vector<StepUse> &touched = uses.find(block)->second;
    for (auto [step, use] : llvm::zip_equal(steps->second, touched)) {
      const unsigned now = time++;
      const auto touch = [&](std::optional<unsigned> slot) {
        if (slot)
          lives[*slot].include(now);
      };
      for (const Read &read : use.reads)
        touch(slotOf(read.value));
      for (Value value : use.defines)
        touch(slotOf(value));
      for (unsigned slot : use.readSlots)
        touch(slot);
      for (unsigned slot : use.writtenSlots)
        touch(slot);
      // Blocks are planned from the inside out, so that only now it is known where all operands are packed.
      if (isa_and_nonnull<tile::DotOp>(step.op))
        for (unsigned operand : {0u, 1u})
          touch(plan.packed.lookup({step.op, operand}).slot);
      if (step.kind == Step::Group)
        groupUses.emplace_back(now, &use);
      if (step.kind != Step::Region)
        continue;
      for (Region &region : step.op->getRegions())
        for (Block &inner : region)
          number(&inner);
      if (isa<mlir::scf::ForOp, mlir::scf::WhileOp>(step.op))
        loops.push_back({now, time++});
    }
  }

  void extendOverLoops() {
    // Inner loops come first, so that one pass is enough.
    for (const Life &loop : loops)
      for (Life &life : lives)
        if (!life.isEmpty() && life.meets(loop) && (life.first < loop.first || life.last > loop.last)) {
          life.include(loop.first);
          life.include(loop.last);
        }
  }

  void shareInPlace() {
    for (auto [now, use] : groupUses)
      for (Value value : use->defines) {
        const std::optional<unsigned> slot = slotOf(value);
        if (!slot || lives[*slot].first != now || owners[*slot] != *slot)
          continue;
        if (const std::optional<unsigned> dying = findDying(now, *use, value)) {
          owners[*slot] = *dying;
          lives[*dying].last = lives[*slot].last;
          // A later value may take over in turn.
          for (unsigned other = 0; other < owners.size(); ++other)
            if (owners[other] == *slot)
              owners[other] = *dying;
        }
      }
  }

  /// A slot that the group reads, each lane the element in whose place it writes its element of \p defined, and that
  /// nothing uses again.
  std::optional<unsigned> findDying(unsigned now, const StepUse &use, Value defined) const {
    const int64_t bytes = plan.slots[*slotOf(defined)].bytes;
    for (const Read &candidate : use.reads) {
      const std::optional<unsigned> slot = slotOf(candidate.value);
      if (!slot)
        continue;
      const unsigned owner = owners[*slot];
      if (plan.slots[*slot].bytes != bytes || lives[owner].last != now || lives[owner].first == now)
        continue;
      const auto isHarmless = [&](const Read &read) {
        const std::optional<unsigned> other = slotOf(read.value);
        return !other || owners[*other] != owner || (read.lanewise && haveSamePlaces(read.value, defined));
      };
      const auto isOther = [&](unsigned other) { return owners[other] != owner; };
      if (llvm::all_of(use.reads, isHarmless) && llvm::all_of(use.readSlots, isOther) &&
          llvm::all_of(use.writtenSlots, isOther))
        return owner;
    }
    return std::nullopt;
  }

  void place() {
    std::vector<unsigned> queue;
    for (unsigned slot = 0; slot < lives.size(); ++slot)
      if (!lives[slot].isEmpty() && owners[slot] == slot)
        queue.push_back(slot);
    llvm::sort(queue, [&](unsigned a, unsigned b) {
      return std::pair(-plan.slots[a].bytes, a) < std::pair(-plan.slots[b].bytes, b);
    });
    // Neighbours of a power of two in size would share the low bits of addresses, and so lines of the cache.
    constexpr int64_t kAlignment = 64, kPadding = 64;
    const auto paddedBytes = [&](unsigned slot) {
      return static_cast<int64_t>(llvm::alignTo(plan.slots[slot].bytes, kAlignment)) + kPadding;
    };
    std::vector<unsigned> placed;
    for (unsigned slot : queue) {
      int64_t offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (unsigned other : placed) {
          const int64_t begin = plan.slots[other].offset, end = begin + paddedBytes(other);
          const bool overlap = offset < end && begin < offset + paddedBytes(slot);
          if (overlap && (!plan.options.fuse || lives[other].meets(lives[slot]))) {
            offset = end;
            moved = true;
          }
        }
      }
      plan.slots[slot].offset = offset;
      plan.arenaBytes = std::max(plan.arenaBytes, offset + paddedBytes(slot));
      placed.push_back(slot);
    }
    for (unsigned slot = 0; slot < owners.size(); ++slot)
      plan.slots[slot].offset = plan.slots[owners[slot]].offset;
  }

  PlanContents &plan;
  const StepUses &uses;
  std::vector<Life> lives;
  std::vector<unsigned> owners; ///< of each slot: the one whose memory it uses
  std::vector<Life> loops;
  std::vector<std::pair<unsigned, const StepUse *>> groupUses;
  unsigned time = 0;
};

} // namespace

void layOutArena(PlanContents &plan, const StepUses &uses) { Layout(plan, uses).run(); }

} // namespace tessera::ir::host
