//===- OrderedRaces.h - races in kernels whose programs communicate ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// With atomics, an access of one program can be ordered before one of another: the first releases, and the second
// acquires at the same address what was released (SEMANTICS M4, M5). Vector clocks follow this order; two accesses of
// one byte race when they conflict and neither is ordered before the other.
//
// Such kernels run on one thread, one program after the other, so what a program can learn comes from programs that
// have finished, and one clock, that of the running program, is enough. Programs are known by their turns, which
// ascend; in the order of the grid these are their numbers.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_ORDEREDRACES_H
#define TESSERA_TARGET_INTERP_CHECKS_ORDEREDRACES_H

#include "Target/Interp/Checks/Clock.h"
#include "Target/Interp/Checks/Races.h"

#include <map>
#include <tuple>
#include <unordered_map>

namespace tessera::ir::interp {

/// The checker of kernels with atomics that other programs see.
class OrderedRaces final : public RaceChecker {
public:
  explicit OrderedRaces(const Buffers &buffers);
  ~OrderedRaces() override;

  void record(const Buffer &buffer, std::uint64_t address, std::uint64_t bytes, unsigned size, AccessKind kind,
              std::uint64_t turn, const MemorySite &site) override;
  void finish(const Launch &launch, FaultLog &log) override;

  /// The running program acquires what was released at \p address.
  void acquire(std::uint64_t turn, std::uint64_t address);
  /// The running program releases at \p address, by a read-modify-write (which keeps what others released there) or by
  /// a store (which replaces it).
  void release(std::uint64_t turn, std::uint64_t address, bool keep);
  /// A store without release: whoever reads it learns nothing.
  void forget(std::uint64_t address);
  /// Ends the running program's epoch, after its releases of one instruction.
  void endEpoch(std::uint64_t turn);

private:
  enum class Kind : std::uint8_t { Read, Write, AtomicRead, AtomicWrite };
  /// Accesses of one kind by programs of neighbouring turns, in the same epoch of each and at one place of the kernel.
  struct Access {
    std::uint64_t first, last; ///< turns
    std::uint32_t epoch;
    std::uint32_t site; ///< index into Code::memory
    std::uint8_t size;  ///< of the element
    Kind kind;
  };
  /// All that is known of a byte: accesses since its last write, at most one of a kind for each program.
  using History = std::vector<Access>;
  /// 4096 bytes: for each group of 1 << shift bytes, the number of its history.
  struct Page {
    unsigned shift;
    std::vector<std::uint32_t> history;
  };

  void enter(std::uint64_t turn);
  static bool conflicts(const Access &before, const Access &now);
  /// The histories of neighbouring bytes are mostly the same one, so they are shared and immutable.
  std::uint32_t after(std::uint32_t history, const Access &now, const Buffer &buffer, std::uint64_t address,
                      std::uint64_t bytes);
  void collect();

  std::uint64_t running = ~std::uint64_t(0);
  Clock known;                             ///< of the running program
  std::uint32_t epoch = 0;                 ///< the running program's own
  std::map<std::uint64_t, Clock> released; ///< by address

  std::vector<std::unordered_map<std::uint64_t, Page>> pages; ///< per buffer, by number
  std::vector<History> histories;                             ///< 0 is the empty one
  std::size_t collectAt = 1 << 16;

  using Pair = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>; ///< first turn, sites, buffer
  struct Found {
    const Buffer *buffer;
    std::uint64_t address, bytes, secondTurn;
  };
  std::map<Pair, Found> races;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_ORDEREDRACES_H
