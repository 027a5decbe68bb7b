//===- Environment.cpp - read environment variables -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Environment.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace tessera::support {

static constexpr VariableInfo kVariables[] = {
#define TESSERA_VARIABLE(enumerator, name, help) {name, help},
#include "Support/Environment.def"
};

std::span<const VariableInfo> variables() { return kVariables; }

static const char *nameOf(Variable variable) { return kVariables[static_cast<std::size_t>(variable)].name; }

std::string environment(Variable variable) {
  const char *value = std::getenv(nameOf(variable));
  return value ? value : "";
}

std::vector<std::string> environmentList(Variable variable) {
  std::vector<std::string> entries;
  const std::string value = environment(variable);
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view entry = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    while (!entry.empty() && entry.front() == ' ')
      entry.remove_prefix(1);
    while (!entry.empty() && entry.back() == ' ')
      entry.remove_suffix(1);
    if (!entry.empty())
      entries.emplace_back(entry);
  }
  return entries;
}

std::int64_t environmentNumber(Variable variable, std::int64_t fallback, std::int64_t smallest, std::int64_t largest) {
  const std::string value = environment(variable);
  if (value.empty())
    return fallback;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < smallest || number > largest)
    throw UsageError(
        fmt::format("{} is `{}`; it must be a number between {} and {}", nameOf(variable), value, smallest, largest));
  return number;
}

std::size_t environmentChoice(Variable variable, std::initializer_list<std::string_view> words) {
  const std::string value = environment(variable);
  if (value.empty())
    return 0;
  const auto *found = std::find(words.begin(), words.end(), value);
  if (found == words.end())
    throw UsageError(fmt::format("{} is `{}`; it must be {} or {}", nameOf(variable), value,
                                 fmt::join(words.begin(), words.end() - 1, ", "), *(words.end() - 1)));
  return static_cast<std::size_t>(found - words.begin());
}

} // namespace tessera::support
