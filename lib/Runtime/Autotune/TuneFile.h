//===- TuneFile.h - files of tuning records ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// A file only grows: records are appended in one write, so that those of processes that write at once stay whole, and a
// process that is killed damages its own last line at most. Readers skip what is no record. Whoever rewrites a file
// (tessera-tune prune) locks out writers meanwhile.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_TUNEFILE_H
#define TESSERA_RUNTIME_AUTOTUNE_TUNEFILE_H

#include "Runtime/Autotune/TuneRecord.h"

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::rt {

/// The name of the file in the cache's folder.
inline constexpr const char *kTuneFileName = "tuning.txt";

/// The records among the lines of \p text, in their order. \p damaged counts the other lines, but for empty ones and
/// comments, which start with `#`.
std::vector<TuneRecord> parseRecords(std::string_view text, std::size_t &damaged);

/// The whole of a file; nothing if there is none. \p problem says what went wrong.
std::string readTuneFile(const std::string &path, std::string &problem);
/// Appends \p lines, each with its end, in one write. Returns what went wrong, or nothing.
std::string appendLines(const std::string &path, std::string_view lines);
/// Puts \p lines in the place of the file, unless it changes meanwhile. Returns what went wrong, or nothing.
std::string rewriteTuneFile(const std::string &path, std::string_view before, std::string_view lines);

/// Lines by problem, of one file that others may be appending to. Thread-safe.
class TuneFile {
public:
  explicit TuneFile(std::string path) : path_(std::move(path)) {}

  /// The records of a problem, in the order of the file, which is looked at again if it has changed. Damaged lines are
  /// noted once.
  std::vector<TuneRecord> find(const TuneProblemId &problem);
  const std::string &path() const { return path_; }

private:
  void refresh();

  const std::string path_;
  std::mutex mutex;
  std::map<std::string, std::vector<std::string>, std::less<>> lines; ///< by the hash of their problem
  std::uint64_t inode = 0, device = 0;
  std::size_t done = 0; ///< bytes of it
  std::size_t damaged = 0;
  bool reported = false;
};

/// An exclusive lock on a file, for those who want to do something one after another. Gone with the process.
class FileLock {
public:
  /// Waits for it, but for no longer than \p patience, and not at all if there can be no such file.
  FileLock(const std::string &path, std::chrono::milliseconds patience);
  ~FileLock();
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;

  explicit operator bool() const { return file >= 0; }
  /// Somebody else had it meanwhile.
  bool waited() const { return waited_; }

private:
  int file = -1;
  bool waited_ = false;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_TUNEFILE_H
