//===- SourceLanes.h - which lane each lane reads --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_SOURCELANES_H
#define TESSERA_TARGET_AMD_SOURCELANES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

#include <cstdint>
#include <optional>

namespace tessera::ir::amd {

/// For each lane of a warp the one it reads: what a value that is computed from the thread's number alone is for every
/// warp, modulo the warp's size.
class SourceLanes {
public:
  /// Nothing if \p lane is computed from anything else, or differs between warps.
  static std::optional<SourceLanes> of(const llvm::Value *lane, std::uint32_t warpSize);

  std::uint32_t warpSize() const { return static_cast<std::uint32_t>(lanes.size()); }
  std::uint32_t operator[](std::uint32_t lane) const { return lanes[lane]; }

  /// The lane that all read.
  std::optional<std::uint32_t> common() const;
  /// The bits that are flipped in every lane's number.
  std::optional<std::uint32_t> flipped() const;
  /// Whether each group of \p size lanes reads the group whose number has the bits of \p groupXor flipped, and all
  /// groups do so in the same way. Then the lanes of group 0 say which lane of a group each reads.
  bool repeats(std::uint32_t size, std::uint32_t groupXor = 0) const;
  /// In groups of \p size lanes that read themselves alone: each bit of the number of the lane that is read is
  /// constant, or the bit of the reader's, or its opposite: `(number & keep | set) ^ flip`.
  struct BitForm {
    std::uint32_t keep = 0, set = 0, flip = 0;
  };
  std::optional<BitForm> bitForm(std::uint32_t size) const;

private:
  llvm::SmallVector<std::uint32_t, 64> lanes;
};

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_SOURCELANES_H
