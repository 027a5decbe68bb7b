//===- Instr.h - the interpreter's instructions -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A kernel is a list of instructions over registers. A register is a contiguous array of one element type at a fixed
// offset of a per-thread arena; an instruction is a function pointer, already specialised for its element types, with
// the registers it reads and writes. Structured control flow is an instruction whose payload holds lists.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_INSTR_H
#define TESSERA_TARGET_INTERP_INSTR_H

#include "Elem.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::ir::interp {

class Frame;
struct Inst;

/// Extents of a block; a scalar has rank 0 and one element.
struct Shape {
  std::array<std::int64_t, 6> extent{};
  unsigned rank = 0;
  std::int64_t count() const {
    std::int64_t n = 1;
    for (unsigned i = 0; i != rank; ++i)
      n *= extent[i];
    return n;
  }
  /// Row-major coordinates of element \p index, "[3, 17]"; "[]" for a scalar.
  std::string coordinates(std::int64_t index) const;
  bool operator==(const Shape &) const = default;
};

/// A register: \p count elements of \p elem at byte \p offset of the frame. A Slot is a value and copies freely.
struct Slot {
  std::uint32_t offset = 0;
  std::uint32_t count = 1; ///< elements; for Elem::View, words
  Elem elem = Elem::I32;
  std::uint32_t bytes() const { return count * bytesOf(elem); }
  bool operator==(const Slot &) const = default;
};

/// Where an instruction came from: everything a report needs, so that execution never looks at IR.
struct Site {
  std::string at;   ///< "kernel.cpp:12:8", or empty when the IR has no location
  std::string op;   ///< the operation's name, "tile.load"
  std::string name; ///< the user's name of the (first) result, or empty
  Shape shape;      ///< of the block the lanes of a report are counted in
};

using ExecFn = void (*)(const Inst &, Frame &);

/// Facts of one instruction beyond its registers; each op family derives its own.
struct Payload {
  virtual ~Payload();
};

/// One instruction. Immutable once built; shared by all threads.
struct Inst {
  ExecFn exec = nullptr;
  std::uint32_t n = 1;    ///< elements of the first result, or of the first operand where there is none
  std::uint32_t site = 0; ///< index into Code::sites
  llvm::SmallVector<Slot, 4> in;
  llvm::SmallVector<Slot, 1> out;
  std::unique_ptr<Payload> extra;

  template <class P> const P &payload() const { return static_cast<const P &>(*extra); }
};

using Block = std::vector<Inst>;

/// A register copy list that behaves as if all sources were read before any destination is written.
struct Moves {
  struct Move {
    Slot from, to;
  };
  llvm::SmallVector<Move, 2> moves;
  llvm::SmallVector<Slot, 2> temporaries; ///< one per move when sources and destinations cross, else empty
  void run(Frame &frame) const;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_INSTR_H
