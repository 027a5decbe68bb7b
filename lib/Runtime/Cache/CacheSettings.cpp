//===- CacheSettings.cpp - where the disk cache lies ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/CacheSettings.h"

#include "Support/Environment.h"
#include "Support/GuardedFolder.h"
#include "Support/Log.h"

#include "tessera/core/Error.h"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <sys/auxv.h>

namespace tessera::rt {

using support::Variable;

static CacheMode readMode() {
  constexpr CacheMode modes[] = {CacheMode::ReadWrite, CacheMode::ReadOnly, CacheMode::Off};
  return modes[support::environmentChoice(Variable::Cache, {"rw", "ro", "off"})];
}

static std::string readFolder() {
  if (std::string folder = support::environment(Variable::CacheDir); !folder.empty()) {
    if (folder.front() != '/')
      throw UsageError(fmt::format("TESSERA_CACHE_DIR is `{}`; it must be an absolute path", folder));
    return folder;
  }
  // The XDG base directory specification has relative paths ignored.
  if (const char *base = std::getenv("XDG_CACHE_HOME"); base && *base == '/')
    return fmt::format("{}/tessera", base);
  if (const char *home = std::getenv("HOME"); home && *home == '/')
    return fmt::format("{}/.cache/tessera", home);
  return {};
}

static std::vector<std::string> readOverlays() {
  std::vector<std::string> folders;
  const std::string value = support::environment(Variable::CachePath);
  for (std::string_view rest = value; !rest.empty();) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string_view folder = rest.substr(0, colon);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    if (folder.empty())
      continue;
    if (folder.front() != '/')
      throw UsageError(fmt::format("TESSERA_CACHE_PATH names `{}`; it must list absolute paths", folder));
    folders.emplace_back(folder);
  }
  return folders;
}

std::uint64_t parseCacheSize(const std::string &text, std::string_view name) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  int shift = -1;
  for (const auto &[letter, bits] : {std::pair("", 0), std::pair("K", 10), std::pair("M", 20), std::pair("G", 30)})
    if (unit == letter)
      shift = bits;
  if (error != std::errc() || shift < 0 || number > std::numeric_limits<std::uint64_t>::max() >> shift)
    throw UsageError(
        fmt::format("{} is `{}`; it must be a number of bytes, with K, M or G behind it: 512M", name, text));
  return number << shift;
}

static std::uint64_t readLimit() {
  const std::string value = support::environment(Variable::CacheSize);
  return value.empty() ? std::uint64_t{1} << 30 : parseCacheSize(value, "TESSERA_CACHE_SIZE");
}

CacheSettings cacheSettings() {
  CacheSettings settings;
  settings.mode = readMode();
  if (settings.mode == CacheMode::Off || ::getauxval(AT_SECURE) != 0) {
    settings.mode = CacheMode::Off;
    return settings;
  }
  settings.folder = readFolder();
  settings.overlays = readOverlays();
  settings.limit = readLimit();
  return settings;
}

std::string cacheDirectory() {
  const CacheSettings settings = cacheSettings();
  if (settings.mode == CacheMode::Off || settings.folder.empty())
    return {};
  const auto folder = support::GuardedFolder::open(settings.folder, support::Trust::User,
                                                   /*create=*/settings.mode == CacheMode::ReadWrite);
  if (!folder.problem().empty())
    support::noteOnce(fmt::format("nothing is kept between processes: {}", folder.problem()));
  return folder ? settings.folder : std::string();
}

} // namespace tessera::rt
