//===- Faults.cpp - what checked execution found --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Faults.h"

#include "fmt/format.h"

#include <algorithm>

namespace tessera::ir::interp {

Payload::~Payload() = default;

std::string Shape::coordinates(std::int64_t index) const {
  std::array<std::int64_t, 6> at{};
  for (unsigned axis = rank; axis-- != 0;) {
    at[axis] = index % extent[axis];
    index /= extent[axis];
  }
  std::string text = "[";
  for (unsigned axis = 0; axis != rank; ++axis)
    text += fmt::format("{}{}", axis ? ", " : "", at[axis]);
  return text + "]";
}

std::string Faults::text() const {
  std::string text;
  for (const Fault &fault : shown)
    text += (text.empty() ? "" : "\n") + fault.text;
  if (total > shown.size())
    text += fmt::format("\nand {} more; TESSERA_FAULTS sets how many are shown", total - shown.size());
  return text;
}

void FaultLog::mergeInto(Faults &all) const {
  all.shown.insert(all.shown.end(), kept.begin(), kept.end());
  all.total += total;
}

void sortFaults(Faults &faults, std::size_t limit) {
  std::sort(faults.shown.begin(), faults.shown.end(), [](const Fault &a, const Fault &b) {
    return a.program != b.program ? a.program < b.program : a.order < b.order;
  });
  if (faults.shown.size() > limit)
    faults.shown.resize(limit);
}

std::string programName(const std::array<std::int64_t, 3> &id) {
  return fmt::format("program ({}, {}, {})", id[0], id[1], id[2]);
}

std::array<std::int64_t, 3> programId(std::uint64_t program, const std::array<std::int64_t, 3> &grid) {
  const std::uint64_t x = static_cast<std::uint64_t>(grid[0]), y = static_cast<std::uint64_t>(grid[1]);
  return {static_cast<std::int64_t>(program % x), static_cast<std::int64_t>(program / x % y),
          static_cast<std::int64_t>(program / x / y)};
}

} // namespace tessera::ir::interp
