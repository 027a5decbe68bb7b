//===- MemoryLoops.h - moving lanes between registers and memory -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_OPS_MEMORYLOOPS_H
#define TESSERA_TARGET_INTERP_OPS_MEMORYLOOPS_H

#include "Target/Interp/Checks/Access.h"

#include <cstring>

namespace tessera::ir::interp {

/// Reads the admitted lanes into \p to. A lane that the mask of \p lanes leaves out yields `other`, or 0 without it;
/// one that was refused yields 0 (SEMANTICS M1). i1 in memory: any byte but zero is true.
template <class W, bool isBool> void readLanes(Lanes lanes, Admitted admitted, const W *other, W *to) {
  if (admitted.contiguous && !admitted.mask) {
    std::memcpy(to, reinterpret_cast<const void *>(lanes.address[0]), lanes.n * sizeof(W));
  } else {
    for (std::uint32_t i = 0; i != lanes.n; ++i) {
      W value = 0;
      if (!admitted.mask || admitted.mask[i].bits)
        std::memcpy(&value, reinterpret_cast<const void *>(lanes.address[i]), sizeof(W));
      else if (other && lanes.mask && !lanes.mask[i].bits)
        value = other[i];
      to[i] = value;
    }
  }
  if constexpr (isBool)
    for (std::uint32_t i = 0; i != lanes.n; ++i)
      to[i] = to[i] != 0;
}

/// Writes the admitted lanes in order; of several at one address the last wins.
template <class W> void writeLanes(Lanes lanes, Admitted admitted, const W *from) {
  if (admitted.contiguous && !admitted.mask) {
    std::memcpy(reinterpret_cast<void *>(lanes.address[0]), from, lanes.n * sizeof(W));
    return;
  }
  for (std::uint32_t i = 0; i != lanes.n; ++i)
    if (!admitted.mask || admitted.mask[i].bits)
      std::memcpy(reinterpret_cast<void *>(lanes.address[i]), from + i, sizeof(W));
}

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_OPS_MEMORYLOOPS_H
