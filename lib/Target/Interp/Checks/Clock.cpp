//===- Clock.cpp - what one program knows of the others -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Clock.h"

#include <algorithm>
#include <limits>

namespace tessera::ir::interp {

std::uint32_t Clock::of(std::uint64_t program) const {
  const auto run =
      std::lower_bound(runs.begin(), runs.end(), program, [](const Run &r, std::uint64_t p) { return r.last < p; });
  return run != runs.end() && run->first <= program ? run->epochs : 0;
}

void Clock::raise(std::uint64_t program, std::uint32_t epochs) {
  Clock one;
  one.runs.push_back({program, program, epochs});
  join(one);
}

void Clock::join(const Clock &other) {
  if (other.runs.empty())
    return;
  std::vector<Run> joined;
  const auto append = [&](std::uint64_t first, std::uint64_t last, std::uint32_t epochs) {
    if (!joined.empty() && joined.back().epochs == epochs && joined.back().last + 1 == first)
      joined.back().last = last;
    else
      joined.push_back({first, last, epochs});
  };
  // Sweep both lists: `at` is the first program not yet settled.
  constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  std::size_t a = 0, b = 0;
  std::uint64_t at = 0;
  while (a != runs.size() || b != other.runs.size()) {
    const Run mine = a != runs.size() ? runs[a] : Run{end, end, 0};
    const Run theirs = b != other.runs.size() ? other.runs[b] : Run{end, end, 0};
    const std::uint64_t first = std::max(at, std::min(mine.first, theirs.first));
    const bool inMine = mine.first <= first, inTheirs = theirs.first <= first;
    std::uint64_t last = end;
    last = std::min(last, inMine ? mine.last : mine.first - 1);
    last = std::min(last, inTheirs ? theirs.last : theirs.first - 1);
    append(first, last, std::max(inMine ? mine.epochs : 0, inTheirs ? theirs.epochs : 0));
    at = last + 1;
    if (a != runs.size() && mine.last == last)
      ++a;
    if (b != other.runs.size() && theirs.last == last)
      ++b;
  }
  runs = std::move(joined);
}

std::optional<std::uint64_t> Clock::firstBelow(std::uint64_t first, std::uint64_t last, std::uint32_t epochs) const {
  auto run =
      std::lower_bound(runs.begin(), runs.end(), first, [](const Run &r, std::uint64_t p) { return r.last < p; });
  for (; run != runs.end() && run->first <= first && run->epochs >= epochs; ++run) {
    if (run->last >= last)
      return std::nullopt;
    first = run->last + 1;
  }
  return first;
}

} // namespace tessera::ir::interp
