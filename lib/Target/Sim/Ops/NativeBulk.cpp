//===- NativeBulk.cpp - NVIDIA's copies of boxes --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeBulk.h"

#include "Target/Sim/Memory/TensorMap.h"
#include "Target/Sim/Ops/Touch.h"
#include "Target/Sim/Ops/Words.h"

#include <fmt/format.h>

namespace tessera::ir::sim {

std::optional<BulkInstruction> parseBulk(std::string_view opcode) {
  Words words = wordsOf(opcode);
  std::erase(words, "tile");
  std::erase(words, "L2::cache_hint");
  const auto rankOf = [](std::string_view word) {
    return word.size() == 2 && word[1] == 'd' && word[0] >= '1' && word[0] <= '5' ? unsigned(word[0] - '0') : 0;
  };
  using enum BulkInstruction::Kind;
  if (startWith(words, {"fence", "proxy", "async"}) && words.size() <= 4) {
    const std::string_view space = words.size() == 4 ? words[3] : "";
    if (space.empty() || space.starts_with("shared"))
      return BulkInstruction{Fence};
    return space == "global" ? std::optional(BulkInstruction{Nothing}) : std::nullopt;
  }
  if (!startWith(words, {"cp", "async", "bulk"}) || words.size() < 4)
    return std::nullopt;
  const Words rest(words.begin() + 3, words.end());
  if (rest == Words{"commit_group"})
    return BulkInstruction{Commit};
  if (rest == Words{"wait_group"} || rest == Words{"wait_group", "read"})
    return BulkInstruction{Wait};
  if (rest.size() < 4 || rest[0] != "tensor" || !rankOf(rest[1]))
    return std::nullopt;
  const Words form(rest.begin() + 2, rest.end());
  if (form == Words{"shared::cluster", "global", "mbarrier::complete_tx::bytes"} ||
      form == Words{"shared::cta", "global", "mbarrier::complete_tx::bytes"})
    return BulkInstruction{TensorLoad, rankOf(rest[1])};
  if (form == Words{"global", "shared::cta", "bulk_group"})
    return BulkInstruction{TensorStore, rankOf(rest[1])};
  return std::nullopt;
}

namespace {

/// Where byte \p offset of a box that starts at \p start lies in shared memory: groups of 16 bytes are exchanged by the
/// row of 128 bytes they are in.
std::uint64_t swizzled(std::uint64_t start, std::uint64_t offset, unsigned swizzle) {
  const std::uint64_t address = start + offset;
  const std::uint64_t mask = swizzle == 3 ? 7 : swizzle == 2 ? 3 : swizzle == 1 ? 1 : 0;
  return address ^ ((address >> 7 & mask) << 4);
}

/// One copy of a box by one lane, while it is checked and cut into pieces.
class Box {
public:
  Box(const Inst &inst, Warp &w, unsigned lane, const TensorMap &map, std::uint64_t shared, bool isLoad)
      : inst(inst), w(w), lane(lane), map(map), shared((shared & ~kSharedTagMask) - kSharedBase), isLoad(isLoad) {}

  /// Cuts the box at \p coordinates into pieces of copy(); false after a fault.
  bool cut(const std::array<std::int64_t, 5> &coordinates);
  BulkCopy &copy() { return result; }

private:
  bool fault(const std::string &seen, std::string_view rule) {
    w.fault(inst, lane, [&] { return seen; }, rule);
    return false;
  }
  bool isStorable(const std::array<std::int64_t, 5> &coordinates);
  bool addRow(std::array<std::int64_t, 5> at, std::uint64_t offset);
  bool addPiece(std::uint64_t global, bool isInside, std::uint64_t offset, std::uint32_t bytes);

  const Inst &inst;
  Warp &w;
  unsigned lane;
  const TensorMap &map;
  std::uint64_t shared; ///< offset
  bool isLoad;
  BulkCopy result;
};

bool Box::cut(const std::array<std::int64_t, 5> &coordinates) {
  constexpr std::uint32_t spans[] = {0, 32, 64, 128};
  const std::uint32_t span = spans[map.swizzle & 3], row = map.box[0] * map.elementBytes;
  if (span && row > span)
    return fault(fmt::format("has a box with rows of {} bytes and a swizzle of {}", row, span),
                 "a row of a swizzled box fits the swizzle");
  const std::uint64_t alignment = map.swizzle == 3 ? 1024 : map.swizzle == 2 ? 512 : map.swizzle == 1 ? 256 : 128;
  if ((shared + kSharedBase) % alignment)
    return fault(fmt::format("has a box at {} of shared memory, which is not a multiple of {}", shared, alignment),
                 "the swizzle asks for this alignment");
  if (coordinates[0] * map.elementBytes % 16)
    return fault(fmt::format("begins at {} of the contiguous axis, which is {} bytes from the first element",
                             coordinates[0], coordinates[0] * map.elementBytes),
                 "the copy unit begins at multiples of 16 bytes, and stops with an illegal instruction elsewhere");
  if (!isLoad && !isStorable(coordinates))
    return false;
  result.inst = &inst;
  result.isLoad = isLoad;
  std::uint64_t offset = 0;
  std::array<std::uint32_t, 5> in{};
  for (;;) {
    std::array<std::int64_t, 5> at = coordinates;
    for (unsigned axis = 1; axis < map.rank; ++axis)
      at[axis] += in[axis];
    if (!addRow(at, offset))
      return false;
    offset += row;
    unsigned axis = 1;
    for (; axis < map.rank && ++in[axis] == map.box[axis]; ++axis)
      in[axis] = 0;
    if (axis >= map.rank)
      return true;
  }
}

/// What units of real chips do wrong with boxes that they store.
bool Box::isStorable(const std::array<std::int64_t, 5> &coordinates) {
  for (unsigned axis = 0; axis != map.rank; ++axis)
    if (coordinates[axis] < 0)
      return fault(
          fmt::format("stores a box that begins at {} of axis {}", coordinates[axis], axis),
          "the copy unit stores boxes that begin in the tensor, and stops with an illegal instruction at others");
  const auto extent = static_cast<std::int64_t>(map.extents[0]);
  if (extent * map.elementBytes % 16 != 0 && coordinates[0] < extent && coordinates[0] + map.box[0] > extent)
    return fault(fmt::format("stores a box across the end of a row of {} bytes", extent * map.elementBytes),
                 "the copy unit writes whole groups of 16 bytes, also where a row of the tensor ends within one");
  return true;
}

bool Box::addRow(std::array<std::int64_t, 5> at, std::uint64_t offset) {
  std::uint64_t address = map.address;
  bool isInside = true;
  for (unsigned axis = 1; axis < map.rank; ++axis) {
    isInside &= at[axis] >= 0 && static_cast<std::uint64_t>(at[axis]) < map.extents[axis];
    address += static_cast<std::uint64_t>(at[axis]) * map.strides[axis - 1];
  }
  // Pieces of at most 16 bytes, which a swizzle keeps together, and which end where the tensor ends.
  const std::uint32_t perPiece = 16 / map.elementBytes;
  for (std::uint32_t first = 0; first < map.box[0]; first += perPiece) {
    const std::uint32_t count = std::min(perPiece, map.box[0] - first);
    for (std::uint32_t k = 0; k < count;) {
      const auto inside = [&](std::uint32_t n) {
        const std::int64_t x = at[0] + first + n;
        return isInside && x >= 0 && static_cast<std::uint64_t>(x) < map.extents[0];
      };
      std::uint32_t run = 1;
      while (k + run < count && inside(k + run) == inside(k))
        ++run;
      const std::uint64_t x = static_cast<std::uint64_t>(at[0] + first + k);
      if (!addPiece(address + x * map.elementBytes, inside(k), offset + (first + k) * map.elementBytes,
                    run * map.elementBytes))
        return false;
      k += run;
    }
  }
  return true;
}

bool Box::addPiece(std::uint64_t global, bool isInside, std::uint64_t offset, std::uint32_t bytes) {
  BulkPiece piece;
  piece.bytes = bytes;
  piece.shared = swizzled(shared + kSharedBase, offset, map.swizzle) - kSharedBase;
  const std::uint64_t at = kSharedTag | (piece.shared + kSharedBase);
  const MemoryOp &onShared = w.program.memory[inst.extra], &onGlobal = w.program.memory[inst.extra + 1];
  if (!isInside) {
    if (!isLoad)
      return true;
    const std::uint64_t nan = map.elementBytes == 2   ? 0x7fff7fff7fff7fff
                              : map.elementBytes == 4 ? 0x7fffffff7fffffff
                                                      : 0x7fffffffffffffff;
    piece.fill = map.fill ? nan : 0;
  } else {
    const Touched touched = touch(w, inst, onGlobal, lane, global, bytes, isLoad ? Use::Read : Use::Write);
    if (!touched)
      return false;
    piece.global = touched.bytes;
  }
  if (!isLoad) {
    // What threads wrote is seen from here only behind a fence of theirs.
    bool isSeen = true;
    const Block &block = w.block;
    w.block.shared.shadow.forWrites(piece.shared, bytes,
                                    [&](const Access &write) { isSeen &= block.bulk.sees(write.warp, write.clock); });
    if (!isSeen)
      return fault(
          fmt::format("reads shared memory at {}, which a thread wrote without a proxy fence behind it", piece.shared),
          "fence.proxy.async, and then a barrier, make writes visible to bulk copies");
  }
  if (!touch(w, inst, onShared, lane, at, bytes, isLoad ? Use::Write : Use::Read))
    return false;
  w.block.shared.mark(piece.shared, bytes, isLoad ? ByteState::Filling : ByteState::Draining);
  result.pieces.push_back(piece);
  return true;
}

template <bool kLoads> void copyTensor(const Inst &i, Warp &w) {
  const auto rank = static_cast<unsigned>(i.imm);
  const unsigned mapAt = kLoads ? 1 : 0, sharedAt = kLoads ? 0 : 1 + rank;
  beginTouches(w, w.program.memory[i.extra]);
  beginTouches(w, w.program.memory[i.extra + 1]);
  forLanesOf(w.mask, [&](unsigned l) {
    const auto *map = reinterpret_cast<const TensorMap *>(w.reg<std::uint64_t>(i.in(mapAt))[l]);
    if (!map || map->magic != TensorMap::kMagic || map->rank != rank)
      return w.fault(i, l, "has no descriptor of its rank", "descriptors are made by the launcher");
    std::array<std::int64_t, 5> coordinates{};
    for (unsigned axis = 0; axis != rank; ++axis)
      coordinates[axis] = w.reg<std::int32_t>(i.in(mapAt + 1 + axis))[l];
    Box box(i, w, l, *map, w.reg<std::uint64_t>(i.in(sharedAt))[l], kLoads);
    if (kLoads) {
      box.copy().barrier = w.reg<std::uint64_t>(i.in(2 + rank))[l];
      if (!w.block.phaseBarrierAt(box.copy().barrier))
        return w.fault(i, l, "reports to a barrier that was not made", "mbarrier.init makes barriers");
    }
    if (!box.cut(coordinates))
      return;
    if (kLoads)
      w.block.bulk.load(std::move(box.copy()));
    else
      w.block.bulk.store(w.id * w.lanes + l, std::move(box.copy()));
  });
}

void commit(const Inst &, Warp &w) {
  forLanesOf(w.mask, [&](unsigned l) { w.block.bulk.commit(w.id * w.lanes + l); });
}

void wait(const Inst &i, Warp &w) {
  if (w.block.launch.request.sabotage.dropWait == static_cast<int>(i.imm))
    return;
  const std::uint32_t *kept = w.reg<std::uint32_t>(i.in(0));
  forLanesOf(w.mask, [&](unsigned l) { w.block.bulk.wait(w.block, w.id * w.lanes + l, kept[l]); });
}

void fence(const Inst &i, Warp &w) {
  if (w.block.launch.request.sabotage.dropFence == static_cast<int>(i.imm))
    return;
  w.block.bulk.fence(w.id, w.clock.now());
  w.clock.tick();
}

} // namespace

ExecFn bulkFunction(BulkInstruction::Kind kind) {
  switch (kind) {
  case BulkInstruction::TensorLoad:
    return copyTensor<true>;
  case BulkInstruction::TensorStore:
    return copyTensor<false>;
  case BulkInstruction::Commit:
    return commit;
  case BulkInstruction::Wait:
    return wait;
  case BulkInstruction::Fence:
    return fence;
  case BulkInstruction::Nothing:
    break;
  }
  return nullptr;
}

} // namespace tessera::ir::sim
