//===- Warp.h - a warp and its lanes ---------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The lanes of a warp that stand at one place of the code form a group, and one group executes at a time: the one that
// is furthest behind. Groups that meet become one. An instruction of all lanes waits until the groups have met there.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_WARP_H
#define TESSERA_TARGET_SIM_WARP_H

#include "Target/Sim/Memory/AsyncCopies.h"
#include "Target/Sim/Memory/Clocks.h"
#include "Target/Sim/Memory/Wgmma.h"
#include "Target/Sim/Program.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::ir::sim {

class Block;

/// Lanes that stand at one place.
struct Group {
  std::uint32_t pc = 0;
  LaneMask mask = 0;
};

class Warp {
public:
  Warp(Block &block, const Program &program, unsigned id);

  /// Puts all lanes at the start of the program, as warp of the block of number \p block.
  void start(std::uint32_t block);

  template <class T> T *reg(std::uint32_t offset) { return reinterpret_cast<T *>(frame + offset); }

  /// Sends the lanes of \p taken to \p there and the other active ones to \p elsewhere.
  void split(LaneMask taken, std::uint32_t there, std::uint32_t elsewhere);
  /// Sends all active lanes to \p there.
  void jump(std::uint32_t there) {
    pc = there;
    if (!others.empty())
      regroup();
  }
  /// The active lanes have returned.
  void exit();
  /// Makes the group that is furthest behind the active one, with all lanes that stand at the same place.
  void regroup();
  /// Whether all lanes stand at \p inst, which needs them all. If not, another group becomes the active one, or the
  /// block stops with a fault.
  bool converge(const Inst &inst);

  /// Reports a fault at \p inst: \p lane is the first lane, `seen` gives what was observed (a string or a callable),
  /// \p rule the rule and a hint.
  template <class Seen> void fault(const Inst &inst, unsigned lane, Seen &&seen, std::string_view rule);
  void fault(const Inst &inst, unsigned lane, const char *seen, std::string_view rule) {
    fault(inst, lane, [=] { return std::string(seen); }, rule);
  }

  Block &block;
  const Program &program;
  const unsigned id, lanes;
  const LaneMask full;
  LaneMask mask = 0; ///< active lanes
  LaneMask live = 0; ///< those that have not returned
  std::uint32_t pc = 0;
  std::vector<Group> others;        ///< lanes that are live and not active
  const Inst *waitsAt = nullptr;    ///< the barrier it stands at, or null
  unsigned barrier = 0;             ///< its number
  std::vector<std::uint32_t> turns; ///< how often each memory operation was executed
  std::vector<AsyncCopies> copies;  ///< of each lane
  WgmmaQueue wgmma;
  Clock clock;

private:
  struct Aligned {
    void operator()(std::byte *p) const;
  };
  std::unique_ptr<std::byte[], Aligned> storage;
  std::byte *frame;
};

/// Calls `fn(lane)` for the active lanes.
template <class Fn> inline void forLanes(const Warp &w, Fn &&fn) {
  if (w.mask == w.full) {
    for (unsigned base = 0; base != w.lanes; base += 32)
      for (unsigned l = 0; l < 32; ++l)
        fn(base + l);
    return;
  }
  for (LaneMask m = w.mask; m; m &= m - 1)
    fn(static_cast<unsigned>(std::countr_zero(m)));
}

/// Calls `fn(lane)` for the lanes of \p mask.
template <class Fn> inline void forLanesOf(LaneMask mask, Fn &&fn) {
  for (; mask; mask &= mask - 1)
    fn(static_cast<unsigned>(std::countr_zero(mask)));
}

/// The active lanes whose i1 is set.
inline LaneMask lanesWhere(Warp &w, std::uint32_t slot) {
  const std::uint8_t *bits = w.reg<std::uint8_t>(slot);
  LaneMask mask = 0;
  for (unsigned l = 0; l != w.lanes; ++l)
    mask |= LaneMask(bits[l] & 1) << l;
  return mask & w.mask;
}

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_WARP_H
