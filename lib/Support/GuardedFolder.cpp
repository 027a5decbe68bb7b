//===- GuardedFolder.cpp - folders nobody else can write to ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/GuardedFolder.h"

#include "Support/Files.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <system_error>
#include <unistd.h>

namespace tessera::support {

static std::string errorText(int code) { return std::generic_category().message(code); }

FileHandle::~FileHandle() {
  if (file >= 0)
    ::close(file);
}

/// Why what \p facts tell of may not be trusted; empty if it may.
static std::string distrust(const struct stat &facts, Trust trust) {
  const uid_t user = ::geteuid();
  if (facts.st_uid != user && !(trust == Trust::UserOrRoot && facts.st_uid == 0))
    return fmt::format("it belongs to user {}, and this process runs as user {}", facts.st_uid, user);
  if (facts.st_mode & (S_IWGRP | S_IWOTH))
    return fmt::format("others may write to it (mode {:04o})", facts.st_mode & 07777u);
  return {};
}

/// Makes the folder and those above it. Returns an error code.
static int makeFolders(const std::string &path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      // A folder that is there may stand where nothing can be made: on a read-only file system, below /.
      const int code = errno;
      struct stat facts{};
      if (::stat(part.c_str(), &facts) != 0)
        return code;
    }
    if (end == std::string::npos)
      return 0;
  }
}

GuardedFolder GuardedFolder::open(const std::string &path, Trust trust, bool create) {
  GuardedFolder result;
  result.path_ = path;
  result.trust = trust;
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  FileHandle folder(::open(path.c_str(), flags));
  if (!folder && errno == ENOENT && create) {
    if (const int code = makeFolders(path); code != 0) {
      result.problem_ = fmt::format("cannot make folder {}: {}", path, errorText(code));
      return result;
    }
    folder = FileHandle(::open(path.c_str(), flags));
  }
  struct stat facts{};
  if (!folder || ::fstat(folder.get(), &facts) != 0) {
    if (errno != ENOENT)
      result.problem_ = fmt::format("cannot open folder {}: {}", path, errorText(errno));
    return result;
  }
  if (const std::string why = distrust(facts, trust); !why.empty())
    result.problem_ = fmt::format("folder {} is not used: {}", path, why);
  else
    result.folder = std::move(folder);
  return result;
}

GuardedFolder::File GuardedFolder::openFile(const std::string &name, int flags) const {
  File file;
  // Without O_NONBLOCK, a pipe of the name would hold the process.
  file.handle = FileHandle(::openat(folder.get(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.handle || ::fstat(file.handle.get(), &file.facts) != 0) {
    if (errno != ENOENT && errno != ESTALE)
      file.problem = errno == ELOOP ? "it is a symbolic link" : errorText(errno);
    file.handle = FileHandle();
    return file;
  }
  file.problem = S_ISREG(file.facts.st_mode) ? distrust(file.facts, trust) : "it is no regular file";
  if (!file.problem.empty())
    file.handle = FileHandle();
  return file;
}

std::optional<std::vector<std::byte>> GuardedFolder::read(const File &file, std::size_t limit) {
  const auto size = static_cast<std::size_t>(file.facts.st_size);
  if (size > limit) {
    errno = EFBIG;
    return std::nullopt;
  }
  std::vector<std::byte> bytes(size);
  const std::optional<std::size_t> done = readAt(file.handle.get(), 0, bytes);
  if (!done)
    return std::nullopt;
  bytes.resize(*done);
  return bytes;
}

/// A name that no other process, on this machine or another, chooses now.
static std::string unfinishedName() {
  static std::atomic<std::uint64_t> counter{0};
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random)
    random = static_cast<std::uint64_t>(::getpid()) << 32 ^ ++counter;
  return fmt::format("{}{:016x}", GuardedFolder::kUnfinished, random);
}

std::string GuardedFolder::replace(const std::string &name, const std::vector<std::byte> &bytes) const {
  const std::string unfinished = unfinishedName();
  const auto problem = [&](const char *what, int code) {
    ::unlinkat(folder.get(), unfinished.c_str(), 0);
    return fmt::format("cannot {} a file in {}: {}", what, path_, errorText(code));
  };
  FileHandle file(
      ::openat(folder.get(), unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return problem("make", errno);
  // Not flushed to the disk: a file that a failing machine leaves half written is found by its checksum.
  if (!writeAll(file.get(), {reinterpret_cast<const char *>(bytes.data()), bytes.size()}))
    return problem("write", errno);
  // Network file systems tell of a full disk only here.
  if (::close(file.release()) != 0)
    return problem("write", errno);
  if (::renameat(folder.get(), unfinished.c_str(), folder.get(), name.c_str()) != 0)
    return problem("rename", errno);
  return {};
}

} // namespace tessera::support
