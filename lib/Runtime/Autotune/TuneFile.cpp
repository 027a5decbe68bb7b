//===- TuneFile.cpp - files of tuning records --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneFile.h"

#include "Support/Files.h"
#include "Support/Log.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tessera::rt {

/// More than this is not read of a file: it would be no file of ours.
static constexpr std::size_t kMostFileBytes = std::size_t{256} << 20;

static std::string errorText(int code) { return std::generic_category().message(code); }

namespace {
struct Descriptor {
  explicit Descriptor(int file) : file(file) {}
  ~Descriptor() {
    if (file >= 0)
      ::close(file);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  explicit operator bool() const { return file >= 0; }

  const int file;
};
} // namespace

/// Calls \p visit with each line of \p text, without its end.
template <class Visit> static void forEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

static bool isComment(std::string_view line) { return line.empty() || line.front() == '#'; }

std::vector<TuneRecord> parseRecords(std::string_view text, std::size_t &damaged) {
  std::vector<TuneRecord> records;
  forEachLine(text, [&](std::string_view line) {
    if (isComment(line))
      return;
    if (std::optional<TuneRecord> record = decodeRecord(line))
      records.push_back(std::move(*record));
    else
      ++damaged;
  });
  return records;
}

/// Reads an open regular file from \p from on. Returns an error code.
static int readFrom(int file, std::size_t from, std::string &text) {
  struct stat facts{};
  if (::fstat(file, &facts) != 0)
    return errno;
  if (!S_ISREG(facts.st_mode))
    return EINVAL;
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size > kMostFileBytes)
    return EFBIG;
  if (size <= from)
    return 0;
  text.resize(size - from);
  const std::optional<std::size_t> done = support::readAt(file, from, std::as_writable_bytes(std::span(text)));
  if (!done)
    return errno;
  text.resize(*done);
  return 0;
}

std::string readTuneFile(const std::string &path, std::string &problem) {
  std::string text;
  // Not to hang on a pipe of that name.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const int code = file ? readFrom(file.file, 0, text) : errno;
  if (code != 0)
    problem = fmt::format("cannot read {}: {}", path, errorText(code));
  return text;
}

/// Locks a file against being rewritten, and opens it again if it was meanwhile. The descriptor, or -1 with errno.
static int openForAppending(const std::string &path) {
  for (int attempt = 0; attempt != 100; ++attempt) {
    const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (file < 0)
      return -1;
    struct stat mine{}, theirs{};
    while (::flock(file, LOCK_SH) != 0 && errno == EINTR) {
    }
    if (::fstat(file, &mine) == 0 && S_ISREG(mine.st_mode) && ::stat(path.c_str(), &theirs) == 0 &&
        mine.st_ino == theirs.st_ino && mine.st_dev == theirs.st_dev)
      return file;
    const bool regular = S_ISREG(mine.st_mode);
    ::close(file);
    if (!regular) {
      errno = EINVAL;
      return -1;
    }
  }
  errno = EBUSY;
  return -1;
}

std::string appendLines(const std::string &path, std::string_view lines) {
  const Descriptor file(openForAppending(path));
  if (!file)
    return fmt::format("cannot open {}: {}", path, errorText(errno));
  // A line that somebody could not finish ends here, so that it damages none of ours.
  struct stat facts{};
  char last = '\n';
  const bool torn = ::fstat(file.file, &facts) == 0 && facts.st_size > 0 &&
                    ::pread(file.file, &last, 1, facts.st_size - 1) == 1 && last != '\n';
  std::string text(torn ? "\n" : "");
  text += lines;
  for (;;) {
    const ssize_t written = ::write(file.file, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written == static_cast<ssize_t>(text.size()))
      return {};
    return fmt::format("cannot write {}: {}", path, errorText(written < 0 ? errno : ENOSPC));
  }
}

std::string rewriteTuneFile(const std::string &path, std::string_view before, std::string_view lines) {
  const Descriptor old(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (!old)
    return fmt::format("cannot open {}: {}", path, errorText(errno));
  while (::flock(old.file, LOCK_EX) != 0 && errno == EINTR) {
  }
  std::string now;
  if (const int code = readFrom(old.file, 0, now); code != 0)
    return fmt::format("cannot read {}: {}", path, errorText(code));
  if (now != before)
    return fmt::format("{} has changed meanwhile", path);
  std::string temporary = path + ".XXXXXX";
  const Descriptor fresh(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!fresh)
    return fmt::format("cannot make {}: {}", temporary, errorText(errno));
  if (!support::writeAll(fresh.file, lines) || ::fsync(fresh.file) != 0 ||
      ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int code = errno;
    ::unlink(temporary.c_str());
    return fmt::format("cannot write {}: {}", path, errorText(code));
  }
  return {};
}

void TuneFile::refresh() {
  const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts{};
  if (!file || ::fstat(file.file, &facts) != 0) {
    if (errno != ENOENT && !std::exchange(reported, true))
      support::note(fmt::format("tuning records in {} are not used: {}", path_, errorText(errno)));
    lines.clear();
    done = 0;
    return;
  }
  const bool same = facts.st_ino == inode && facts.st_dev == device && static_cast<std::size_t>(facts.st_size) >= done;
  if (!same) {
    lines.clear();
    done = damaged = 0;
    inode = facts.st_ino, device = facts.st_dev;
  }
  std::string text;
  if (const int code = readFrom(file.file, done, text); code != 0) {
    if (!std::exchange(reported, true))
      support::note(fmt::format("tuning records in {} are not used: {}", path_, errorText(code)));
    return;
  }
  // A line without an end may still be growing.
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  done += text.size();
  forEachLine(text, [&](std::string_view line) {
    if (isComment(line))
      return;
    if (!isRecord(line)) {
      ++damaged;
      return;
    }
    const std::string_view hash = problemHashOf(line);
    auto found = lines.find(hash);
    if (found == lines.end())
      found = lines.emplace(hash, std::vector<std::string>()).first;
    found->second.emplace_back(line);
  });
  if (damaged && !std::exchange(reported, true))
    support::note(damaged == 1 ? fmt::format("1 damaged line in {} is skipped; tessera-tune prune removes it", path_)
                               : fmt::format("{} damaged lines in {} are skipped; tessera-tune prune removes them",
                                             damaged, path_));
}

std::vector<TuneRecord> TuneFile::find(const TuneProblemId &problem) {
  const std::lock_guard lock(mutex);
  refresh();
  std::vector<TuneRecord> records;
  const auto found = lines.find(problem.hash());
  if (found == lines.end())
    return records;
  for (const std::string &line : found->second)
    if (std::optional<TuneRecord> record = decodeRecord(line); record && record->problem == problem)
      records.push_back(std::move(*record));
  return records;
}

FileLock::FileLock(const std::string &path, std::chrono::milliseconds patience) {
  file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0)
    return;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    waited_ |= errno == EWOULDBLOCK;
    if ((errno != EWOULDBLOCK && errno != EINTR) || std::chrono::steady_clock::now() > deadline) {
      ::close(file);
      file = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

FileLock::~FileLock() {
  if (file >= 0)
    ::close(file);
}

} // namespace tessera::rt
