//===- Frame.h - one thread executing programs of a grid --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A frame is what an instruction sees: the registers, the program's place in the grid, the launch it belongs to, and
// where to report a fault.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_FRAME_H
#define TESSERA_TARGET_INTERP_FRAME_H

#include "Target/Interp/Checks/Faults.h"
#include "Target/Interp/Instr.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::ir::interp {

struct Code;
struct Launch;
class AliasTracker;

/// Registers and position of one thread. Lives for one launch; `begin` moves it to the next program.
class Frame {
public:
  Frame(const Code &code, Launch &launch);
  ~Frame();
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  /// Starts the program whose turn is number \p turn.
  void begin(std::uint64_t turn);

  /// The array behind a register.
  template <class T> T *at(const Slot &slot) const { return reinterpret_cast<T *>(registers + slot.offset); }
  template <class T> const T *in(const Inst &inst, unsigned i) const { return at<const T>(inst.in[i]); }
  template <class T> T *out(const Inst &inst, unsigned i = 0) const { return at<T>(inst.out[i]); }
  /// The value of a scalar register.
  template <class T> T scalar(const Inst &inst, unsigned i) const { return *in<T>(inst, i); }

  const Code &code;
  Launch &launch;
  std::uint64_t turn = 0;    ///< programs that ran before, on the thread of a kernel that runs in order
  std::uint64_t program = 0; ///< number, x fastest
  std::array<std::int64_t, 3> id{};

  const Site &site(const Inst &inst) const;
  /// Whether faults are to be looked for.
  bool checks() const { return checksOn; }
  /// Whether this is a run in reverse that only looks for races (Rehearsal.h).
  bool isRehearsal() const;

  /// Reports a fault of \p inst: \p lane is the first faulting lane, \p lanes their number, `seen` a callable giving
  /// the words in front (what was observed, with its values), \p rule the words behind (rule and hint).
  template <class Seen>
  void fault(const Inst &inst, std::uint64_t lane, std::uint64_t lanes, Seen &&seen, std::string_view rule) {
    if (!isRehearsal())
      faultAlways(inst, lane, lanes, seen, rule);
  }
  /// The same in a rehearsal too, for what no other order of the programs may show.
  template <class Seen>
  void faultAlways(const Inst &inst, std::uint64_t lane, std::uint64_t lanes, Seen &&seen, std::string_view rule) {
    const Site &place = site(inst);
    log.add(program, place.at.empty() ? std::to_string(inst.site) : place.at + " " + place.op, rule,
            [&] { return compose(place, lane, lanes, seen()); });
  }

  /// Scratch bytes that live until the next call of the same \p which by this thread.
  template <class T> T *scratch(unsigned which, std::size_t count) {
    std::vector<std::uint64_t> &v = pads[which];
    const std::size_t words = (count * sizeof(T) + 7) / 8;
    if (v.size() < words)
      v.resize(words);
    return reinterpret_cast<T *>(v.data());
  }

  FaultLog log;
  std::unique_ptr<AliasTracker> aliases; ///< set where arguments of this launch share a buffer

private:
  std::string compose(const Site &site, std::uint64_t lane, std::uint64_t lanes, const std::string &seen) const;

  bool checksOn;
  std::unique_ptr<std::byte[]> storage;
  std::byte *registers = nullptr;
  std::array<std::vector<std::uint64_t>, 4> pads;
};

/// Executes a list of instructions.
inline void execute(const Block &block, Frame &frame) {
  for (const Inst &inst : block)
    inst.exec(inst, frame);
}

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_FRAME_H
