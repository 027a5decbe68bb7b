//===- Lab.cpp - command line and report of the labs -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"

#include "CLI/CLI.hpp"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>

namespace tessera::kernels::lab {

using Json = nlohmann::ordered_json;

struct RunContents {
  std::string name;
  std::string formula;
  std::vector<std::pair<std::string, std::function<std::int64_t()>>> sizes; ///< the lab's own options

  std::string deviceName;
  std::string dtypeName;
  std::string stage;
  std::string targetName = "interp";
  std::uint64_t seed = 0;
  double toleranceScale = 1;
  bool json = false;
  bool tune = false;
  CompileOptions options;

  DType dtype;
  std::optional<Target> target;
  int status = 0;

  std::optional<Device> device;
  std::optional<CompileRecord> compilation;
  std::optional<TuneReport> tuning;
  Grid grid;
  double firstMs = 0;
  std::vector<double> laterMs;
  double bytes = 0, operations = 0; ///< of one call; 0: not said
  std::optional<Comparison> comparison;
  std::int64_t overwrittenGaps = 0;

  bool passed() const { return comparison && comparison->passed() && overwrittenGaps == 0; }
};

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
bool RunBase::wantsTuning() const { return contents.tune; }
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

void RunBase::choseBy(TuneReport report) { contents.tuning = std::move(report); }

/// What the first call took beside compiling.
static double runMs(const RunContents &run) {
  return std::max(0.0, run.firstMs - (run.compilation ? run.compilation->milliseconds() : 0));
}

/// A few calls, or more if they are short, but not for longer than a moment.
bool RunBase::wantsAnotherCall() const {
  double spent = contents.laterMs.empty() ? runMs(contents) : 0;
  for (double ms : contents.laterMs)
    spent += ms;
  return contents.laterMs.size() < 5 ? spent < 300 : contents.laterMs.size() < 100 && spent < 20;
}

void RunBase::work(double bytes, double operations) {
  contents.bytes = bytes;
  contents.operations = operations;
}

void RunBase::calledAgain(double ms) { contents.laterMs.push_back(ms); }

void RunBase::compared(const Comparison &comparison, std::int64_t overwrittenGaps) {
  contents.comparison = comparison;
  contents.overwrittenGaps = overwrittenGaps;
}

//===--- The report ---------------------------------------------------------===//

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// The rate of the later calls: billions of operations a second if the lab counts operations, else gigabytes a second.
struct Rate {
  double value = 0;
  const char *unit = nullptr;
};

static std::optional<Rate> rateOf(const RunContents &run) {
  const double amount = run.operations ? run.operations : run.bytes;
  const double ms = run.laterMs.empty() ? 0 : median(run.laterMs);
  if (!amount || !(ms > 0))
    return std::nullopt;
  return Rate{amount / ms / 1e6, run.operations ? "GFLOP/s" : "GB/s"};
}

/// One line about the choice and one for each candidate.
static void printTuning(const TuneReport &report) {
  std::printf("  tuned       %zu candidates: %s; compiled in %.0f ms, timed in %.0f ms\n", report.rows.size(),
              report.ending.c_str(), report.compile_ms, report.timing_ms);
  for (const TuneRow &row : report.rows) {
    std::printf("            %s %s%s%s", row.chosen ? "->" : "  ", row.config.c_str(),
                row.options == "defaults" ? "" : " ", row.options == "defaults" ? "" : row.options.c_str());
    if (row.samples)
      std::printf(": %.4f ms in [%.4f, %.4f]\n", row.ms, row.low, row.high);
    else
      std::printf("%s%s\n",
                  row.skipped.empty() ? "" : ": skipped: ", row.skipped.substr(0, row.skipped.find('\n')).c_str());
  }
}

static Json tuningJson(const TuneReport &report) {
  Json json{{"ending", report.ending}, {"compile_ms", report.compile_ms}, {"timing_ms", report.timing_ms}};
  json["candidates"] = Json::array();
  for (const TuneRow &row : report.rows)
    json["candidates"].push_back({{"config", row.config},
                                  {"options", row.options},
                                  {"ms", row.ms},
                                  {"low", row.low},
                                  {"high", row.high},
                                  {"samples", row.samples},
                                  {"skipped", row.skipped},
                                  {"chosen", row.chosen}});
  return json;
}

static std::int64_t threadsPerProgram(const RunContents &run) {
  const std::optional<std::int64_t> known = run.compilation ? run.compilation->report().threads : std::nullopt;
  return known.value_or(std::int64_t{run.options.num_warps} * run.device->warp_size());
}

static void printText(const RunContents &run) {
  std::printf("%s  %s\n", run.name.c_str(), run.formula.c_str());
  std::printf("  device      %s (%s)\n", run.device->name().c_str(), run.device->description().c_str());
  std::printf("  input       %s", run.dtype.name().c_str());
  for (const auto &[name, value] : run.sizes)
    std::printf(", %s %lld", name.c_str(), static_cast<long long>(value()));
  std::printf(", seed %llu\n", static_cast<unsigned long long>(run.seed));
  const auto [x, y, z] = run.grid.extents();
  std::printf("  programs    %lld", static_cast<long long>(x * y * z));
  if (run.device->warp_size())
    std::printf(" of %lld threads", static_cast<long long>(threadsPerProgram(run)));
  std::printf("\n");
  if (run.compilation) {
    const CompileRecord &record = *run.compilation;
    std::printf("  %s  config %s, options %s, variant %s\n", record.origin == "cache" ? "from cache" : "compiled  ",
                record.config.c_str(), record.options.c_str(), record.variant.c_str());
    for (const std::string &note : record.notes)
      std::printf("  note        %s\n", note.c_str());
    Report report = record.report();
    report.stages.clear(); // they stand with the first call
    std::printf("%s", report.text().c_str());
  }
  if (run.tuning)
    printTuning(*run.tuning);
  std::printf("  first call  %.2f ms", run.firstMs);
  if (run.compilation) {
    const char *separator = ": ";
    for (const auto &[stage, ms] : run.compilation->stages) {
      std::printf("%s%s %.2f", separator, stage.c_str(), ms);
      separator = ", ";
    }
    std::printf(", run %.2f", runMs(run));
  }
  if (!run.laterMs.empty())
    std::printf("\n  next calls  %.*f ms", median(run.laterMs) < 1 ? 4 : 2, median(run.laterMs));
  if (const std::optional<Rate> rate = rateOf(run))
    std::printf(", %.*f %s", rate->value < 1 ? 4 : 1, rate->value, rate->unit);
  const Comparison &comparison = *run.comparison;
  std::printf("\n  %s        %s\n", run.passed() ? "PASS" : "FAIL", comparison.summary().c_str());
  if (run.overwrittenGaps)
    std::printf("  FAIL        %lld elements between the rows were overwritten\n",
                static_cast<long long>(run.overwrittenGaps));
  if (const std::string worst = comparison.worstElement(); !worst.empty())
    std::printf("  worst       %s\n", worst.c_str());
  std::printf("  tolerance   %s\n", comparison.reason.c_str());
}

/// JSON has no infinities and no NaN.
static Json number(double value) { return std::isfinite(value) ? Json(value) : Json(std::to_string(value)); }

static Json heading(const RunContents &run) {
  Json json{{"lab", run.name}, {"dtype", run.dtype.name()}};
  for (const auto &[name, value] : run.sizes)
    json[name] = value();
  json["seed"] = run.seed;
  return json;
}

static void printJson(const RunContents &run) {
  Json json = heading(run);
  json["device"] = run.device->name();
  json["device_description"] = run.device->description();
  json["target"] = run.device->target().str();
  json["grid"] = run.grid.extents();
  json["warp_size"] = run.device->warp_size();
  json["threads_per_program"] = threadsPerProgram(run);
  json["first_call_ms"] = run.firstMs;
  json["stages_ms"] = Json::object();
  json["facts"] = Json::object();
  json["notes"] = Json::array();
  if (run.compilation) {
    json["config"] = run.compilation->config;
    json["options"] = run.compilation->options;
    json["variant"] = run.compilation->variant;
    json["origin"] = run.compilation->origin;
    for (const auto &[stage, ms] : run.compilation->stages)
      json["stages_ms"][stage] = ms;
    json["stages_ms"]["run"] = runMs(run);
    for (const auto &[name, value] : run.compilation->facts)
      json["facts"][name] = value;
    json["notes"] = run.compilation->notes;
  }
  if (run.tuning)
    json["tuning"] = tuningJson(*run.tuning);
  json["later_calls_ms"] = run.laterMs;
  if (const std::optional<Rate> rate = rateOf(run))
    json["rate"] = {{"value", rate->value}, {"unit", rate->unit}};
  const Comparison &comparison = *run.comparison;
  json["elements"] = comparison.count;
  json["wrong"] = comparison.wrong;
  json["overwritten_gaps"] = run.overwrittenGaps;
  json["largest_error"] = number(comparison.largest);
  json["worst"] = {{"element", comparison.worst},
                   {"result", number(comparison.result)},
                   {"exact", number(comparison.exact)},
                   {"allowed_error", number(comparison.limit)}};
  json["tolerance"] = comparison.reason;
  json["passed"] = run.passed();
  std::printf("%s\n", json.dump(2).c_str());
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

static void failed(const RunContents &run, const char *kind, const char *message) {
  if (run.json) {
    Json json = heading(run);
    json["error"] = {{"class", kind}, {"message", message}};
    json["passed"] = false;
    std::printf("%s\n", json.dump(2).c_str());
  }
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s: %s\n", run.name.c_str(), kind, message);
}

int Lab::guarded(const std::function<void()> &run) {
  try {
    run();
    if (!state->comparison)
      return 0; // --emit
    state->json ? printJson(*state) : printText(*state);
    return state->passed() ? 0 : 1;
  } catch (const Error &error) {
    failed(*state, className(error), error.what());
  } catch (const std::bad_alloc &) {
    failed(*state, "error", "the host has not enough memory for these sizes");
  } catch (const std::length_error &) {
    failed(*state, "error", "no host has enough memory for these sizes");
  }
  return 1;
}

} // namespace tessera::kernels::lab
