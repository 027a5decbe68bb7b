//===- Subprocess.cpp - run another program -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Subprocess.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char **environ; // NOLINT: POSIX declares it nowhere

namespace tessera::support {

using Clock = std::chrono::steady_clock;

static std::string errorText(int code) { return std::generic_category().message(code); }

/// Starts a program whose outputs go to \p outputEnd. Returns an error code.
static int start(const std::vector<std::string> &arguments, int outputEnd, pid_t &pid) {
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, outputEnd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, outputEnd, STDERR_FILENO);
  // Signals that this thread blocks or this process ignores are the program's own affair.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int code = posix_spawn(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// Reads until the program closes its end; false when \p deadline passes before.
static bool readAll(int file, Clock::time_point deadline, std::string &output) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wanted{file, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&wanted, 1, static_cast<int>(std::min<long long>(left, 1 << 30)));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    char buffer[4096];
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    output.append(buffer, static_cast<std::size_t>(count));
  }
}

/// Waits for the program to end, which has closed its outputs already or was killed.
static int waitFor(pid_t pid, int &status) {
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return errno;
  return 0;
}

SubprocessResult runProgram(const std::vector<std::string> &arguments, std::chrono::milliseconds limit) {
  SubprocessResult result;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    result.problem = fmt::format("cannot make a pipe: {}", errorText(errno));
    return result;
  }
  pid_t pid = -1;
  const int code = start(arguments, ends[1], pid);
  ::close(ends[1]);
  if (code != 0) {
    ::close(ends[0]);
    result.problem = fmt::format("cannot start {}: {}", arguments[0], errorText(code));
    return result;
  }
  const bool ended = readAll(ends[0], Clock::now() + limit, result.output);
  ::close(ends[0]);
  if (!ended)
    ::kill(pid, SIGKILL);
  int status = 0;
  if (const int lost = waitFor(pid, status); lost != 0)
    result.problem = fmt::format("cannot wait for {}: {}", arguments[0], errorText(lost));
  else if (!ended)
    result.problem = fmt::format("{} took longer than {} ms", arguments[0], limit.count());
  else if (WIFSIGNALED(status))
    result.problem = fmt::format("{} was ended by signal {}", arguments[0], WTERMSIG(status));
  else
    result.status = WEXITSTATUS(status);
  return result;
}

static bool isProgram(const std::string &path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string findProgram(std::string_view name, const std::vector<std::string> &folders) {
  std::vector<std::string> all;
  if (const char *path = std::getenv("PATH"))
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      all.emplace_back(rest.substr(0, colon));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  all.insert(all.end(), folders.begin(), folders.end());
  for (const std::string &folder : all) {
    // An empty entry or a relative one would depend on where the process stands.
    if (!folder.starts_with('/'))
      continue;
    if (std::string path = fmt::format("{}/{}", folder, name); isProgram(path))
      return path;
  }
  return {};
}

PrivateFolder::PrivateFolder() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::string name = ((error ? std::filesystem::path("/tmp") : base) / "tessera-XXXXXX").string();
  if (::mkdtemp(name.data()))
    path_ = name;
  else
    problem_ = fmt::format("cannot make folder {}: {}", name, errorText(errno));
}

PrivateFolder::~PrivateFolder() {
  std::error_code error;
  if (!path_.empty())
    std::filesystem::remove_all(path_, error);
}

std::string PrivateFolder::file(std::string_view name) const { return fmt::format("{}/{}", path_, name); }

} // namespace tessera::support
