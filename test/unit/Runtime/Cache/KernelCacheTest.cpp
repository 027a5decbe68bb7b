//===- KernelCacheTest.cpp - compiled kernels on disk ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/KernelCache.h"

#include "unit/CollectedNotes.h"
#include "unit/Runtime/Cache/SampleEntry.h"
#include "unit/ScopedEnvironment.h"
#include "unit/TemporaryFolder.h"

#include "tessera/runtime/Cache.h"

#include "gmock/gmock.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::CollectedNotes;
using tessera::test::readText;
using tessera::test::ScopedEnvironment;
using tessera::test::TemporaryFolder;
using tessera::test::writeText;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct KernelCacheTest : testing::Test {
  const TemporaryFolder base;
  const CollectedNotes notes;
  CacheSettings settings{.mode = CacheMode::ReadWrite, .folder = base.path("cache"), .overlays = {}, .limit = 0};

  std::string pathOf(unsigned number) const { return settings.folder + "/" + cacheFileName(sampleEntry(number).key); }
  void keep(unsigned number, std::size_t bytes = 4000) const { keepKernel(settings, sampleEntry(number, bytes)); }
  std::optional<CacheEntry> find(unsigned number) const {
    return findKernel(settings, sampleEntry(number).key, "cuda:sm_90a");
  }
  /// Whether the kernel is found, and is that one.
  bool has(unsigned number) const {
    const std::optional<CacheEntry> entry = find(number);
    EXPECT_TRUE(!entry || isSample(*entry, number));
    return entry.has_value();
  }
  std::vector<std::string> names() const {
    std::string problem;
    std::vector<std::string> names;
    for (const CacheFile &file : listKernels(settings.folder, problem))
      names.push_back(file.name);
    return names;
  }
};

void setTimes(const std::string &path, std::int64_t seconds) {
  const timespec times[2] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

} // namespace

//===----------------------------------------------------------------------===//
// Finding and keeping
//===----------------------------------------------------------------------===//

TEST_F(KernelCacheTest, keepsKernels) {
  const CacheStatistics before = cache_statistics();
  EXPECT_FALSE(has(1));
  EXPECT_FALSE(std::filesystem::exists(settings.folder)) << "looking makes nothing";
  keep(1);
  keep(2);
  EXPECT_TRUE(has(1));
  EXPECT_TRUE(has(2));
  EXPECT_FALSE(has(3));
  const CacheStatistics after = cache_statistics();
  EXPECT_EQ(after.found - before.found, 2);
  EXPECT_EQ(after.missed - before.missed, 2);
  EXPECT_EQ(after.kept - before.kept, 2);
  EXPECT_EQ(after.refused - before.refused, 0);
  EXPECT_THAT(notes.lines, IsEmpty());
}

TEST_F(KernelCacheTest, isPrivate) {
  const mode_t before = ::umask(0);
  keep(1);
  EXPECT_TRUE(has(1));
  ::umask(before);
  struct stat facts{};
  ASSERT_EQ(::stat(settings.folder.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777u, 0700u);
  for (const auto &file : std::filesystem::directory_iterator(settings.folder)) {
    ASSERT_EQ(::stat(file.path().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 07777u, 0600u) << file.path();
  }
}

TEST_F(KernelCacheTest, countsUses) {
  keep(1);
  EXPECT_EQ(readKernel(settings.folder, cacheFileName(sampleEntry(1).key)).uses, 0u);
  for (int i = 0; i != 3; ++i)
    EXPECT_TRUE(has(1));
  EXPECT_EQ(readKernel(settings.folder, cacheFileName(sampleEntry(1).key)).uses, 3u);
}

TEST_F(KernelCacheTest, modesDoWhatTheySay) {
  settings.mode = CacheMode::ReadOnly;
  keep(1);
  EXPECT_FALSE(std::filesystem::exists(settings.folder));
  settings.mode = CacheMode::ReadWrite;
  keep(1);
  const std::string before = readText(pathOf(1));
  settings.mode = CacheMode::ReadOnly;
  EXPECT_TRUE(has(1));
  EXPECT_EQ(readText(pathOf(1)), before) << "reading only changes nothing";
  keep(2);
  EXPECT_FALSE(has(2));
  settings.mode = CacheMode::Off;
  EXPECT_FALSE(has(1));
  EXPECT_THAT(notes.lines, IsEmpty());
}

TEST_F(KernelCacheTest, overlaysAreReadOnly) {
  keep(1);
  const std::string shared = settings.folder, before = readText(pathOf(1));
  settings.folder = base.path("own");
  settings.overlays = {base.path("none"), shared};
  EXPECT_TRUE(has(1));
  keep(2);
  EXPECT_TRUE(has(2));
  std::string problem;
  EXPECT_EQ(listKernels(shared, problem).size(), 1u);
  EXPECT_EQ(readText(shared + "/" + cacheFileName(sampleEntry(1).key)), before);
  EXPECT_THAT(notes.lines, IsEmpty());
}

TEST_F(KernelCacheTest, aCopiedFolderIsAsGood) {
  keep(1);
  std::filesystem::rename(settings.folder, base.path("moved"));
  settings.folder = base.path("moved");
  EXPECT_TRUE(has(1));
}

TEST_F(KernelCacheTest, aFolderRemovedMeanwhileIsMadeAgain) {
  keep(1);
  std::filesystem::remove_all(settings.folder);
  EXPECT_FALSE(has(1));
  keep(1);
  EXPECT_TRUE(has(1));
}

//===----------------------------------------------------------------------===//
// What is not to be trusted
//===----------------------------------------------------------------------===//

TEST_F(KernelCacheTest, damagedFilesAreNotedOnceAndReplaced) {
  keep(1);
  std::string bytes = readText(pathOf(1));
  bytes.back() ^= 1;
  writeText(pathOf(1), bytes);
  const CacheStatistics before = cache_statistics();
  EXPECT_FALSE(has(1));
  EXPECT_FALSE(has(1));
  EXPECT_EQ(cache_statistics().refused - before.refused, 2);
  EXPECT_THAT(notes.lines, ElementsAre(AllOf(HasSubstr(pathOf(1) + " is not used, and the kernel is compiled again"),
                                             HasSubstr("its checksum does not match"))));
  keep(1);
  EXPECT_TRUE(has(1));
}

TEST_F(KernelCacheTest, frozenProcessesAreNotToldOfCompiling) {
  keep(1);
  writeText(pathOf(1), "broken");
  const ScopedEnvironment frozen("TESSERA_FROZEN", "1");
  EXPECT_FALSE(has(1));
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr(pathOf(1) + " is not used: it is no kernel of the cache")));
}

TEST_F(KernelCacheTest, anotherKernelsFileIsFound) {
  keep(1);
  keep(2);
  std::filesystem::rename(pathOf(2), pathOf(1));
  EXPECT_FALSE(has(1));
  EXPECT_FALSE(has(2));
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("it holds another kernel, " + sampleEntry(2).key.hex())));
  EXPECT_FALSE(findKernel(settings, sampleEntry(2).key, "cuda:sm_90a"));
}

TEST_F(KernelCacheTest, anotherTargetsKernelIsNotLoaded) {
  keep(1);
  EXPECT_FALSE(findKernel(settings, sampleEntry(1).key, "cpu"));
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("it was compiled for cuda:sm_90a, not for cpu")));
}

TEST_F(KernelCacheTest, filesOthersMayWriteToAreNotRead) {
  keep(1);
  ::chmod(pathOf(1).c_str(), 0666);
  EXPECT_FALSE(has(1));
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("others may write to it (mode 0666)")));
  keep(1);
  EXPECT_TRUE(has(1));
  ::chmod(settings.folder.c_str(), 0777);
  EXPECT_FALSE(has(1));
  keep(2);
  EXPECT_THAT(notes.lines, ElementsAre(testing::_, HasSubstr("no compiled kernels are read: folder " + settings.folder),
                                       HasSubstr("compiled kernels are not kept for the next process: folder ")));
  ::chmod(settings.folder.c_str(), 0700);
  EXPECT_FALSE(has(2));
}

TEST_F(KernelCacheTest, filesOfOthersAreNotRead) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  keep(1);
  ASSERT_EQ(::chown(pathOf(1).c_str(), 12345, 12345), 0);
  EXPECT_FALSE(has(1));
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("it belongs to user 12345")));
}

TEST_F(KernelCacheTest, strangeFilesAreNoTrouble) {
  keep(1);
  std::filesystem::remove(pathOf(1));
  ASSERT_EQ(::mkfifo(pathOf(1).c_str(), 0600), 0);
  EXPECT_FALSE(has(1));
  ASSERT_EQ(::symlink("/dev/zero", pathOf(2).c_str()), 0);
  EXPECT_FALSE(has(2));
  writeText(pathOf(3), "");
  EXPECT_FALSE(has(3));
  EXPECT_EQ(notes.lines.size(), 3u);
  for (unsigned number : {1, 2, 3})
    keep(number);
  for (unsigned number : {1, 2, 3})
    EXPECT_TRUE(has(number));
}

//===----------------------------------------------------------------------===//
// Making room
//===----------------------------------------------------------------------===//

TEST_F(KernelCacheTest, theLongestUnusedGoFirst) {
  for (unsigned number = 0; number != 10; ++number)
    keep(number);
  EXPECT_TRUE(has(0));
  const std::uint64_t size = std::filesystem::file_size(pathOf(0));
  const Pruned pruned = pruneKernels(settings.folder, 3 * size + size / 2);
  EXPECT_EQ(pruned.problem, "");
  EXPECT_EQ(pruned.kernels, 7u);
  for (unsigned number = 0; number != 10; ++number)
    EXPECT_EQ(has(number), number == 0 || number >= 8) << number;
}

TEST_F(KernelCacheTest, staysBelowItsLimit) {
  keep(0);
  settings.limit = 10 * std::filesystem::file_size(pathOf(0));
  for (unsigned number = 1; number != 300; ++number) {
    keep(number);
    EXPECT_TRUE(has(number));
    EXPECT_LE(names().size(), 10u);
  }
  EXPECT_GE(names().size(), 8u);
  EXPECT_THAT(notes.lines, IsEmpty());
}

TEST_F(KernelCacheTest, saysThatAKernelIsTooLarge) {
  settings.limit = 2000;
  keep(1);
  EXPECT_FALSE(has(1));
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("TESSERA_CACHE_SIZE allows 2000")));
}

TEST_F(KernelCacheTest, whatInterruptedProcessesLeftGoesAfterAWhile) {
  keep(1);
  const std::string old = settings.folder + "/.unfinished-1", fresh = settings.folder + "/.unfinished-2";
  writeText(old, "half");
  writeText(fresh, "half");
  setTimes(old, 1'000'000'000);
  pruneKernels(settings.folder, ~std::uint64_t{0});
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(fresh));
  EXPECT_TRUE(has(1));
}

// The machine's clock was years ahead, and is right again: what is used now is still the latest.
TEST_F(KernelCacheTest, survivesClocksThatJump) {
  keep(1);
  keep(2);
  constexpr std::int64_t year2090 = 3'800'000'000;
  setTimes(pathOf(1), year2090);
  setTimes(settings.folder + "/.clock", year2090);
  EXPECT_TRUE(has(2));
  keep(3);
  EXPECT_THAT(names(), ElementsAre(cacheFileName(sampleEntry(1).key), cacheFileName(sampleEntry(2).key),
                                   cacheFileName(sampleEntry(3).key)));
  EXPECT_TRUE(has(1));
  EXPECT_THAT(names(), ElementsAre(cacheFileName(sampleEntry(2).key), cacheFileName(sampleEntry(3).key),
                                   cacheFileName(sampleEntry(1).key)));
  // It was never set: everything seems to come from the future.
  for (unsigned number : {1, 2, 3})
    setTimes(pathOf(number), 10 + number);
  setTimes(settings.folder + "/.clock", 20);
  EXPECT_TRUE(has(1));
  EXPECT_EQ(names().back(), cacheFileName(sampleEntry(1).key));
  pruneKernels(settings.folder, std::filesystem::file_size(pathOf(1)));
  EXPECT_TRUE(has(1));
  EXPECT_FALSE(has(2));
  EXPECT_FALSE(has(3));
  EXPECT_THAT(notes.lines, IsEmpty());
}

//===----------------------------------------------------------------------===//
// Folders that cannot be written
//===----------------------------------------------------------------------===//

TEST_F(KernelCacheTest, aFolderThatCannotBeMadeIsNotedOnce) {
  writeText(base.path("file"), "");
  settings.folder = base.path("file/cache");
  keep(1);
  keep(2);
  EXPECT_FALSE(has(1));
  EXPECT_THAT(notes.lines,
              ElementsAre(HasSubstr("compiled kernels are not kept for the next process: cannot open folder"),
                          HasSubstr("no compiled kernels are read: cannot open folder")));
}

/// What \p run says in a process of its own as another user, for whom permissions count; empty if it went well.
static std::string asAnotherUser(const std::function<std::string()> &run) {
  int ends[2];
  if (::pipe(ends) != 0)
    return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    std::string words =
        ::geteuid() == 0 && (::setgid(12345) != 0 || ::setuid(12345) != 0) ? "cannot become another user" : run();
    _exit(::write(ends[1], words.data(), words.size()) == static_cast<ssize_t>(words.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string words(1000, '\0');
  const ssize_t count = ::read(ends[0], words.data(), words.size());
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  words.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return status == 0 ? words : "ended with status " + std::to_string(status);
}

TEST_F(KernelCacheTest, aReadOnlyFolderIsRead) {
  keep(1);
  ASSERT_EQ(::chown(settings.folder.c_str(), ::geteuid() == 0 ? 12345 : ::geteuid(), ::getegid()), 0);
  ASSERT_EQ(::chown(pathOf(1).c_str(), ::geteuid() == 0 ? 12345 : ::geteuid(), ::getegid()), 0);
  ::chmod(base.path().c_str(), 0755);
  ::chmod(pathOf(1).c_str(), 0400);
  ::chmod(settings.folder.c_str(), 0500);
  EXPECT_EQ(asAnotherUser([&]() -> std::string {
              if (!find(1))
                return "not found";
              keep(2);
              keep(3);
              if (!find(1) || find(2))
                return "not as before";
              return notes.lines.size() == 1 && notes.lines[0].find("cannot make") != std::string::npos &&
                             notes.lines[0].find("Permission denied") != std::string::npos
                         ? ""
                         : "other notes";
            }),
            "");
  ::chmod(settings.folder.c_str(), 0700);
}
