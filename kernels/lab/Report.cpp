//===- Report.cpp - what the labs print ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/RunContents.h"

#include "nlohmann/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tessera::kernels::lab {

using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double runMs(const RunContents &run) {
  // A tuned kernel was compiled before its first call.
  return std::max(0.0, run.firstMs - (run.compilation && !run.tuning ? run.compilation->milliseconds() : 0));
}

/// Of the later calls; 0 if there were none.
static double callMs(const RunContents &run) { return run.laterMs.empty() ? 0 : median(run.laterMs); }

namespace {

/// How fast the work was: billions of operations a second if the lab counts operations, else gigabytes a second.
struct Rate {
  double value;
  const char *unit;
};

/// What the first call went into, in milliseconds. Each stage of the compiler is in one of the parts.
struct FirstCall {
  double trace = 0, compile = 0, assemble = 0, load = 0, tune = 0, run = 0;
};

} // namespace

static std::optional<Rate> rateOf(const RunContents &run, double ms) {
  const double amount = run.operations ? run.operations : run.bytes;
  if (!amount || !(ms > 0))
    return std::nullopt;
  return Rate{amount / ms / 1e6, run.operations ? "GFLOP/s" : "GB/s"};
}

static std::string textOf(const Rate &rate) {
  char text[64];
  if (rate.value >= 1000)
    std::snprintf(text, sizeof text, "%.2f T%s", rate.value / 1000, rate.unit + 1);
  else
    std::snprintf(text, sizeof text, "%.*f %s", rate.value < 1 ? 4 : 1, rate.value, rate.unit);
  return text;
}

static FirstCall firstCallOf(const RunContents &run) {
  FirstCall parts;
  if (run.compilation)
    for (const auto &[stage, ms] : run.compilation->stages)
      (stage == "trace"    ? parts.trace
       : stage == "binary" ? parts.assemble
       : stage == "load"   ? parts.load
                           : parts.compile) += ms;
  if (run.tuning)
    parts.tune = run.tuning->compile_ms + run.tuning->timing_ms;
  parts.run = runMs(run);
  return parts;
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

/// One line a round, and where the picture is.
static void printSearch(const RunContents &run) {
  for (std::size_t i = 0; i != run.search.size(); ++i) {
    const SearchRound &round = run.search[i];
    std::printf("  %s  %zu candidates, best %.4f ms: %s%s%s\n", i ? "widened   " : "search    ", round.candidates,
                round.ms, round.config.c_str(), round.options == "defaults" ? "" : " ",
                round.options == "defaults" ? "" : round.options.c_str());
  }
  std::printf("  drawn       %s\n", run.searchPath.c_str());
}

static Json searchJson(const std::vector<SearchRound> &rounds) {
  Json json = Json::array();
  for (const SearchRound &round : rounds)
    json.push_back(
        {{"candidates", round.candidates}, {"ms", round.ms}, {"config", round.config}, {"options", round.options}});
  return json;
}

/// What was measured beside the kernel, and at which share of its speed the kernel is.
static void printBesides(const RunContents &run) {
  for (const Beside &each : run.besides) {
    std::printf("  beside      %s", each.name.c_str());
    if (each.ms > 0) {
      std::printf(": %.4f ms", each.ms);
      if (const std::optional<Rate> rate = rateOf(run, each.ms))
        std::printf(", %s", textOf(*rate).c_str());
      if (callMs(run) > 0)
        std::printf("; the kernel is %.2f times as fast", each.ms / callMs(run));
    }
    std::printf("%s%s\n", each.words.empty() ? "" : each.ms > 0 ? "; " : ": ", each.words.c_str());
  }
}

static Json besidesJson(const RunContents &run) {
  Json json = Json::array();
  for (const Beside &each : run.besides) {
    Json row{{"name", each.name}, {"words", each.words}};
    if (each.ms > 0) {
      row["ms"] = each.ms;
      if (const std::optional<Rate> rate = rateOf(run, each.ms))
        row["rate"] = {{"value", rate->value}, {"unit", rate->unit}};
      if (callMs(run) > 0)
        row["ratio"] = each.ms / callMs(run);
    }
    json.push_back(std::move(row));
  }
  return json;
}

static std::int64_t threadsPerProgram(const RunContents &run) {
  const std::optional<std::int64_t> known = run.compilation ? run.compilation->report().threads : std::nullopt;
  return known.value_or(std::int64_t{run.options.num_warps} * run.device->warp_size());
}

/// The first call, split; then the compiler's part by stage.
static void printFirstCall(const RunContents &run) {
  const FirstCall parts = firstCallOf(run);
  std::printf("  first call  %.2f ms: ", run.firstMs + parts.tune);
  if (run.tuning)
    std::printf("tune %.2f; of the chosen one: ", parts.tune);
  std::printf("trace %.2f, compile %.2f, assemble %.2f, load %.2f, run %.2f\n", parts.trace, parts.compile,
              parts.assemble, parts.load, parts.run);
  if (!run.compilation)
    return;
  const char *separator = "  stages      ";
  for (const auto &[stage, ms] : run.compilation->stages) {
    std::printf("%s%s %.2f", separator, stage.c_str(), ms);
    separator = ", ";
  }
  std::printf(" ms\n");
}

void printText(const RunContents &run) {
  std::printf("%s  %s\n", run.name.c_str(), run.formula.c_str());
  std::printf("  device      %s (%s)\n", run.device->name().c_str(), run.device->description().c_str());
  std::printf("  input       %s", run.dtype.name().c_str());
  for (const auto &[name, value] : run.sizes)
    std::printf(", %s %lld", name.c_str(), static_cast<long long>(value()));
  std::printf(", seed %llu\n", static_cast<unsigned long long>(run.seed));
  const auto [x, y, z] = run.grid.extents();
  std::printf("  programs    %lld", static_cast<long long>(x * y * z));
  if (run.device->warp_size())
    std::printf(" of %lld threads in warps of %d", static_cast<long long>(threadsPerProgram(run)),
                run.device->warp_size());
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
  if (!run.searchPath.empty())
    printSearch(run);
  printFirstCall(run);
  if (const double ms = callMs(run); !run.laterMs.empty()) {
    std::printf("  next calls  %.*f ms", ms < 1 ? 4 : 2, ms);
    if (const std::optional<Rate> rate = rateOf(run, ms))
      std::printf(", %s", textOf(*rate).c_str());
    std::printf("\n");
  }
  printBesides(run);
  const Comparison &comparison = *run.comparison;
  std::printf("  %s        %s\n", run.passed() ? "PASS" : "FAIL", comparison.summary().c_str());
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

void printJson(const RunContents &run) {
  Json json = heading(run);
  json["device"] = run.device->name();
  json["device_description"] = run.device->description();
  json["target"] = run.device->target().str();
  json["grid"] = run.grid.extents();
  json["warp_size"] = run.device->warp_size();
  json["threads_per_program"] = threadsPerProgram(run);
  const FirstCall parts = firstCallOf(run);
  json["first_call_ms"] = run.firstMs + parts.tune;
  json["first_call_split_ms"] = {{"trace", parts.trace}, {"compile", parts.compile}, {"assemble", parts.assemble},
                                 {"load", parts.load},   {"tune", parts.tune},       {"run", parts.run}};
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
  if (!run.searchPath.empty())
    json["search"] = searchJson(run.search);
  json["later_calls_ms"] = run.laterMs;
  if (const std::optional<Rate> rate = rateOf(run, callMs(run)))
    json["rate"] = {{"value", rate->value}, {"unit", rate->unit}};
  json["beside"] = besidesJson(run);
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

void printError(const RunContents &run, const char *kind, const char *message) {
  if (run.json) {
    Json json = heading(run);
    json["error"] = {{"class", kind}, {"message", message}};
    json["passed"] = false;
    std::printf("%s\n", json.dump(2).c_str());
  }
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s: %s\n", run.name.c_str(), kind, message);
}

} // namespace tessera::kernels::lab
