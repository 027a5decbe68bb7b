//===- Aliases.h - one place of memory through two arguments ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Memory of different arguments is assumed disjoint (SEMANTICS M3). Where it is not, a program must not touch through
// one argument what it wrote through another, nor write what another lane of it loaded through another: a compiler may
// let the store overtake the load. A lane may store where it loaded itself, and so may a store of the loaded elements
// themselves, wherever reshaping took them: that is in-place work, which is always right.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_ALIASES_H
#define TESSERA_TARGET_INTERP_CHECKS_ALIASES_H

#include "Target/Interp/Launch.h"

#include <array>
#include <cstdint>
#include <unordered_map>

namespace tessera::ir::interp {

/// Notes, for a launch whose arguments share a buffer, through which argument each byte was last written and loaded by
/// the current program.
class AliasTracker {
public:
  /// The lane of an access of one element, which all lanes may execute.
  static constexpr std::uint32_t kAnyLane = ~std::uint32_t(0);

  explicit AliasTracker(const Code &code) : code(code) {}

  /// An access by \p lane of \p program at \p site. Returns the site of the earlier access that it must not meet, or
  /// null.
  const MemorySite *access(std::uint64_t program, const MemorySite &site, std::uint32_t lane, std::uint64_t address,
                           std::uint64_t bytes);
  /// The program orders its accesses: no later store overtakes an earlier load.
  void order() { ++epoch; }

private:
  /// The first access of a byte that loads it, and the last by another lane or at another place.
  struct Loads {
    std::uint32_t site[2] = {}; ///< memory site + 1
    std::uint32_t lane[2] = {};
  };
  struct Page {
    std::uint64_t program = ~std::uint64_t(0);
    std::uint64_t epoch = 0;                  ///< of the loads
    std::array<std::uint32_t, 4096> writer{}; ///< memory site + 1
    std::array<Loads, 4096> loads{};
  };
  /// Whether the two may mean one place only if that is declared.
  static bool areApart(const MemorySite &a, const MemorySite &b) {
    return !a.mayAlias && !b.mayAlias && !a.roots.meets(b.roots);
  }
  Page &pageOf(std::uint64_t program, std::uint64_t address);

  const Code &code;
  std::uint64_t epoch = 0;
  std::unordered_map<std::uint64_t, Page> pages;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_ALIASES_H
