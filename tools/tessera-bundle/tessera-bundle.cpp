//===- tessera-bundle.cpp - look into bundles and put them together -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Compiles nothing: what goes into a bundle comes from other bundles, or from a folder of the disk cache.
//
//===---------------------------------------------------------------------===//

#include "Listing.h"
#include "Runtime/Bundle/BundleHeaders.h"
#include "Runtime/Cache/CacheSettings.h"
#include "Runtime/Cache/KernelCache.h"
#include "Support/Files.h"

#include "tessera/core/Error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

using namespace tessera;
using namespace tessera::rt;
using namespace tessera::tools;

namespace {
struct Arguments {
  std::string file, out, function, target, variant, folder, name;
  std::vector<std::string> files, functions, targets;
};
} // namespace

[[noreturn]] static void fail(const std::string &words) { throw std::runtime_error(words); }

static const BundleFunction &functionNamed(const BundleFile &bundle, const std::string &symbol) {
  if (const BundleFunction *function = bundle.index().find(symbol))
    return *function;
  fail(fmt::format("{} has no function `{}`; `tessera-bundle list` shows them", bundle.title(), symbol));
}

static void writeText(const std::string &folder, const std::string &name, std::string_view text) {
  if (const std::string problem = support::writeFile(folder, name, text); !problem.empty())
    fail(problem);
  fmt::print("wrote {}/{}\n", folder, name);
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static int verify(const Arguments &arguments) {
  int sound = 0, bad = 0;
  for (const std::string &path : arguments.files) {
    try {
      const auto bundle = BundleFile::open(path);
      bundle->records();
      for (const BundleFunction &function : bundle->index().functions)
        for (const BundleImage &image : function.images)
          try {
            bundle->entry(function, image);
            ++sound;
          } catch (const UsageError &error) {
            ++bad;
            fmt::print("{}\n", error.what());
          }
    } catch (const UsageError &error) {
      ++bad;
      fmt::print("{}\n", error.what());
    }
  }
  fmt::print("{} image{} sound, {} not\n", sound, sound == 1 ? "" : "s", bad);
  return bad ? 1 : 0;
}

/// Writes the code of one image, for disassemblers.
static void extract(const Arguments &arguments) {
  const auto bundle = BundleFile::open(arguments.file);
  const BundleFunction &function = functionNamed(*bundle, arguments.function);
  const LaunchFacts facts = function.facts();
  std::vector<const BundleImage *> found;
  for (const BundleImage &image : function.images)
    if (targetOf(image) == arguments.target &&
        (arguments.variant.empty() || image.variant.str(facts) == arguments.variant))
      found.push_back(&image);
  if (found.empty())
    fail(fmt::format("{} has no such image of `{}`; `tessera-bundle show` lists them", bundle->title(),
                     function.symbol));
  // The first one is that for aligned arguments, if there is one.
  const CacheEntry entry = bundle->entry(function, *found.front());
  const std::filesystem::path path = std::filesystem::absolute(arguments.out);
  const auto &bytes = entry.image.binary;
  writeText(path.parent_path().string(), path.filename().string(),
            {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

static void writeHeaders(const Arguments &arguments) {
  const auto bundle = BundleFile::open(arguments.file);
  const BundleIndex &index = bundle->index();
  if (const std::string problem = headerProblem(index); !problem.empty())
    fail(problem);
  writeText(arguments.out, index.name + ".h", bundleHeader(index));
  writeText(arguments.out, index.name + "_c.h", bundleHeaderForC(index));
  writeText(arguments.out, index.name + "_bundle.cpp",
            bundleSource(index, std::filesystem::absolute(arguments.file).string()));
}

//===----------------------------------------------------------------------===//
// Putting together
//===----------------------------------------------------------------------===//

namespace {
/// A bundle being made.
class Assembly {
public:
  explicit Assembly(std::string name) {
    if (!isIdentifier(name))
      fail(fmt::format("a bundle cannot be called `{}`: its name is an identifier of C++", name));
    index.name = std::move(name);
  }

  /// Takes a function over, whose blocks are known to the writer. \p from is for messages.
  void add(BundleFunction function, const std::string &from) {
    const auto known = std::ranges::find(index.functions, function.symbol, &BundleFunction::symbol);
    if (known == index.functions.end())
      index.functions.push_back(std::move(function));
    else if (!mergeFunction(*known, function))
      fail(fmt::format("{}: function `{}` is another one than the function of that name before it", from,
                       function.symbol));
  }
  /// Takes the images of \p bundle for which \p wanted holds.
  template <class Wanted> void add(const BundleFile &bundle, Wanted wanted) {
    if (index.creator.empty())
      index.creator = bundle.index().creator;
    for (BundleFunction function : bundle.index().functions) {
      std::erase_if(function.images, [&](const BundleImage &image) { return !wanted(function, image); });
      for (BundleImage &image : function.images)
        image.block = writer.add(bundle.read(image.block, fmt::format("an image of `{}`", function.symbol)));
      if (!function.images.empty())
        add(std::move(function), bundle.title());
    }
    records += bundle.records();
  }
  void write(const std::string &path) {
    if (index.functions.empty())
      fail("nothing would be left in the bundle");
    if (!records.empty()) {
      const auto bytes = std::as_bytes(std::span(records));
      index.records = writer.add({bytes.begin(), bytes.end()});
    }
    writeBundle(path, writer.finish(index));
    fmt::print("{}", listing(*BundleFile::open(path)));
  }

  BundleIndex index;
  BundleWriter writer;

private:
  std::string records;
};
} // namespace

static bool contains(const std::vector<std::string> &list, const std::string &word) {
  return std::ranges::find(list, word) != list.end();
}

static void merge(const Arguments &arguments) {
  std::optional<Assembly> assembly;
  for (const std::string &path : arguments.files) {
    const auto bundle = BundleFile::open(path);
    if (!assembly)
      assembly.emplace(arguments.name.empty() ? bundle->index().name : arguments.name);
    assembly->add(*bundle, [](const BundleFunction &, const BundleImage &) { return true; });
  }
  assembly->write(arguments.out);
}

static void prune(const Arguments &arguments) {
  const auto bundle = BundleFile::open(arguments.file);
  Assembly assembly(arguments.name.empty() ? bundle->index().name : arguments.name);
  for (const std::string &symbol : arguments.functions)
    functionNamed(*bundle, symbol);
  assembly.add(*bundle, [&](const BundleFunction &function, const BundleImage &image) {
    return (arguments.functions.empty() || contains(arguments.functions, function.symbol)) &&
           (arguments.targets.empty() || contains(arguments.targets, targetOf(image)));
  });
  assembly.write(arguments.out);
}

/// The functions that a folder of the cache has kernels for: those of one kernel, arguments, config and options.
static void fromCache(const Arguments &arguments) {
  const std::string folder = arguments.folder.empty() ? cacheSettings().folder : arguments.folder;
  if (folder.empty())
    fail("the cache is off, or there is no folder for it; name one with --dir");
  std::string problem;
  const std::vector<CacheFile> files = listKernels(folder, problem);
  if (!problem.empty())
    fail(problem);
  std::vector<std::pair<std::string, CacheEntry>> entries;
  for (const CacheFile &file : files) {
    CacheFileContents contents = readKernel(folder, file.name);
    if (!contents.entry)
      fmt::print(stderr, "note: {}/{} is left out: {}\n", folder, file.name, contents.problem);
    else if (arguments.targets.empty() || contains(arguments.targets, contents.entry->image.target))
      entries.emplace_back(file.name, std::move(*contents.entry));
  }
  // The same files make the same bundle, whenever they were used.
  std::ranges::sort(entries, {}, [](const auto &entry) {
    return std::tie(entry.second.image.kernel, entry.second.arguments, entry.second.config, entry.second.options,
                    entry.second.program, entry.first);
  });
  Assembly assembly(arguments.name);
  std::string symbol;
  const CacheEntry *last = nullptr;
  for (const auto &[file, entry] : entries) {
    const bool same = last && last->image.kernel == entry.image.kernel && last->arguments == entry.arguments &&
                      last->config == entry.config && last->options == entry.options && last->program == entry.program;
    if (!same) {
      const std::string wanted = identifierOf(entry.image.kernel);
      symbol = wanted;
      for (int number = 1; assembly.index.find(symbol); ++number)
        symbol = fmt::format("{}_{}", wanted, number);
    }
    last = &entry;
    assembly.index.creator = entry.toolchain;
    assembly.add(functionOf(entry, symbol, assembly.writer), fmt::format("{}/{}", folder, file));
  }
  if (entries.empty())
    fail(fmt::format("{} has no kernels to bundle", folder));
  if (const std::string words = headerProblem(assembly.index); !words.empty())
    fail(words);
  assembly.write(arguments.out);
}

int main(int argc, char **argv) {
  CLI::App app("Looks into bundles of compiled kernels, and makes them of others or of a disk cache.");
  Arguments arguments;
  app.require_subcommand(1);
  const auto command = [&](const char *name, const char *what, bool one) {
    CLI::App *made = app.add_subcommand(name, what);
    if (one)
      made->add_option("file", arguments.file, "The bundle")->required();
    return made;
  };
  const auto output = [&](CLI::App *to) { to->add_option("-o,--out", arguments.out, "The file to write")->required(); };
  auto *listing = command("list", "Lists the functions and what each was compiled for", true);
  auto *showing = command("show", "Shows all that is known of one function", true);
  showing->add_option("function", arguments.function, "Its name")->required();
  auto *verifying = command("verify", "Reads everything and names what is not sound", false);
  verifying->add_option("files", arguments.files, "The bundles")->required();
  auto *extracting = command("extract", "Writes the code of one image to a file, for a disassembler", true);
  extracting->add_option("function", arguments.function, "The function's name")->required();
  extracting->add_option("--target", arguments.target, "For what: cuda:sm_90a, cuda:sm_80+ptx")->required();
  extracting->add_option("--variant", arguments.variant, "Of several variants: `aligned`, `general` …");
  output(extracting);
  auto *headers = command("headers", "Writes the headers, and the source that links it into a program", true);
  headers->add_option("-o,--out", arguments.out, "The folder to write to")->required();
  auto *merging = command("merge", "Makes one bundle of several", false);
  merging->add_option("files", arguments.files, "The bundles; of equal images the first counts")->required();
  merging->add_option("--name", arguments.name, "The name of the new one; that of the first if not given");
  output(merging);
  auto *pruning = command("prune", "Makes a bundle of a part of another", true);
  pruning->add_option("--target", arguments.targets, "Keep what is for these");
  pruning->add_option("--function", arguments.functions, "Keep these functions");
  pruning->add_option("--name", arguments.name, "The name of the new one; the same if not given");
  output(pruning);
  auto *caching = command("from-cache", "Makes a bundle of the kernels of a disk cache", false);
  caching->add_option("--dir", arguments.folder,
                      "The folder; that of TESSERA_CACHE_DIR, or the usual one, if not given");
  caching->add_option("--name", arguments.name, "The bundle's name, an identifier")->required();
  caching->add_option("--target", arguments.targets, "Take what is for these");
  output(caching);
  CLI11_PARSE(app, argc, argv);
  try {
    if (*listing)
      fmt::print("{}", tools::listing(*BundleFile::open(arguments.file)));
    else if (*showing) {
      const auto bundle = BundleFile::open(arguments.file);
      fmt::print("{}", description(*bundle, functionNamed(*bundle, arguments.function)));
    } else if (*verifying)
      return verify(arguments);
    else if (*extracting)
      extract(arguments);
    else if (*headers)
      writeHeaders(arguments);
    else if (*merging)
      merge(arguments);
    else if (*pruning)
      prune(arguments);
    else
      fromCache(arguments);
  } catch (const std::exception &error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
