//===- Options.cpp - check, print and key compile options -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Options.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace tessera::support {

std::vector<OptionValue> optionValues(const CompileOptions &options) {
  return {
#define TESSERA_OPTION(name, smallest, largest, power, changes) {#name, static_cast<int>(options.name), changes},
#include "Support/Options.def"
  };
}

static std::string checkOption(const char *name, int value, int smallest, int largest, bool powerOfTwo) {
  if (value < smallest || value > largest)
    return fmt::format("option {} is {}; it must lie between {} and {}", name, value, smallest, largest);
  if (powerOfTwo && !std::has_single_bit(static_cast<unsigned>(value)))
    return fmt::format("option {} is {}; it must be a power of two; try {}", name, value,
                       std::bit_ceil(static_cast<unsigned>(value)));
  return {};
}

std::string checkOptions(const CompileOptions &options) {
  std::string problem;
#define TESSERA_OPTION(name, smallest, largest, power, changes)                                                        \
  if (problem.empty())                                                                                                 \
    problem = checkOption(#name, static_cast<int>(options.name), smallest, largest, power);
#include "Support/Options.def"
  return problem;
}

std::string describeOptions(const CompileOptions &options) {
  const std::vector<OptionValue> given = optionValues(options), usual = optionValues({});
  std::string text;
  for (std::size_t i = 0; i != given.size(); ++i)
    if (given[i].value != usual[i].value)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", given[i].name, given[i].value);
  return text.empty() ? "defaults" : text;
}

std::string optionKey(const CompileOptions &options) {
  std::string text;
  for (const OptionValue &option : optionValues(options))
    if (option.changesCode)
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", option.name, option.value);
  return text;
}

static std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    parts.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

std::string describeOptionKey(std::string_view key) {
  const std::string defaults = optionKey({});
  const std::vector<std::string_view> usual = split(defaults);
  std::vector<std::string_view> given = split(key);
  std::erase_if(given, [&](std::string_view option) { return std::ranges::find(usual, option) != usual.end(); });
  return given.empty() ? "defaults" : fmt::format("{}", fmt::join(given, " "));
}

} // namespace tessera::support
