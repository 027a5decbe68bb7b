//===- TuneSession.h - choose a candidate for one key --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_TUNESESSION_H
#define TESSERA_DRIVER_TUNESESSION_H

#include "Driver/LaunchRequest.h"
#include "Driver/Tuned.h"
#include "Runtime/Autotune/Snapshot.h"
#include "Runtime/Autotune/TuneStore.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::ir {

/// What TESSERA_TUNE says.
enum class TuneMode { On, Off, Again };
TuneMode tuneMode();

/// The lines of TESSERA_LOG=tune.
std::vector<std::string> tableOf(const TuneReport &report);

/// One choice in the making.
class TuneSession {
public:
  explicit TuneSession(const TuneRequest &request);
  TuneChoice choose();

private:
  /// What is known of a candidate.
  struct Known {
    rt::CandidateName name;
    std::optional<rt::TuneRecord> record; ///< from a file
    bool compiled = false;
    const KernelFacts *facts = nullptr;             ///< once compiled without an error
    std::shared_ptr<const rt::Image> code, general; ///< for timing it apart
    std::string program;                            ///< the hash of its text
    std::string skipped;                            ///< why it does not take part
    std::string spills;                             ///< why it does not take part if others can
    std::exception_ptr error;                       ///< what `skipped` tells of, if it was thrown
    bool passing = false;                           ///< another time it may do: not to be recorded
    bool lethal = false;
    rt::TimeEstimate time;
    double compileMs = 0, timingMs = 0;

    bool measured() const { return time.samples || (record && record->time.samples); }
  };

  LaunchRequest launchRequest(const tessera::detail::BoundView &bound, rt::StreamState &stream) const;
  Grid gridOf(std::size_t index) const;
  std::string titleOf(std::size_t index) const;
  void prune();
  void compile(std::size_t index);
  void compileAll(const std::vector<std::size_t> &indices);
  bool readRecords();
  rt::TuneRecord recordOf(std::size_t index) const;
  void recordLethal(std::size_t index, const std::string &reason);
  void measure();
  std::vector<rt::MemoryRange> memoryToSave(const std::vector<std::size_t> &indices) const;
  void checkCopies(const std::vector<rt::MemoryRange> &ranges, const char *verb) const;
  void timeAll(const std::vector<std::size_t> &indices);
  void timeAllApart(const std::vector<std::size_t> &indices);
  std::optional<std::size_t> best() const;
  std::size_t bestWithoutTuning();
  [[noreturn]] void throwNone() const;
  TuneChoice finish(std::size_t index);

  const TuneRequest &request;
  tessera::detail::TunedState &state;
  const tessera::detail::KernelBase &kernel;
  rt::DeviceState &device;
  rt::TuneProblemId problem;
  std::string driver, toolchain, batch;
  std::vector<Known> candidates;
  TuneMode mode = TuneMode::On;
  TuneReport report;
};

} // namespace tessera::ir

#endif // TESSERA_DRIVER_TUNESESSION_H
