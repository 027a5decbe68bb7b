//===- Races.h - two programs at one address ---------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Programs of a grid run in any order (SEMANTICS M4). Two of them that touch one byte, one of them writing, race,
// whatever the order was this time. Who touched what is kept per byte in shadow pages, coarsened to the element size
// while all accesses of a page allow it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_RACES_H
#define TESSERA_TARGET_INTERP_CHECKS_RACES_H

#include "Target/Interp/Checks/Buffers.h"
#include "Target/Interp/Checks/Faults.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::ir::interp {

struct Launch;
struct MemorySite;

enum class AccessKind : std::uint8_t { Read, Write, Atomic };

/// Watches accesses of a launch and tells the races at its end.
class RaceChecker {
public:
  virtual ~RaceChecker();
  /// Notes that the program of turn \p turn touched [address, address + bytes) of \p buffer in elements of \p size
  /// bytes. Thread-safe unless the launch runs on one thread.
  virtual void record(const Buffer &buffer, std::uint64_t address, std::uint64_t bytes, unsigned size, AccessKind kind,
                      std::uint64_t turn, const MemorySite &site) = 0;
  /// Adds what was found to \p log. Called once, after all programs.
  virtual void finish(const Launch &launch, FaultLog &log) = 0;
};

/// For kernels without atomics, in which no access of one program is ordered with another's. What it reports depends on
/// the accesses only, not on their order, so it is the same for every number of threads.
class UnorderedRaces final : public RaceChecker {
public:
  explicit UnorderedRaces(const Buffers &buffers);
  ~UnorderedRaces() override;
  void record(const Buffer &buffer, std::uint64_t address, std::uint64_t bytes, unsigned size, AccessKind kind,
              std::uint64_t program, const MemorySite &site) override;
  void finish(const Launch &launch, FaultLog &log) override;

private:
  struct Page;
  struct Table;

  std::vector<Table> tables; ///< per buffer
  const Buffers &buffers;
};

/// The checker that fits \p launch: ordered by atomics where the kernel has any.
std::unique_ptr<RaceChecker> makeRaceChecker(const Launch &launch);

/// Two programs at one place of memory, one of which writes.
struct Race {
  const Buffer *buffer = nullptr;
  std::uint64_t address = 0;       ///< the lowest byte they share
  std::uint64_t bytes = 0;         ///< how many there are
  std::uint64_t programs[2] = {};  ///< numbers, in any order
  const MemorySite *sites[2] = {}; ///< what they execute
};

/// Adds \p race to \p log; \p rule says what is forbidden and what to do.
void reportRace(const Launch &launch, const Race &race, std::string_view rule, FaultLog &log);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_RACES_H
