//===- Lab.cpp - command line and runs of the labs -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"

#include "lab/RunContents.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <functional>
#include <new>
#include <stdexcept>

namespace tessera::kernels::lab {

struct Lab::Parser {
  CLI::App app;
};

//===--- The command line ---------------------------------------------------===//

Lab::Lab(std::string name, std::string formula)
    : state(std::make_unique<RunContents>()), parser(std::make_unique<Parser>()) {
  CLI::App &app = parser->app;
  app.name(name);
  app.description(name + ": " + formula + "\nRuns the kernel, compares it with plain loops, and says PASS or FAIL.");
  app.get_formatter()->column_width(32);
  state->name = std::move(name);
  state->formula = std::move(formula);
}

Lab::~Lab() = default;

/// Refuses numbers below \p least.
static CLI::Validator atLeast(std::int64_t least) {
  return CLI::Validator([least](const std::string &text) {
    std::int64_t number = 0;
    if (!CLI::detail::lexical_cast(text, number))
      return "`" + text + "` is not a whole number";
    return number < least ? text + " is too small; it must be at least " + std::to_string(least) : std::string();
  }, "");
}

template <class Number>
static void addNumber(CLI::App &app, const std::string &name, Number &value, const std::string &help, Number least) {
  app.add_option("--" + name, value, help)->capture_default_str()->check(atLeast(least))->type_name("N");
}

Lab &Lab::option(const std::string &name, std::int64_t &value, const std::string &help, std::int64_t least) {
  addNumber(parser->app, name, value, help, least);
  state->sizes.emplace_back(name, [&value] { return value; });
  return *this;
}

Lab &Lab::option(const std::string &name, int &value, const std::string &help, int least) {
  addNumber(parser->app, name, value, help, least);
  state->sizes.emplace_back(name, [&value] { return std::int64_t{value}; });
  return *this;
}

Lab &Lab::flag(const std::string &name, bool &value, const std::string &help) {
  parser->app.add_flag("--" + name, value, help);
  return *this;
}

static std::string checkFactor(const std::string &text) {
  double factor = -1;
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, factor);
  return error == std::errc() && rest == end && factor >= 0 ? std::string()
                                                            : "`" + text + "` is not a number of at least 0";
}

/// Accepts what Target accepts, with its words for the rest.
static std::string checkTarget(const std::string &text) {
  try {
    (void)Target(text);
    return {};
  } catch (const UsageError &error) {
    return error.what();
  }
}

bool Lab::parse(int argc, char **argv, const std::vector<DType> &dtypes) {
  RunContents &options = *state;
  std::vector<std::string> names;
  for (DType dtype : dtypes)
    names.push_back(dtype.name());
  options.dtypeName = names.front();

  CLI::App &app = parser->app;
  app.add_option("--dtype", options.dtypeName, "element type")->capture_default_str()->check(CLI::IsMember(names));
  app.add_option("--device", options.deviceName, "where to run: interp, cpu, cuda:0 ... (default: the best present)")
      ->type_name("NAME");
  app.add_option("--seed", options.seed, "of the random inputs")->capture_default_str()->type_name("N");
  addNumber(app, "num-warps", options.options.num_warps, "warps per program", 1);
  addNumber(app, "num-stages", options.options.num_stages, "copies in flight in a pipelined loop", 1);
  app.add_option("--tolerance", options.toleranceScale, "factor on the error that is allowed")
      ->capture_default_str()
      ->check(CLI::Validator(checkFactor, ""))
      ->type_name("X");
  app.add_flag("--tune", options.tune, "run the fastest config of the kernel's space instead of the one given");
  app.add_option("--search", options.searchPath,
                 "like --tune, and widen the space until that stops helping; draws how it went into this file (SVG)")
      ->type_name("FILE");
  app.add_flag("--against-given", options.againstGiven,
               "like --tune, and measure the config of the command line beside the one that was chosen");
  app.add_flag("--beside", options.beside,
               "measure what limits the kernel beside it: a copy of the device's memory, its vendor's library");
  app.add_flag("--json", options.json, "print the report as one JSON object");
  app.add_option("--emit", options.stage, "print the program after this stage and stop; needs no device")
      ->check(CLI::IsMember({"tile", "host", "layout", "llvm", "asm", "binary"}));
  app.add_option("--target", options.targetName, "what --emit compiles for: cuda:sm_90a, hip:gfx942, cpu, interp")
      ->capture_default_str()
      ->check(CLI::Validator(checkTarget, ""))
      ->type_name("NAME");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    options.status = app.exit(error) == 0 ? 0 : 2;
    return false;
  }
  for (DType dtype : dtypes)
    if (dtype.name() == options.dtypeName)
      options.dtype = dtype;
  options.target.emplace(options.targetName);
  return true;
}

int Lab::status() const { return state->status; }
DType Lab::dtype() const { return state->dtype; }
RunContents &Lab::contents() { return *state; }

//===--- One run ------------------------------------------------------------===//

RunBase::RunBase(RunContents &contents) : random(contents.seed), contents(contents) {}

const Device &RunBase::device() {
  if (!contents.device)
    contents.device = contents.deviceName.empty() ? Device::current() : Device::get(contents.deviceName);
  return *contents.device;
}

const CompileOptions &RunBase::options() const { return contents.options; }
double RunBase::toleranceScale() const { return contents.toleranceScale; }
bool RunBase::wantsText() const { return !contents.stage.empty(); }
bool RunBase::wantsTuning() const { return contents.tunes(); }
bool RunBase::wantsSearch() const { return !contents.searchPath.empty(); }
bool RunBase::wantsGiven() const { return contents.againstGiven; }
bool RunBase::besides() const { return contents.beside; }
const Target &RunBase::target() const { return *contents.target; }
const std::string &RunBase::stage() const { return contents.stage; }

bool RunBase::emitted(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (text.empty() || text.back() != '\n')
    std::fputc('\n', stdout);
  return true;
}

void RunBase::launched(const Grid &grid, double firstMs, const std::vector<CompileRecord> &compilations) {
  contents.grid = grid;
  contents.firstMs = firstMs;
  if (!compilations.empty())
    contents.compilation = compilations.back();
  if (!contents.tuning)
    return;
  // What was tried last need not be what was chosen.
  for (const TuneRow &row : contents.tuning->rows)
    for (const CompileRecord &record : compilations)
      if (row.chosen && record.config == row.config && record.options == row.options)
        contents.compilation = record;
}

/// All sizes: other ones are tuned anew.
TuneKey RunBase::tuningKey() const {
  TuneKey key;
  for (const auto &[name, value] : contents.sizes)
    key.emplace_back(value());
  return key;
}

/// Takes over how the last round was chosen; what earlier ones cost is part of what tuning cost.
void RunBase::choseBy(TuneReport report) {
  if (contents.tuning) {
    report.compile_ms += contents.tuning->compile_ms;
    report.timing_ms += contents.tuning->timing_ms;
  }
  contents.tuning = std::move(report);
}

bool RunBase::searchGoesOn() {
  constexpr std::size_t kMostRounds = 16;
  constexpr double kGain = 0.99; // of the time before: less is within what measuring can tell
  SearchRound round{.candidates = contents.tuning->rows.size(), .ms = 0, .config = {}, .options = {}};
  for (const TuneRow &row : contents.tuning->rows)
    if (row.chosen)
      round.ms = row.ms, round.config = row.config, round.options = row.options;
  const bool better = contents.search.empty() || round.ms < contents.search.back().ms * kGain;
  contents.search.push_back(std::move(round));
  return better && contents.search.size() < kMostRounds;
}

void RunBase::work(double bytes, double operations) {
  contents.bytes = bytes;
  contents.operations = operations;
}

//===--- Time ---------------------------------------------------------------===//

double RunBase::timeOnce(const std::function<void()> &enqueue) {
  const Stream stream = device().stream();
  if (device().warp_size()) { // a GPU, whose own clock leaves the host's part out
    const Event begin(device()), end(device());
    begin.record(stream);
    enqueue();
    end.record(stream);
    stream.synchronize();
    return end.milliseconds_since(begin);
  }
  const auto start = std::chrono::steady_clock::now();
  enqueue();
  stream.synchronize();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Whether to call once more what took \p ms so far and \p spentMs before: a few times, or more often if that is short,
/// but not for longer than a moment.
static bool isWorthAnotherCall(const std::vector<double> &ms, double spentMs) {
  for (double each : ms)
    spentMs += each;
  return ms.size() < 5 ? spentMs < 300 : ms.size() < 100 && spentMs < 20;
}

void RunBase::callAgain(const std::function<void()> &enqueue) {
  while (isWorthAnotherCall(contents.laterMs, contents.laterMs.empty() ? runMs(contents) : 0))
    contents.laterMs.push_back(timeOnce(enqueue));
}

void RunBase::beside(const std::string &name, const std::function<void()> &enqueue, const std::string &words) {
  timeOnce(enqueue); // compiles, warms up
  std::vector<double> ms;
  while (isWorthAnotherCall(ms, 0))
    ms.push_back(timeOnce(enqueue));
  contents.besides.push_back({name, median(ms), words});
}

void RunBase::say(const std::string &name, const std::string &words) { contents.besides.push_back({name, 0, words}); }

/// As many bytes as the kernel must move, half of them read and half written.
void RunBase::besideCopy() {
  if (contents.bytes < 2)
    return;
  const auto half = static_cast<std::int64_t>(contents.bytes / 2);
  Buffer<u8> from = device().buffer<u8>(half), to = device().buffer<u8>(half);
  from.fill(1);
  beside("copy of the device's memory", [&] { to.copy_from_async(device().stream(), from); });
}

void RunBase::compared(const Comparison &comparison, std::int64_t overwrittenGaps) {
  contents.comparison = comparison;
  contents.overwrittenGaps = overwrittenGaps;
}

static const char *className(const Error &error) {
  if (dynamic_cast<const UsageError *>(&error))
    return "usage error";
  if (dynamic_cast<const CompileError *>(&error))
    return "compile error";
  if (dynamic_cast<const DeviceError *>(&error))
    return "device error";
  return "internal error";
}

static bool writePlot(const RunContents &run) {
  std::ofstream file(run.searchPath);
  file << plotOf(*run.tuning, run.search);
  file.close();
  if (!file)
    printError(run, "error", ("the picture cannot be written to " + run.searchPath).c_str());
  return !file.fail();
}

int Lab::guarded(const std::function<void()> &run) {
  try {
    run();
    if (!state->comparison)
      return 0; // --emit
    if (!state->searchPath.empty() && !writePlot(*state))
      return 1;
    state->json ? printJson(*state) : printText(*state);
    return state->passed() ? 0 : 1;
  } catch (const Error &error) {
    printError(*state, className(error), error.what());
  } catch (const std::bad_alloc &) {
    printError(*state, "error", "the host has not enough memory for these sizes");
  } catch (const std::length_error &) {
    printError(*state, "error", "no host has enough memory for these sizes");
  }
  return 1;
}

} // namespace tessera::kernels::lab
