//===- GlobalMemory.cpp - the buffers a launch may touch ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/GlobalMemory.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::ir::sim {

GlobalMemory::GlobalMemory(std::span<const interp::LiveBuffer> buffers,
                           std::span<const std::pair<std::uint64_t, std::string>> names) {
  for (const interp::LiveBuffer &buffer : buffers) {
    Region &region = regions.emplace_back();
    region.buffer = buffer;
    region.shadow.reset(buffer.bytes);
  }
  std::sort(regions.begin(), regions.end(), [](const Region &a, const Region &b) { return a.begin() < b.begin(); });
  for (const auto &[address, name] : names)
    if (Region *region = search(address, 0))
      region->name += (region->name.empty() ? "" : ", ") + name;
  latest = nullptr;
}

Region *GlobalMemory::search(std::uint64_t address, std::uint64_t bytes) {
  auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                [](std::uint64_t a, const Region &region) { return a < region.begin(); });
  if (after == regions.begin() || !(--after)->holds(address, bytes))
    return nullptr;
  return latest = &*after;
}

std::string GlobalMemory::describe(std::uint64_t address) const {
  constexpr std::uint64_t near = std::uint64_t(1) << 32;
  const Region *best = nullptr;
  std::uint64_t distance = near;
  for (const Region &region : regions) {
    const std::uint64_t off = address < region.begin() ? region.begin() - address
                              : address < region.end() ? 0
                                                       : address - region.end();
    if (off < distance) {
      best = &region;
      distance = off;
    }
  }
  if (!best)
    return "not near any buffer";
  const std::string name = fmt::format("{} of {} bytes", best->title(), best->buffer.bytes);
  if (address < best->begin())
    return fmt::format("{} bytes before {}", distance, name);
  if (address < best->end())
    return fmt::format("{} bytes before the end of {}", best->end() - address, name);
  return fmt::format("{} bytes behind {}", distance, name);
}

} // namespace tessera::ir::sim
