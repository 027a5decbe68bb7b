//===- Crowding.cpp - more blocks on a multiprocessor ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Crowding.h"

#include "Analysis/Occupancy.h"
#include "Target/NVIDIA/Meetings.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace tessera::ir::nvidia {

static constexpr std::string_view kDirective = ".minnctapersm ";

std::int64_t blocksWaiting(std::int64_t threads, int halves, const arch::Chip &chip) {
  constexpr std::int64_t kForWork = 2;
  return occupancyOf(chip, {threads, (halves + 1) / 2 + kForWork, 0}).blocks;
}

void askForBlocks(llvm::Function &kernel, const arch::Chip &chip, std::int64_t least) {
  const std::int64_t threads = threadsOf(kernel);
  const Meetings meetings(kernel);
  if (threads == 0 || meetings.count() == 0 || meetings.hasLoops() || !kernel.hasFnAttribute("nvvm.minctasm"))
    return;
  const std::int64_t enough = std::max<std::int64_t>(2, chip.maxThreadsOfCore / 2 / threads);
  const std::int64_t blocks = std::max(least, std::min(enough, blocksWaiting(threads, meetings.mostWaiting(), chip)));
  if (blocks > 1)
    kernel.addFnAttr("nvvm.minctasm", fmt::format("{}", blocks));
}

std::uint32_t blocksAskedFor(const std::string &ptx) {
  const std::size_t at = ptx.find(kDirective);
  return at == std::string::npos
             ? 0
             : static_cast<std::uint32_t>(std::strtoul(ptx.c_str() + at + kDirective.size(), nullptr, 10));
}

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
  const std::size_t at = ptx.find(kDirective);
  if (at == std::string::npos)
    return {};
  std::string changed = ptx;
  changed.replace(at, ptx.find('\n', at) - at, fmt::format("{}{}", kDirective, blocks));
  return changed;
}

bool spillsNoMore(const CubinFacts &asked, const CubinFacts &before) { return asked.stackBytes <= before.stackBytes; }

} // namespace tessera::ir::nvidia
