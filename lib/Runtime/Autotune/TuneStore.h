//===- TuneStore.h - all tuning records that this process knows -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_TUNESTORE_H
#define TESSERA_RUNTIME_AUTOTUNE_TUNESTORE_H

#include "Runtime/Autotune/TuneFile.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tessera::rt {

/// What tells one candidate from another in records.
struct CandidateName {
  std::string config, options;
  bool operator==(const CandidateName &) const = default;
};

/// Records of one text of a kernel.
struct TuneBatch {
  std::string id;
  std::vector<std::optional<TuneRecord>> records; ///< one a candidate, where there is one
};

/// The batches among \p records in their order, seen by \p candidates; those before the last that replaces all others
/// left out. The first record of a candidate in a batch counts, so that everybody who reads the file reads the same.
std::vector<TuneBatch> batchesOf(std::span<const TuneRecord> records, std::span<const CandidateName> candidates);

/// The file in the cache's folder, what could not be written there, and files that come with programs. One a process.
class TuneStore {
public:
  static TuneStore &get();

  /// Records of this machine's driver and toolchain, then those of \p files and those shipped,
  /// whoever made them.
  std::vector<TuneRecord> find(const TuneProblemId &problem, const std::string &driver, const std::string &toolchain,
                               std::span<const std::string> files);
  /// Takes in \p records that came with a program, not in a file of their own.
  void ship(std::vector<TuneRecord> records);
  /// Keeps \p records, on disk if that is possible.
  void add(std::span<const TuneRecord> records);
  /// A file that whoever tunes on \p device locks; empty if there is no folder for it.
  std::string lockPath(const std::string &device);

private:
  TuneFile &file(const std::string &path);
  /// The path of the file in the cache's folder; empty if there is none.
  static std::string ownPath();

  std::mutex mutex;
  std::map<std::string, std::unique_ptr<TuneFile>> files;
  std::vector<TuneRecord> kept;      ///< those that are on no disk
  std::vector<TuneRecord> delivered; ///< those that ship() took in
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_TUNESTORE_H
