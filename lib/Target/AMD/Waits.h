//===- Waits.h - a wave waits for its own accesses -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// LLVM adds waits for values, and before releases those for what may be under way. Of the latter it forgets some in
// loops: what it finds needless when it comes to a loop from above is gone when it learns what comes round the loop. So
// all that others may rely on is named.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_WAITS_H
#define TESSERA_TARGET_AMD_WAITS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>

namespace tessera::ir::amd {

/// The waits of a chip, which are for the wave that comes to them.
class Waits {
public:
  explicit Waits(const llvm::TargetMachine &machine);

  /// For all accesses of shared memory, and no others.
  void forShared(llvm::IRBuilderBase &b) const;
  /// For all accesses of either memory, copies among them.
  void forAll(llvm::IRBuilderBase &b) const;
  /// For all accesses of global memory but the latest \p kept, copies among them. For chips that copy.
  void forCopies(llvm::IRBuilderBase &b, std::uint64_t kept) const;

private:
  enum class Counters : std::uint8_t {
    Two,   ///< gfx9: of loads and stores together, and of shared memory
    Three, ///< gfx11: of loads, stores and shared memory
    Each,  ///< gfx12: the same, with an instruction for each
  };
  Counters counters;
};

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_WAITS_H
