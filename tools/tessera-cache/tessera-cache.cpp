//===- tessera-cache.cpp - look after the disk cache ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/KernelCache.h"
#include "Support/Files.h"
#include "Support/Options.h"

#include "CLI/CLI.hpp"
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

using namespace tessera;
using namespace tessera::rt;

namespace {
struct Arguments {
  std::string folder;
  std::string key;
  std::vector<std::string> texts;
  std::string binary;
  std::string size;
  bool remove = false, all = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static std::string sizeText(std::uint64_t bytes) {
  if (bytes < 10'000)
    return fmt::format("{} B", bytes);
  return bytes < 10'000'000 ? fmt::format("{} KB", bytes / 1000) : fmt::format("{} MB", bytes / 1'000'000);
}

/// How long ago, in one unit.
static std::string ageText(std::int64_t seconds) {
  if (seconds < 0)
    return "clock changed";
  if (seconds < 120)
    return fmt::format("{} s", seconds);
  if (seconds < 2 * 3600)
    return fmt::format("{} min", seconds / 60);
  return seconds < 2 * 86400 ? fmt::format("{} h", seconds / 3600) : fmt::format("{} d", seconds / 86400);
}

static std::string dateText(std::int64_t time) {
  const auto seconds = static_cast<std::time_t>(time);
  std::tm parts{};
  char text[64];
  if (!::gmtime_r(&seconds, &parts) || !std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts))
    return "at an unknown time";
  return text;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

static std::vector<CacheFile> filesOf(const std::string &folder) {
  std::string problem;
  std::vector<CacheFile> files = listKernels(folder, problem);
  if (!problem.empty())
    throw std::runtime_error(problem);
  return files;
}

static void list(const Arguments &arguments) {
  std::vector<std::vector<std::string>> rows{
      {"key", "kernel", "target", "config", "options", "variant", "size", "used", "hits"}};
  std::uint64_t bytes = 0;
  std::vector<CacheFile> files = filesOf(arguments.folder);
  std::ranges::reverse(files);
  for (const CacheFile &file : files) {
    bytes += file.bytes;
    const CacheFileContents contents = readKernel(arguments.folder, file.name);
    const std::string key = file.name.substr(0, 12), used = ageText(std::time(nullptr) - file.usedNs / 1'000'000'000);
    if (const auto &entry = contents.entry)
      rows.push_back({key, entry->image.kernel, entry->image.target, entry->config,
                      support::describeOptionKey(entry->options), entry->variant, sizeText(file.bytes), used,
                      std::to_string(contents.uses)});
    else
      rows.push_back({key, "(" + contents.problem + ")", "", "", "", "", sizeText(file.bytes), used, ""});
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (std::size_t i = 0; i != row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto &row : rows) {
    std::string line;
    for (std::size_t i = 0; i != row.size(); ++i)
      line += fmt::format("{:{}}{}", row[i], widths[i], i + 1 == row.size() ? "" : "  ");
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
  fmt::print("{} kernel{}, {}, in {}\n", files.size(), files.size() == 1 ? "" : "s", sizeText(bytes), arguments.folder);
}

/// The file whose name starts with \p key.
static CacheFile fileOf(const Arguments &arguments) {
  std::vector<CacheFile> files = filesOf(arguments.folder);
  std::erase_if(files, [&](const CacheFile &file) { return !file.name.starts_with(arguments.key); });
  if (files.empty())
    throw std::runtime_error(fmt::format("no kernel in {} has a key that starts with `{}`; `tessera-cache list` shows "
                                         "them",
                                         arguments.folder, arguments.key));
  if (files.size() > 1)
    throw std::runtime_error(
        fmt::format("{} kernels have a key that starts with `{}`; name more of it", files.size(), arguments.key));
  return files.front();
}

static void show(const Arguments &arguments) {
  const CacheFile file = fileOf(arguments);
  const CacheFileContents contents = readKernel(arguments.folder, file.name);
  if (!contents.entry)
    throw std::runtime_error(fmt::format("{}/{}: {}", arguments.folder, file.name, contents.problem));
  const CacheEntry &entry = *contents.entry;
  if (!arguments.binary.empty()) {
    const std::filesystem::path path = std::filesystem::absolute(arguments.binary);
    const auto &bytes = entry.image.binary;
    const std::string problem = support::writeFile(path.parent_path().string(), path.filename().string(),
                                                   {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
    if (!problem.empty())
      throw std::runtime_error(problem);
    fmt::print("wrote the {} to {}\n", entry.image.format, path.string());
    return;
  }
  for (const std::string &stage : arguments.texts) {
    const std::string *text = entry.text(stage);
    if (!text)
      throw std::runtime_error(fmt::format(
          "no text of stage `{}` was kept with this kernel; TESSERA_CACHE_KEEP={} keeps it, and compiles kernels again "
          "that lack it",
          stage, stage));
    fmt::print("{}", *text);
  }
  if (!arguments.texts.empty())
    return;

  const auto line = [](std::string_view name, std::string_view words) { fmt::print("{:<16}{}\n", name, words); };
  line("key", entry.key.hex());
  line("kernel", entry.image.kernel);
  line("target", entry.image.target);
  line("arguments", entry.arguments);
  line("config", entry.config);
  line("options", entry.options);
  line("variant", entry.variant);
  line("binary", fmt::format("{}, {}", entry.image.format, sizeText(entry.image.binary.size())));
  line("toolchain", entry.toolchain);
  line("compiled", dateText(entry.made));
  line("used", fmt::format("{} times, last {}", contents.uses, dateText(file.usedNs / 1'000'000'000)));
  for (const auto &[stage, ms] : entry.stages)
    line("stage " + stage, fmt::format("{:.2f} ms", ms));
  for (const auto &[name, value] : entry.image.metadata)
    if (name != "key")
      line(name, value);
  for (const std::string &note : entry.notes)
    line("note", note);
  for (const auto &[stage, text] : entry.texts)
    line("text of " + stage, sizeText(text.size()));
}

static int verify(const Arguments &arguments) {
  int sound = 0, bad = 0;
  for (const CacheFile &file : filesOf(arguments.folder)) {
    const CacheFileContents contents = readKernel(arguments.folder, file.name);
    if (contents.entry) {
      ++sound;
      continue;
    }
    ++bad;
    const std::string path = fmt::format("{}/{}", arguments.folder, file.name);
    std::error_code error;
    if (arguments.remove)
      std::filesystem::remove(path, error);
    fmt::print("{}: {}{}\n", path, contents.problem,
               !arguments.remove ? ""
               : error           ? "; cannot be removed: " + error.message()
                                 : "; removed");
  }
  fmt::print("{} sound, {} not\n", sound, bad);
  return bad == 0 ? 0 : 1;
}

static void prune(const Arguments &arguments) {
  std::uint64_t limit = 0;
  if (!arguments.all)
    limit = arguments.size.empty() ? cacheSettings().limit : parseCacheSize(arguments.size, "--size");
  const Pruned pruned = pruneKernels(arguments.folder, !arguments.all && limit == 0 ? ~std::uint64_t{0} : limit);
  if (!pruned.problem.empty())
    throw std::runtime_error(pruned.problem);
  fmt::print("removed {} kernel{}, {}; {} stay\n", pruned.kernels, pruned.kernels == 1 ? "" : "s",
             sizeText(pruned.bytes), sizeText(pruned.left));
}

int main(int argc, char **argv) {
  CLI::App app("Shows what the disk cache of compiled kernels holds, and looks after it.");
  Arguments arguments;
  app.add_option("--dir", arguments.folder, "The folder; that of TESSERA_CACHE_DIR, or the usual one, if not given");
  app.require_subcommand(1);
  app.fallthrough();
  auto *listing = app.add_subcommand("list", "Lists the kernels, the one used last first");
  auto *showing = app.add_subcommand("show", "Shows all that is known of one kernel");
  showing->add_option("key", arguments.key, "Its key, or the beginning of it")->required();
  showing->add_option("--text", arguments.texts, "Prints the program after a stage instead: asm, tile …");
  showing->add_option("--binary", arguments.binary, "Writes its binary to a file instead, for a disassembler");
  auto *verifying = app.add_subcommand("verify", "Reads every file and names those that are not sound");
  verifying->add_flag("--remove", arguments.remove, "Removes them");
  auto *pruning = app.add_subcommand("prune", "Removes the kernels whose use is longest past");
  pruning->add_option("--size", arguments.size, "Until at most this much stays: 512M; TESSERA_CACHE_SIZE if not given");
  pruning->add_flag("--all", arguments.all, "Removes all")->excludes("--size");
  CLI11_PARSE(app, argc, argv);
  try {
    if (arguments.folder.empty())
      arguments.folder = cacheSettings().folder;
    if (arguments.folder.empty())
      throw std::runtime_error("the cache is off, or there is no folder for it; name one with --dir");
    if (*listing)
      list(arguments);
    else if (*showing)
      show(arguments);
    else if (*verifying)
      return verify(arguments);
    else
      prune(arguments);
  } catch (const std::exception &error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
