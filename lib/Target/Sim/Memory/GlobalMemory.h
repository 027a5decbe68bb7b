//===- GlobalMemory.h - the buffers a launch may touch ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_GLOBALMEMORY_H
#define TESSERA_TARGET_SIM_MEMORY_GLOBALMEMORY_H

#include "Target/Interp/Program.h"
#include "Target/Sim/Memory/Shadow.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tessera::ir::sim {

/// A buffer and who touched it.
struct Region {
  interp::LiveBuffer buffer;
  std::string name; ///< "`x`", or empty
  Shadow shadow;

  /// "buffer `x`", "a buffer".
  std::string title() const { return name.empty() ? "a buffer" : "buffer " + name; }
  std::uint64_t begin() const { return buffer.address; }
  std::uint64_t end() const { return buffer.address + buffer.bytes; }
  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin() && address <= end() && bytes <= end() - address;
  }
};

class GlobalMemory {
public:
  /// \p names: an address in a buffer and what the user calls it.
  GlobalMemory(std::span<const interp::LiveBuffer> buffers,
               std::span<const std::pair<std::uint64_t, std::string>> names);

  /// The buffer that holds [\p address, + \p bytes), or null.
  Region *find(std::uint64_t address, std::uint64_t bytes) {
    if (latest && latest->holds(address, bytes))
      return latest;
    return search(address, bytes);
  }
  /// "12 bytes behind buffer `x` of 4096 bytes", "not near any buffer".
  std::string describe(std::uint64_t address) const;

  /// What was released at an address of any memory by atomic operations.
  Knowledge &releasedAt(std::uint64_t address) { return released[address]; }

private:
  Region *search(std::uint64_t address, std::uint64_t bytes);

  std::vector<Region> regions; ///< by address
  Region *latest = nullptr;
  std::unordered_map<std::uint64_t, Knowledge> released;
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_GLOBALMEMORY_H
