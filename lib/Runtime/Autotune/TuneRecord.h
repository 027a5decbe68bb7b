//===- TuneRecord.h - what tuning found out, as lines of text -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// One line for each candidate of each problem: `tune1`, a checksum of the rest, a hash of the problem, then fields
// separated by tabs. Lines of damaged or foreign text are told by the checksum. Files are merged by concatenation.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_TUNERECORD_H
#define TESSERA_RUNTIME_AUTOTUNE_TUNERECORD_H

#include "Runtime/Autotune/TuneStatistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::rt {

/// What a choice is made for.
struct TuneProblemId {
  std::string kernel;    ///< the user's name for it
  std::string arguments; ///< `f32*, f32*, i64`, and which optional ones are there
  std::string key;       ///< `m=4096 n=4096`
  std::string device;    ///< `NVIDIA H200 (cuda:sm_90a)`

  /// 16 hexadecimal digits.
  std::string hash() const;
  bool operator==(const TuneProblemId &) const = default;
};

struct TuneRecord {
  TuneProblemId problem;
  std::string driver;    ///< `CUDA 13.0`; empty if the device has none of its own
  std::string toolchain; ///< who compiled
  std::string config;    ///< `{block=1024}`
  std::string options;   ///< all options that change code
  std::string program;   ///< hash of the program as it was traced: another text of the kernel has another one
  std::string batch;     ///< records of one batch were measured of one text of the kernel
  bool again = false;    ///< its batch replaces all that were recorded before
  TimeEstimate time;
  std::string skipped; ///< why it was not timed; empty if it was
  bool lethal = false; ///< skipped because it took the process or the device with it
  double compileMs = 0, timingMs = 0;
  std::int64_t recorded = 0; ///< seconds since 1970

  bool operator==(const TuneRecord &) const = default;
};

/// The longest line that is read or written.
inline constexpr std::size_t kMostLineBytes = 64 * 1024;

/// The line, with its end. Empty if it would be too long.
std::string encodeRecord(const TuneRecord &record);

/// Whether \p line, without its end, is one that encodeRecord() wrote.
bool isRecord(std::string_view line);
/// The hash of the problem in a line that isRecord().
std::string_view problemHashOf(std::string_view line);
/// The record in \p line; nothing if it is none.
std::optional<TuneRecord> decodeRecord(std::string_view line);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_TUNERECORD_H
