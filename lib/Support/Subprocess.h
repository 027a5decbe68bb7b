//===- Subprocess.h - run another program ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_SUBPROCESS_H
#define TESSERA_SUPPORT_SUBPROCESS_H

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::support {

/// How another program ended.
struct SubprocessResult {
  int status = -1;     ///< its exit status; -1 if it was not started or did not end by itself
  std::string output;  ///< what it wrote to its standard output and standard error
  std::string problem; ///< why there is no status: it could not be started, was ended by a signal, took too long

  bool ok() const { return status == 0; }
};

/// Runs \p arguments, whose first entry is the path of a program, without a shell and with an empty standard input, and
/// waits for it. It is killed after \p limit. Does not throw, and touches no signal handler of this process.
SubprocessResult runProgram(const std::vector<std::string> &arguments, std::chrono::milliseconds limit);

/// The path of program \p name: in the folders of PATH, then in \p folders; empty if it is in none.
std::string findProgram(std::string_view name, const std::vector<std::string> &folders = {});

/// A folder of this process alone, with a name nobody can guess, for files that another program reads. Removed with all
/// that is in it at the end.
class PrivateFolder {
public:
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  /// Why there is no folder; empty if there is one.
  const std::string &problem() const { return problem_; }
  /// Its path; empty if there is none.
  const std::string &path() const { return path_; }
  /// The path of a file \p name in it.
  std::string file(std::string_view name) const;

private:
  std::string path_, problem_;
};

} // namespace tessera::support

#endif // TESSERA_SUPPORT_SUBPROCESS_H
