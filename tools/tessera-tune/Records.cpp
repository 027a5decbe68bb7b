//===- Records.cpp - tuning records as the tool shows them -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Records.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace tessera::tune {

using rt::TuneRecord;

bool Filter::accepts(const TuneRecord &record) const {
  return record.problem.kernel.find(kernel) != std::string::npos && record.recorded >= newerThan;
}

std::ptrdiff_t Group::fastest() const {
  std::vector<rt::TimeEstimate> times;
  for (const TuneRecord &record : records)
    times.push_back(record.time);
  const auto best = rt::fastest(times);
  return best ? static_cast<std::ptrdiff_t>(*best) : -1;
}

double Group::costMs() const {
  double sum = 0;
  for (const TuneRecord &record : records)
    sum += record.compileMs + record.timingMs;
  return sum;
}

std::vector<TuneRecord> withoutReplaced(const std::vector<TuneRecord> &records) {
  // From the end on: what a batch that replaces all others has before it does not count.
  std::set<std::string> replaced;
  std::set<std::pair<std::string, std::string>> replacing;
  std::vector<TuneRecord> kept;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    const std::string problem = record->problem.hash();
    const std::pair batch(problem, record->batch);
    if (replaced.count(problem) && !replacing.count(batch))
      continue;
    kept.push_back(*record);
    if (record->again && !replacing.count(batch)) {
      replaced.insert(problem);
      replacing.insert(batch);
    }
  }
  std::ranges::reverse(kept);
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  std::erase_if(kept, [&](const TuneRecord &record) {
    return !seen.emplace(record.problem.hash(), record.batch, record.config, record.options).second;
  });
  return kept;
}

std::vector<Group> grouped(const std::vector<TuneRecord> &records) {
  std::vector<Group> groups;
  for (const TuneRecord &record : records) {
    auto group = std::ranges::find_if(
        groups, [&](const Group &known) { return known.problem == record.problem && known.batch == record.batch; });
    if (group == groups.end())
      group = groups.insert(groups.end(), Group{record.problem, record.driver, record.toolchain, record.batch, {}});
    group->records.push_back(record);
  }
  return groups;
}

/// `2026-05-01 12:30`
static std::string dateOf(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  char text[32] = "?";
  if (::gmtime_r(&time, &parts))
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

std::string tableOf(const Group &group) {
  std::string text =
      fmt::format("{} ({}), key: {}, on {}{}{}\n  {}; batch {}, {}, {:.1f} s of compiling and timing\n",
                  group.problem.kernel, group.problem.arguments, group.problem.key.empty() ? "none" : group.problem.key,
                  group.problem.device, group.driver.empty() ? "" : ", ", group.driver, group.toolchain, group.batch,
                  dateOf(group.records.front().recorded), group.costMs() / 1000);
  const std::ptrdiff_t best = group.fastest();
  for (std::size_t i = 0; i != group.records.size(); ++i) {
    const TuneRecord &record = group.records[i];
    text +=
        fmt::format("  {} {} {}", static_cast<std::ptrdiff_t>(i) == best ? "->" : "  ", record.config, record.options);
    if (record.time.samples)
      text += fmt::format(": {:.5f} ms, 95 % in [{:.5f}, {:.5f}], {} samples\n", record.time.ms, record.time.low,
                          record.time.high, record.time.samples);
    else
      text += fmt::format(": skipped: {}\n", record.skipped.substr(0, record.skipped.find('\n')));
  }
  return text;
}

} // namespace tessera::tune
