//===- WideAccess.h - how wide accesses may be -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_WIDEACCESS_H
#define TESSERA_ANALYSIS_WIDEACCESS_H

#include "Analysis/AxisInfo.h"

#include <optional>

namespace tessera::ir {

/// How neighbouring lanes of a load or store may share one access of memory.
struct WideAccess {
  int axis = -1;        ///< along which neighbours are neighbours in memory; -1 if there is none
  int64_t elements = 1; ///< aligned runs of so many along the axis lie side by side, aligned to all their bytes, and
                        ///< have one mask; a power of two
};

/// Of a `tile.load store view_load view_store view_load_rows view_store_rows atomic_*` of tiles; nothing for other ops.
/// Runs have at most \p mostBytes. With \p isFull the mask is taken to be the same in all lanes, and what lies outside
/// a view not to be touched.
std::optional<WideAccess> wideAccessOf(Operation *op, const AxisInfos &infos, AffineForms &affine, int64_t mostBytes,
                                       bool isFull = false);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_WIDEACCESS_H
