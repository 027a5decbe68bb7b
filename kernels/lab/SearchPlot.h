//===- SearchPlot.h - what widening a space bought, as a picture -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_SEARCHPLOT_H
#define TESSERA_KERNELS_LAB_SEARCHPLOT_H

#include "tessera/tessera.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::kernels::lab {

/// The space after it was widened so often, and its best candidate.
struct SearchRound {
  std::size_t candidates = 0;
  double ms = 0;
  std::string config, options;
};

/// A picture, in SVG: how fast the best of the first candidates was, against their number; a line where each round
/// ends.
std::string plotOf(const TuneReport &report, const std::vector<SearchRound> &rounds);

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_SEARCHPLOT_H
