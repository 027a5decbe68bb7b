//===- Crowding.cpp - more blocks on a multiprocessor ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Crowding.h"

#include "Analysis/Occupancy.h"

#include <fmt/format.h>
#include <string_view>

namespace tessera::ir::nvidia {

std::uint32_t blocksToAskFor(const rt::Image &image, const CubinFacts &facts, const arch::Chip &chip) {
  BlockNeeds needs{image.threadsPerProgram, facts.registers, image.sharedBytes + facts.staticSharedBytes};
  const Occupancy now = occupancyOf(chip, needs);
  if (now.limit != Occupancy::Limit::Registers || now.blocks == 0)
    return 0;
  needs.registersOfThread = facts.registers - facts.registers / 4;
  const Occupancy crowded = occupancyOf(chip, needs);
  return crowded.blocks > now.blocks ? static_cast<std::uint32_t>(crowded.blocks) : 0;
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
