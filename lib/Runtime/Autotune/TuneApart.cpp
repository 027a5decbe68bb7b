//===- TuneApart.cpp - start workers and read what they say ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneApart.h"

#include "Support/Bytes.h"
#include "Support/Environment.h"
#include "Support/Files.h"
#include "Support/Subprocess.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace tessera::rt {

using support::ByteReader;
using support::ByteWriter;

//===----------------------------------------------------------------------===//
// Jobs as bytes. Writer and reader are of one build, and the file lives as long as the worker.
//===----------------------------------------------------------------------===//

static constexpr std::string_view kMagic = "tessera tuning job 1";

static void writeImage(ByteWriter &writer, const std::shared_ptr<const Image> &image) {
  writer.block(image ? image->serialize() : std::vector<std::byte>());
}

static std::shared_ptr<const Image> readImage(ByteReader &reader) {
  const std::vector<std::byte> bytes = reader.block();
  return bytes.empty() ? nullptr : std::make_shared<const Image>(Image::deserialize(bytes));
}

std::vector<std::byte> ApartJob::serialize() const {
  ByteWriter writer;
  writer.text(kMagic);
  writer.text(device);
  writer.number(std::bit_cast<std::uint64_t>(limits.budgetMs));
  writer.number(std::bit_cast<std::uint64_t>(limits.timeLimitMs));
  writer.count(arguments.size());
  for (const CallArgument &argument : arguments) {
    writer.number(argument.bits);
    writer.number(argument.bytes);
    writer.flag(argument.sized);
    writer.flag(argument.readOnly);
  }
  writer.count(memory.size());
  for (const ApartMemory &each : memory) {
    writer.number(each.range.begin);
    writer.number(each.range.end);
    writer.flag(each.restored);
    writer.block(each.contents);
  }
  writer.count(candidates.size());
  for (const ApartCandidate &candidate : candidates) {
    writeImage(writer, candidate.image);
    writeImage(writer, candidate.general);
    for (const std::int64_t extent : candidate.programs)
      writer.signedNumber(extent);
  }
  return writer.take();
}

ApartJob ApartJob::deserialize(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  if (reader.text() != kMagic)
    throw UsageError("this is no tuning job of this version");
  ApartJob job;
  job.device = reader.text();
  job.limits.budgetMs = std::bit_cast<double>(reader.number<std::uint64_t>());
  job.limits.timeLimitMs = std::bit_cast<double>(reader.number<std::uint64_t>());
  job.arguments.resize(reader.count(18));
  for (CallArgument &argument : job.arguments) {
    argument.bits = reader.number<std::uint64_t>();
    argument.bytes = reader.number<std::uint64_t>();
    argument.sized = reader.flag();
    argument.readOnly = reader.flag();
  }
  job.memory.resize(reader.count(25));
  for (ApartMemory &each : job.memory) {
    each.range.begin = reader.number<std::uint64_t>();
    each.range.end = reader.number<std::uint64_t>();
    each.restored = reader.flag();
    each.contents = reader.block();
    if (each.range.empty() || each.contents.size() != each.range.bytes())
      reader.fail("memory and its contents differ in size");
  }
  job.candidates.resize(reader.count(40));
  for (ApartCandidate &candidate : job.candidates) {
    if (reader.failed())
      break;
    candidate.image = readImage(reader);
    candidate.general = readImage(reader);
    for (std::int64_t &extent : candidate.programs)
      extent = reader.signedNumber();
    if (!candidate.image)
      reader.fail("a candidate without an image");
  }
  if (reader.failed() || !reader.atEnd())
    throw UsageError(fmt::format("a damaged tuning job: {}", reader.failed() ? reader.error() : "bytes are left"));
  return job;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

/// The path of tessera-tune.
static std::string workerPath() {
  if (std::string path = support::environment(support::Variable::TuneWorker); !path.empty())
    return path;
  std::vector<std::string> folders;
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void *>(&runApart), &info) && info.dli_fname) {
    const std::filesystem::path library = std::filesystem::path(info.dli_fname).parent_path();
    folders = {(library / "../bin").lexically_normal().string(), library.string()};
  }
  std::string path;
  for (const std::string &folder : folders)
    if (path = support::findProgram("tessera-tune", {folder}); path.starts_with(folder))
      return path;
  path = support::findProgram("tessera-tune", folders);
  if (path.empty())
    throw DeviceError("candidates are to be timed in a process of their own, and there is no tessera-tune beside the "
                      "libraries or in PATH; install it, or set TESSERA_TUNE_WORKER to its path");
  return path;
}

namespace {

/// What a worker said.
struct Report {
  int at = -1; ///< the candidate it was at last
  bool started = false;
  std::string ending;
  std::string failure; ///< of the candidate it was at, if it said why it ends
};

} // namespace

static double numberFrom(std::string_view &text) {
  double value = 0;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value))
    return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Reads lines of a worker: see runApart.
static Report readReport(std::string_view output, std::vector<TrialResult> &results) {
  Report report;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    const auto take = [&](std::string_view word) {
      const bool is = line.starts_with(word);
      line.remove_prefix(is ? word.size() : 0);
      return is;
    };
    if (take("ready")) {
      report.started = true;
    } else if (take("at")) {
      report.at = static_cast<int>(numberFrom(line));
    } else if (take("lethal ")) {
      report.failure = line;
    } else if (take("ending ")) {
      report.ending = line;
    } else if (take("result")) {
      const auto number = static_cast<std::size_t>(numberFrom(line));
      if (number >= results.size())
        continue;
      TrialResult &result = results[number];
      result.time.ms = numberFrom(line);
      result.time.low = numberFrom(line);
      result.time.high = numberFrom(line);
      result.time.samples = static_cast<int>(numberFrom(line));
      result.spentMs = numberFrom(line);
      line.remove_prefix(std::min<std::size_t>(line.size(), 1));
      result.gaveUp = line;
    }
  }
  return report;
}

ApartOutcome timeApart(const ApartJob &job) {
  const std::string worker = workerPath();
  const support::PrivateFolder folder;
  if (!folder.problem().empty())
    throw DeviceError(folder.problem());
  ApartOutcome outcome;
  outcome.trials.resize(job.candidates.size());
  outcome.lethal.resize(job.candidates.size());
  std::vector<std::size_t> left(job.candidates.size());
  for (std::size_t i = 0; i != left.size(); ++i)
    left[i] = i;
  outcome.ending = "separated";
  while (!left.empty()) {
    ApartJob part = job;
    part.candidates.clear();
    for (const std::size_t i : left)
      part.candidates.push_back(job.candidates[i]);
    const std::vector<std::byte> bytes = part.serialize();
    const std::string file = folder.file("job");
    if (const std::string problem =
            support::writeFile(folder.path(), "job", {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
        !problem.empty())
      throw DeviceError(problem);
    // It watches over each call itself; this is for a worker that cannot any more.
    const double patience =
        60000 + 2 * job.limits.budgetMs + 5 * job.limits.timeLimitMs * static_cast<double>(left.size());
    const support::SubprocessResult done =
        support::runProgram({worker, "worker", file}, std::chrono::milliseconds(static_cast<std::int64_t>(patience)));
    std::vector<TrialResult> results(left.size());
    const Report report = readReport(done.output, results);
    if (!report.ending.empty()) {
      for (std::size_t i = 0; i != left.size(); ++i)
        outcome.trials[left[i]] = std::move(results[i]);
      outcome.ending = report.ending == "tied"           ? "tied"
                       : report.ending == "budget spent" ? "budget spent"
                                                         : "separated";
      return outcome;
    }
    if (!report.started || report.at < 0 || report.at >= static_cast<int>(left.size()))
      throw DeviceError(fmt::format(
          "{} cannot time candidates: {}", worker,
          done.problem.empty() ? fmt::format("it ended with status {}: {}", done.status, done.output.substr(0, 1000))
                               : done.problem));
    const std::size_t dead = left[static_cast<std::size_t>(report.at)];
    outcome.lethal[dead] = true;
    const std::size_t ended = done.problem.find("was ended by");
    outcome.trials[dead].gaveUp = !report.failure.empty()      ? report.failure
                                  : ended != std::string::npos ? "its process " + done.problem.substr(ended)
                                  : !done.problem.empty()
                                      ? done.problem
                                      : fmt::format("its process ended with status {}", done.status);
    std::erase(left, dead);
  }
  return outcome;
}

} // namespace tessera::rt
