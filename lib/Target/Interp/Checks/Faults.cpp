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
  std::uint64_t rest = total;
  for (const Fault &fault : shown) {
    text += (text.empty() ? "" : "\n") + fault.text;
    if (fault.count > 1)
      text += fmt::format(", and {} more time{}", fault.count - 1, fault.count == 2 ? "" : "s");
    text += "; " + fault.rule;
    rest -= fault.count;
  }
  if (rest != 0)
    text += fmt::format("\nand {} more; TESSERA_FAULTS sets how many are shown", rest);
  return text;
}

static bool isBefore(const Fault &a, const Fault &b) {
  return a.program != b.program ? a.program < b.program : a.order < b.order;
}

void FaultLog::merge(const FaultLog &other) {
  for (const auto &[place, fault] : other.faults) {
    const auto [it, fresh] = faults.try_emplace(place, fault);
    if (fresh)
      continue;
    const std::uint64_t count = it->second.count + fault.count;
    if (isBefore(fault, it->second))
      it->second = fault;
    it->second.count = count;
  }
  total += other.total;
}

void FaultLog::mergeMissing(const FaultLog &other) {
  for (const auto &[place, fault] : other.faults)
    if (faults.try_emplace(place, fault).second)
      total += fault.count;
}

Faults FaultLog::result(std::size_t limit) const {
  Faults result;
  result.total = total;
  for (const auto &[place, fault] : faults)
    result.shown.push_back(fault);
  std::sort(result.shown.begin(), result.shown.end(), isBefore);
  if (result.shown.size() > limit)
    result.shown.resize(limit);
  return result;
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
