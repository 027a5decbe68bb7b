//===- tessera-tune.cpp - looks at tuning records ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
//   tessera-tune show [FILE...]             what was tried and chosen
//   tessera-tune merge -o OUT FILE...       the records of several files in one
//   tessera-tune prune [FILE]               leaves out damaged lines and records that count for nobody
//   tessera-tune plot -o OUT.svg [FILE...]  how performance grew with what tuning cost
//
// Without FILE, the file in the cache's folder. Exit status: 0 done, 1 a file could not be read or written, 2 wrong
// options.
//
//===---------------------------------------------------------------------===//

#include "Records.h"

#include "Runtime/Autotune/TuneApart.h"
#include "Runtime/Autotune/TuneFile.h"
#include "Runtime/Cache/CacheSettings.h"
#include "Support/Files.h"

#include "tessera/core/Error.h"

#include "CLI/CLI.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

using namespace tessera;
using namespace tessera::tune;

namespace {

/// Said on standard error; the exit status becomes 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The path of the file in the cache's folder.
std::string cacheFile() {
  const std::string folder = rt::cacheDirectory();
  if (folder.empty())
    throw Failure("there is no cache folder; name a file, or set TESSERA_CACHE_DIR");
  return folder + "/" + rt::kTuneFileName;
}

std::vector<rt::TuneRecord> read(std::vector<std::string> files, const Filter &filter) {
  if (files.empty())
    files.push_back(cacheFile());
  std::vector<rt::TuneRecord> records;
  for (const std::string &file : files) {
    std::string problem;
    std::size_t damaged = 0;
    const std::string text = rt::readTuneFile(file, problem);
    if (!problem.empty())
      throw Failure(problem);
    for (rt::TuneRecord &record : rt::parseRecords(text, damaged))
      if (filter.accepts(record))
        records.push_back(std::move(record));
    if (damaged)
      fmt::print(stderr, "tessera-tune: {} damaged line{} in {} {} skipped\n", damaged, damaged == 1 ? "" : "s", file,
                 damaged == 1 ? "is" : "are");
  }
  return records;
}

std::string linesOf(const std::vector<rt::TuneRecord> &records) {
  std::string lines;
  for (const rt::TuneRecord &record : records)
    lines += rt::encodeRecord(record);
  return lines;
}

void write(const std::string &path, const std::string &text) {
  const std::filesystem::path whole = std::filesystem::absolute(path);
  if (const std::string problem = support::writeFile(whole.parent_path().string(), whole.filename().string(), text);
      !problem.empty())
    throw Failure(problem);
}

void show(const std::vector<std::string> &files, const Filter &filter) {
  for (const Group &group : grouped(withoutReplaced(read(files, filter))))
    std::fputs((tableOf(group) + "\n").c_str(), stdout);
}

void merge(const std::vector<std::string> &files, const Filter &filter, const std::string &out) {
  const std::vector<rt::TuneRecord> records = withoutReplaced(read(files, filter));
  write(out, linesOf(records));
  fmt::print("{} records in {}\n", records.size(), out);
}

void prune(std::string path, const Filter &filter) {
  if (path.empty())
    path = cacheFile();
  std::string problem;
  std::size_t damaged = 0;
  const std::string text = rt::readTuneFile(path, problem);
  if (!problem.empty())
    throw Failure(problem);
  const std::vector<rt::TuneRecord> all = rt::parseRecords(text, damaged);
  std::vector<rt::TuneRecord> kept = withoutReplaced(all);
  std::erase_if(kept, [&](const rt::TuneRecord &record) { return !filter.accepts(record); });
  if (problem = rt::rewriteTuneFile(path, text, linesOf(kept)); !problem.empty())
    throw Failure(problem);
  fmt::print("{} of {} records stay, {} damaged line{} gone\n", kept.size(), all.size(), damaged,
             damaged == 1 ? " is" : "s are");
}

void plot(const std::vector<std::string> &files, const Filter &filter, const std::string &out) {
  const std::vector<Group> groups = grouped(withoutReplaced(read(files, filter)));
  if (groups.empty())
    throw Failure("there are no records to draw");
  write(out, drawingOf(groups));
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Looks at tuning records", "tessera-tune");
  app.require_subcommand(1);
  std::vector<std::string> files;
  std::string file, out;
  Filter filter;
  double days = -1;
  const auto command = [&](const char *name, const char *help) {
    CLI::App *made = app.add_subcommand(name, help);
    made->add_option("--kernel", filter.kernel, "only kernels with this in their name")->type_name("TEXT");
    return made;
  };
  CLI::App *showing = command("show", "what was tried and chosen");
  showing->add_option("files", files, "files of records; the cache's if none is given");
  CLI::App *merging = command("merge", "the records of several files in one");
  merging->add_option("-o,--out", out, "the file to write")->required();
  merging->add_option("files", files, "files of records")->required();
  CLI::App *pruning = command("prune", "leaves out damaged lines and records that count for nobody");
  pruning->add_option("file", file, "the file; the cache's if none is given");
  pruning->add_option("--newer-than", days, "keep only records of the last so many days")->type_name("DAYS");
  CLI::App *plotting = command("plot", "draws how performance grew with what tuning cost");
  plotting->add_option("-o,--out", out, "the SVG file to write")->required();
  plotting->add_option("files", files, "files of records; the cache's if none is given");
  CLI::App *working = app.add_subcommand("worker", "times candidates for another process")->group("");
  working->add_option("job", file, "what to time")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (days >= 0)
    filter.newerThan =
        std::chrono::duration_cast<std::chrono::seconds>(
            std::chrono::system_clock::now().time_since_epoch() -
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::duration<double>(days * 86400)))
            .count();
  if (working->parsed())
    return rt::runApart(file);
  try {
    if (showing->parsed())
      show(files, filter);
    else if (merging->parsed())
      merge(files, filter, out);
    else if (pruning->parsed())
      prune(file, filter);
    else
      plot(files, filter, out);
    return 0;
  } catch (const Failure &failure) {
    fmt::print(stderr, "tessera-tune: {}\n", failure.what());
  } catch (const Error &error) {
    fmt::print(stderr, "tessera-tune: {}\n", error.what());
  }
  return 1;
}
