//===- Report.cpp - what became of a kernel -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Report.h"

#include "Runtime/CodeFacts.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace tessera {

/// The number that \p text begins with; what follows it is left in \p text.
template <class Number> static std::optional<Number> takeNumber(std::string_view &text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

Report detail::reportOf(const std::string &target, const std::vector<std::pair<std::string, std::string>> &facts) {
  Report report;
  report.target = target;
  const std::map<std::string_view, std::string_view> known(facts.begin(), facts.end());
  const auto find = [&](std::string_view name) {
    const auto found = known.find(name);
    return found == known.end() ? std::string_view() : found->second;
  };
  const auto number = [&](std::string_view name) {
    std::string_view text = find(name);
    return takeNumber<std::int64_t>(text);
  };
  report.threads = number("threads");
  report.warp_size = number("warp_size");
  report.registers = number("registers");
  report.spill_bytes = number("spill_bytes");
  report.shared_bytes = number("shared_bytes");

  constexpr std::string_view kLimit = ", limited by ";
  std::string_view occupancy = find("occupancy");
  report.occupancy = takeNumber<double>(occupancy);
  if (occupancy.starts_with(kLimit))
    report.occupancy_limit = occupancy.substr(kLimit.size());

  report.accesses = rt::readAccesses(find(rt::kAccessesFact));
  report.products = rt::readProducts(find(rt::kProductsFact));

  report.source_changed = !find(rt::kSourceFact).empty();

  constexpr std::string_view kOf = " of ";
  std::string_view wavefronts = find(rt::kWavefrontsFact);
  const std::optional<std::int64_t> actual = takeNumber<std::int64_t>(wavefronts);
  if (actual && wavefronts.starts_with(kOf)) {
    wavefronts.remove_prefix(kOf.size());
    if (const std::optional<std::int64_t> ideal = takeNumber<std::int64_t>(wavefronts); ideal && *ideal > 0)
      report.bank_conflicts = static_cast<double>(*actual) / static_cast<double>(*ideal);
  }
  return report;
}

/// \p at without its folders.
static std::string_view fileAndLine(std::string_view at) { return at.substr(at.rfind('/') + 1); }

std::string Report::text() const {
  std::string text;
  const auto line = [&](std::string_view name, const std::string &value) {
    text += fmt::format("  {:<11} {}\n", name, value);
  };
  if (threads && warp_size && *warp_size > 0)
    line("threads", fmt::format("{} ({} warps of {})", *threads, *threads / *warp_size, *warp_size));
  else if (threads)
    line("threads", fmt::format("{}", *threads));
  if (registers)
    line("registers", fmt::format("{}{}", *registers,
                                  !spill_bytes        ? ""
                                  : *spill_bytes == 0 ? ", no spills"
                                                      : fmt::format(", {} bytes spilled", *spill_bytes)));
  if (shared_bytes)
    line("shared", fmt::format("{} bytes", *shared_bytes));
  if (occupancy)
    line("occupancy", fmt::format("{:.0f} % of the warps, limited by {}", *occupancy * 100, occupancy_limit));
  for (const MemoryAccess &access : accesses)
    line(access.kind,
         fmt::format("{} bytes at a time{}, {}", access.bytes,
                     access.bytes < access.held ? fmt::format(" of {}", access.held) : "", fileAndLine(access.at)));
  for (const MatrixProduct &product : products)
    line("dot", fmt::format("{}, {}", product.unit, fileAndLine(product.at)));
  if (bank_conflicts)
    line("banks",
         *bank_conflicts == 1 ? std::string("no conflicts") : fmt::format("{:.2f} turns for one", *bank_conflicts));
  std::string times;
  for (const auto &[stage, ms] : stages)
    times += fmt::format("{}{} {:.1f}", times.empty() ? "" : ", ", stage, ms);
  if (!times.empty())
    line("stages", times + " ms");
  if (source_changed && !(accesses.empty() && products.empty()))
    line("source", std::string(rt::kSourceChanged));
  return text;
}

} // namespace tessera
