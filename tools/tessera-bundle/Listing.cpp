//===- Listing.cpp - a bundle in words ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Listing.h"

#include "Support/Options.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace tessera::tools {

using rt::BundleFile;
using rt::BundleFunction;
using rt::BundleImage;

std::string targetOf(const BundleImage &image) { return image.target + (image.format == "ptx" ? "+ptx" : ""); }

static std::string sizeText(std::uint64_t bytes) {
  if (bytes < 10'000)
    return fmt::format("{} B", bytes);
  return bytes < 10'000'000 ? fmt::format("{} KB", bytes / 1000) : fmt::format("{} MB", bytes / 1'000'000);
}

/// Lines of equal columns.
static std::string table(const std::vector<std::vector<std::string>> &rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (std::size_t i = 0; i != row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (std::size_t i = 0; i != row.size(); ++i)
      line += fmt::format("{:{}}{}", row[i], widths[i], i + 1 == row.size() ? "" : "  ");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string listing(const BundleFile &bundle) {
  std::vector<std::vector<std::string>> rows{
      {"function", "kernel", "arguments", "config", "options", "targets", "size"}};
  std::size_t images = 0;
  for (const BundleFunction &function : bundle.index().functions) {
    std::vector<std::string> targets;
    std::uint64_t bytes = 0;
    for (const BundleImage &image : function.images) {
      ++images;
      bytes += image.block.bytes;
      if (std::string target = targetOf(image); std::ranges::find(targets, target) == targets.end())
        targets.push_back(std::move(target));
    }
    rows.push_back({function.symbol, function.kernel, function.typesText(), function.config,
                    support::describeOptionKey(function.options), fmt::format("{}", fmt::join(targets, " ")),
                    sizeText(bytes)});
  }
  return table(rows) + fmt::format("{}: {} function{}, {} image{}, {}\n", bundle.title(),
                                   bundle.index().functions.size(), bundle.index().functions.size() == 1 ? "" : "s",
                                   images, images == 1 ? "" : "s", sizeText(bundle.bytes()));
}

std::string description(const BundleFile &bundle, const BundleFunction &function) {
  std::string text;
  const auto line = [&](std::string_view name, std::string_view words) {
    text += fmt::format("{:<12}{}\n", name, words);
  };
  line("function", function.symbol);
  line("kernel", function.kernel);
  line("program", function.program.hex());
  line("config", function.config);
  line("options", support::describeOptionKey(function.options));
  for (const rt::BundleArgument &argument : function.arguments)
    line("argument", fmt::format("{}: {}{}{}{}", argument.name, argument.dtype.name(), argument.pointer ? "*" : "",
                                 argument.stored ? ", stored" : "", argument.zeroed ? ", zeroed" : ""));
  line("toolchain", bundle.index().creator);
  std::vector<std::vector<std::string>> rows{{"target", "format", "variant", "size", "digest"}};
  for (const BundleImage &image : function.images)
    rows.push_back({image.target, image.format, image.variant.str(function.facts()), sizeText(image.block.bytes),
                    image.block.hash.hex()});
  return text + table(rows);
}

} // namespace tessera::tools
