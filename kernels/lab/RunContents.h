//===- RunContents.h - what a lab was asked for and what came of it -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_RUNCONTENTS_H
#define TESSERA_KERNELS_LAB_RUNCONTENTS_H

#include "lab/Compare.h"
#include "lab/SearchPlot.h"

#include "tessera/tessera.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::kernels::lab {

/// Something measured beside the kernel, or said of it.
struct Beside {
  std::string name;
  double ms = 0; ///< of one call; 0: not timed
  std::string words = {};
};

struct RunContents {
  std::string name;
  std::string formula;
  std::vector<std::pair<std::string, std::function<std::int64_t()>>> sizes; ///< the lab's own options

  std::string deviceName;
  std::string dtypeName;
  std::string stage;
  std::string targetName = "interp";
  std::string searchPath; ///< where the picture of a search goes; empty: no search
  std::uint64_t seed = 0;
  double toleranceScale = 1;
  bool json = false;
  bool tune = false;
  bool againstGiven = false;
  bool beside = false;
  CompileOptions options;

  DType dtype;
  std::optional<Target> target;
  int status = 0;

  std::optional<Device> device;
  std::optional<CompileRecord> compilation;
  std::optional<TuneReport> tuning;
  std::vector<SearchRound> search;
  Grid grid;
  double firstMs = 0;
  std::vector<double> laterMs;
  double bytes = 0, operations = 0; ///< of one call; 0: not said
  std::vector<Beside> besides;
  std::optional<Comparison> comparison;
  std::int64_t overwrittenGaps = 0;

  bool passed() const { return comparison && comparison->passed() && overwrittenGaps == 0; }
  bool tunes() const { return tune || !searchPath.empty() || againstGiven; }
};

/// The middle of \p values, which are not empty.
double median(std::vector<double> values);
/// What the first call took beside compiling.
double runMs(const RunContents &run);

/// Prints the report, as text or as one JSON object.
void printText(const RunContents &run);
void printJson(const RunContents &run);
/// Prints an error, as JSON too if that was asked for.
void printError(const RunContents &run, const char *kind, const char *message);

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_RUNCONTENTS_H
