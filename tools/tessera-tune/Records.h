//===- Records.h - tuning records as the tool shows them -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_TUNE_RECORDS_H
#define TESSERA_TOOLS_TESSERA_TUNE_RECORDS_H

#include "Runtime/Autotune/TuneRecord.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::tune {

/// What records to look at.
struct Filter {
  std::string kernel;                 ///< part of its name; empty: all
  std::int64_t newerThan = INT64_MIN; ///< seconds since 1970
  bool accepts(const rt::TuneRecord &record) const;
};

/// Records that were measured together: of one problem and one text of the kernel.
struct Group {
  rt::TuneProblemId problem;
  std::string driver, toolchain, batch;
  std::vector<rt::TuneRecord> records; ///< in the order they were tried

  /// The number of the fastest; -1 if none was timed.
  std::ptrdiff_t fastest() const;
  /// Milliseconds that finding out took.
  double costMs() const;
};

/// \p records without those that count for nobody: later ones of a candidate, and batches that another replaced.
std::vector<rt::TuneRecord> withoutReplaced(const std::vector<rt::TuneRecord> &records);

/// \p records by batch, in the order of the first of each.
std::vector<Group> grouped(const std::vector<rt::TuneRecord> &records);

/// A table for people.
std::string tableOf(const Group &group);

/// A picture, in SVG: how fast the best candidate so far was, against what trying so many had cost.
std::string drawingOf(const std::vector<Group> &groups);

} // namespace tessera::tune

#endif // TESSERA_TOOLS_TESSERA_TUNE_RECORDS_H
