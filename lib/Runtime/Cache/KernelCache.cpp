//===- KernelCache.cpp - compiled kernels on disk -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/KernelCache.h"

#include "Runtime/Cache/Statistics.h"
#include "Support/Bytes.h"
#include "Support/GuardedFolder.h"
#include "Support/Log.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Runtime.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <new>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace tessera::rt {

using support::GuardedFolder;
using support::Trust;

static constexpr std::string_view kExtension = ".kernel";
static constexpr const char *kClock = ".clock";
/// No code object comes near; a file that says it is larger is no kernel.
static constexpr std::size_t kLargestFile = std::size_t{1} << 30;

std::string cacheFileName(const support::Hash128 &key) { return key.hex() + std::string(kExtension); }

static std::int64_t nanoseconds(const timespec &time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

static timespec fromNanoseconds(std::int64_t time) {
  return {.tv_sec = time / 1'000'000'000, .tv_nsec = time % 1'000'000'000};
}

//===----------------------------------------------------------------------===//
// The clock
//===----------------------------------------------------------------------===//

/// The time of a use now: later than that of every use before, whatever the machine's clock does meanwhile. The latest
/// one is that of a file of the folder.
static timespec tick(const GuardedFolder &folder) {
  const GuardedFolder::File clock = folder.openFile(kClock, O_RDWR);
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (!clock.handle) {
    const support::FileHandle made(
        ::openat(folder.descriptor(), kClock, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
    return now;
  }
  const timespec next = fromNanoseconds(std::max(nanoseconds(now), nanoseconds(clock.facts.st_mtim) + 1000));
  const timespec times[2] = {next, next};
  ::futimens(clock.handle.get(), times);
  return next;
}

static void setUsed(const GuardedFolder &folder, int file) {
  const timespec used = tick(folder);
  const timespec times[2] = {used, used};
  ::futimens(file, times);
}

/// Notes a use of an open file. That another process may do the same at the same time costs a count.
static void countUse(const GuardedFolder &folder, const GuardedFolder::File &file, std::uint64_t uses) {
  support::ByteWriter writer;
  writer.number<std::uint64_t>(uses + 1);
  const std::vector<std::byte> bytes = writer.take();
  if (::pwrite(file.handle.get(), bytes.data(), bytes.size(), CacheEntry::kUsesOffset) >= 0)
    setUsed(folder, file.handle.get());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The entry in an open file, which must be the one its name says.
static CacheFileContents readOpen(const GuardedFolder::File &file, const std::string &name) {
  CacheFileContents contents;
  try {
    const auto bytes = GuardedFolder::read(file, kLargestFile);
    if (!bytes) {
      // A network file system lost a file that another machine removed.
      if (errno != ESTALE)
        contents.problem = fmt::format("it cannot be read: {}", std::generic_category().message(errno));
      return contents;
    }
    contents.entry = CacheEntry::deserialize(*bytes);
    contents.uses = CacheEntry::usesIn(*bytes);
    if (cacheFileName(contents.entry->key) != name)
      contents.problem = fmt::format("it holds another kernel, {}", contents.entry->key.hex());
  } catch (const UsageError &error) {
    contents.problem = error.what();
  } catch (const std::bad_alloc &) {
    contents.problem = "there is no memory to read it";
  }
  if (!contents.problem.empty())
    contents.entry.reset();
  return contents;
}

static CacheFileContents readNamed(const GuardedFolder &folder, const std::string &name, GuardedFolder::File &file,
                                   bool count) {
  file = folder.openFile(name, count ? O_RDWR : O_RDONLY);
  if (!file.handle && count && !file.problem.empty())
    file = folder.openFile(name, O_RDONLY); // not ours to change
  if (file.handle)
    return readOpen(file, name);
  CacheFileContents contents;
  contents.problem = file.problem;
  return contents;
}

/// Looks for a kernel in one folder.
static std::optional<CacheEntry> findIn(const std::string &path, Trust trust, bool count, const std::string &name,
                                        const std::string &target) {
  const GuardedFolder folder = GuardedFolder::open(path, trust, /*create=*/false);
  if (!folder) {
    if (!folder.problem().empty())
      support::noteOnce(fmt::format("no compiled kernels are read: {}", folder.problem()));
    return std::nullopt;
  }
  GuardedFolder::File file;
  CacheFileContents contents = readNamed(folder, name, file, count);
  if (contents.entry && contents.entry->image.target != target) {
    contents.problem = fmt::format("it was compiled for {}, not for {}", contents.entry->image.target, target);
    contents.entry.reset();
  }
  if (!contents.problem.empty()) {
    countCache(CacheEvent::Refused);
    support::noteOnce(fmt::format("{}/{} is not used{}: {}", path, name,
                                  Runtime::is_frozen() ? "" : ", and the kernel is compiled again", contents.problem));
  }
  if (contents.entry && count)
    countUse(folder, file, contents.uses);
  return std::move(contents.entry);
}

std::optional<CacheEntry> findKernel(const CacheSettings &settings, const support::Hash128 &key,
                                     const std::string &target) {
  if (settings.mode == CacheMode::Off)
    return std::nullopt;
  const std::string name = cacheFileName(key);
  std::optional<CacheEntry> entry;
  if (!settings.folder.empty())
    entry = findIn(settings.folder, Trust::User, settings.mode == CacheMode::ReadWrite, name, target);
  for (const std::string &overlay : settings.overlays)
    if (!entry)
      entry = findIn(overlay, Trust::UserOrRoot, /*count=*/false, name, target);
  countCache(entry ? CacheEvent::Found : CacheEvent::Missed);
  return entry;
}

CacheFileContents readKernel(const std::string &path, const std::string &name) {
  CacheFileContents contents;
  const GuardedFolder folder = GuardedFolder::open(path, Trust::UserOrRoot, /*create=*/false);
  GuardedFolder::File file;
  if (folder)
    contents = readNamed(folder, name, file, /*count=*/false);
  else
    contents.problem = folder.problem();
  if (!contents.entry && contents.problem.empty())
    contents.problem = "there is no such file";
  return contents;
}

//===----------------------------------------------------------------------===//
// Making room
//===----------------------------------------------------------------------===//

namespace {
/// What is in a folder.
struct Contents {
  std::vector<CacheFile> kernels;
  std::vector<std::string> abandoned; ///< files that a process began to write and will not finish
  std::string problem;
};
} // namespace

static Contents scan(const GuardedFolder &folder) {
  Contents contents;
  // A descriptor of its own: reading a folder moves the descriptor on.
  const int descriptor = ::openat(folder.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = descriptor < 0 ? nullptr : ::fdopendir(descriptor);
  if (!list) {
    contents.problem = fmt::format("cannot list {}: {}", folder.path(), std::generic_category().message(errno));
    if (descriptor >= 0)
      ::close(descriptor);
    return contents;
  }
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  while (const dirent *entry = ::readdir(list)) {
    const std::string name = entry->d_name;
    const bool unfinished = name.starts_with(GuardedFolder::kUnfinished);
    struct stat facts{};
    if ((!unfinished && !name.ends_with(kExtension)) ||
        ::fstatat(folder.descriptor(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (!unfinished)
      contents.kernels.push_back({name, static_cast<std::uint64_t>(facts.st_size), nanoseconds(facts.st_mtim)});
    // A kernel is written in no time. If a clock jumped and somebody still writes, that kernel is not kept.
    else if (std::abs(now.tv_sec - facts.st_mtim.tv_sec) > 3600)
      contents.abandoned.push_back(name);
  }
  ::closedir(list);
  std::ranges::sort(contents.kernels, [](const CacheFile &a, const CacheFile &b) {
    return std::tie(a.usedNs, a.name) < std::tie(b.usedNs, b.name);
  });
  return contents;
}

static std::uint64_t sumOfBytes(const std::vector<CacheFile> &files) {
  std::uint64_t sum = 0;
  for (const CacheFile &file : files)
    sum += file.bytes;
  return sum;
}

static Pruned prune(const GuardedFolder &folder, std::uint64_t limit) {
  const Contents contents = scan(folder);
  Pruned pruned;
  pruned.problem = contents.problem;
  pruned.left = sumOfBytes(contents.kernels);
  for (const std::string &name : contents.abandoned)
    ::unlinkat(folder.descriptor(), name.c_str(), 0);
  for (const CacheFile &file : contents.kernels) {
    if (pruned.left <= limit)
      break;
    // Whoever reads it now goes on reading it; whoever used it since the look keeps it.
    struct stat facts{};
    if (::fstatat(folder.descriptor(), file.name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        nanoseconds(facts.st_mtim) != file.usedNs)
      continue;
    if (::unlinkat(folder.descriptor(), file.name.c_str(), 0) != 0 && errno != ENOENT) {
      pruned.problem =
          fmt::format("cannot remove {}/{}: {}", folder.path(), file.name, std::generic_category().message(errno));
      continue;
    }
    ++pruned.kernels;
    pruned.bytes += file.bytes;
    pruned.left -= file.bytes;
  }
  return pruned;
}

std::vector<CacheFile> listKernels(const std::string &path, std::string &problem) {
  const GuardedFolder folder = GuardedFolder::open(path, Trust::UserOrRoot, /*create=*/false);
  if (!folder) {
    problem = folder.problem();
    return {};
  }
  Contents contents = scan(folder);
  problem = contents.problem;
  return std::move(contents.kernels);
}

Pruned pruneKernels(const std::string &path, std::uint64_t limit) {
  const GuardedFolder folder = GuardedFolder::open(path, Trust::User, /*create=*/false);
  if (folder)
    return prune(folder, limit);
  Pruned pruned;
  pruned.problem = folder.problem();
  return pruned;
}

namespace {

/// How full the folders are that this process writes to, so that not every kernel kept needs a look at all files.
class Fullness {
public:
  static Fullness &get() {
    static Fullness *const instance = new Fullness;
    return *instance;
  }

  /// Accounts for \p bytes that were just written and makes room once there are more than \p limit.
  void add(const GuardedFolder &folder, std::uint64_t bytes, std::uint64_t limit) {
    // Others write, too: what was known is forgotten after a while.
    constexpr int trusted = 64;
    const std::lock_guard lock(mutex);
    Known &known = folders[folder.path()];
    known.bytes += bytes;
    if (known.age++ % trusted != 0 && known.bytes <= limit)
      return;
    known.bytes = sumOfBytes(scan(folder).kernels);
    // A little more than needed, so that the next kernel finds room.
    if (known.bytes > limit)
      known.bytes = prune(folder, limit - limit / 10).left;
  }

private:
  struct Known {
    std::uint64_t bytes = 0;
    int age = 0;
  };
  std::mutex mutex;
  std::map<std::string, Known> folders;
};

} // namespace

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void keepKernel(const CacheSettings &settings, const CacheEntry &entry) {
  if (settings.mode != CacheMode::ReadWrite)
    return;
  const auto note = [](std::string_view why) {
    support::noteOnce(fmt::format("compiled kernels are not kept for the next process: {}", why));
  };
  if (settings.folder.empty())
    return note("neither TESSERA_CACHE_DIR, XDG_CACHE_HOME nor HOME names a folder");
  const GuardedFolder folder = GuardedFolder::open(settings.folder, Trust::User, /*create=*/true);
  if (!folder)
    return note(folder.problem());
  const std::vector<std::byte> bytes = entry.serialize();
  const std::uint64_t limit = settings.limit ? settings.limit : ~std::uint64_t{0};
  if (bytes.size() > limit - limit / 10)
    return note(fmt::format("kernel `{}` takes {} bytes, and TESSERA_CACHE_SIZE allows {}", entry.image.kernel,
                            bytes.size(), limit));
  const std::string name = cacheFileName(entry.key);
  if (const std::string problem = folder.replace(name, bytes); !problem.empty())
    return note(problem);
  countCache(CacheEvent::Kept);
  if (const GuardedFolder::File file = folder.openFile(name, O_RDONLY); file.handle)
    setUsed(folder, file.handle.get());
  Fullness::get().add(folder, bytes.size(), limit);
}

} // namespace tessera::rt
