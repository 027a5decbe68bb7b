//===- Crowding.cpp - more blocks on a multiprocessor ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Crowding.h"

#include "Analysis/Occupancy.h"

#include <fmt/format.h>
#include <string_view>

namespace tessera::ir::nvidia {

std::vector<std::uint32_t> blocksToAskFor(const rt::Image &image, const CubinFacts &facts, const arch::Chip &chip) {
  BlockNeeds needs{image.threadsPerProgram, facts.registers, image.sharedBytes + facts.staticSharedBytes};
  const Occupancy now = occupancyOf(chip, needs);
  std::vector<std::uint32_t> counts;
  if (now.limit != Occupancy::Limit::Registers || now.blocks == 0)
    return counts;
  // For so many eighths of the registers.
  for (const std::uint32_t eighths : {5, 6}) {
    if (eighths == 5 && now.share >= 0.5)
      continue;
    needs.registersOfThread = (facts.registers * eighths + 7) / 8;
    const auto blocks = static_cast<std::uint32_t>(occupancyOf(chip, needs).blocks);
    if (blocks > now.blocks && (counts.empty() || counts.back() != blocks))
      counts.push_back(blocks);
  }
  return counts;
}

std::string withBlocks(const std::string &ptx, std::uint32_t blocks) {
  constexpr std::string_view directive = ".minnctapersm 1\n";
  const std::size_t at = ptx.find(directive);
  if (at == std::string::npos)
    return {};
  std::string changed = ptx;
  changed.replace(at, directive.size(), fmt::format(".minnctapersm {}\n", blocks));
  return changed;
}

bool spillsNoMore(const CubinFacts &asked, const CubinFacts &before) { return asked.stackBytes <= before.stackBytes; }

} // namespace tessera::ir::nvidia
