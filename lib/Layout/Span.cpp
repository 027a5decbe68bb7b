//===- Span.cpp - the vectors that others combine to ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/Span.h"

namespace tessera::layout {

std::vector<std::uint64_t> Span::basis() const {
  std::vector<std::uint64_t> result;
  for (int at = 63; at >= 0; --at) {
    if ((leads >> at & 1) == 0)
      continue;
    std::uint64_t vector = rows[at];
    for (int below = at - 1; below >= 0; --below)
      if ((leads >> below & 1) != 0 && (vector >> below & 1) != 0)
        vector ^= rows[below];
    result.push_back(vector);
  }
  return result;
}

} // namespace tessera::layout
