//===- KernelCacheFaultsTest.cpp - processes killed, disks full -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/KernelCache.h"

#include "unit/CollectedNotes.h"
#include "unit/Runtime/Cache/SampleEntry.h"
#include "unit/TemporaryFolder.h"

#include "gmock/gmock.h"
#include <csignal>
#include <cstring>
#include <functional>
#include <sys/mount.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::CollectedNotes;
using tessera::test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct KernelCacheFaults : testing::Test {
  const TemporaryFolder base;
  CacheSettings settings{.mode = CacheMode::ReadWrite, .folder = base.path("cache"), .overlays = {}, .limit = 0};

  std::optional<CacheEntry> find(unsigned number) const {
    return findKernel(settings, sampleEntry(number).key, "cuda:sm_90a");
  }
  /// What is wrong with the files; empty if every one of them is the kernel that its name says.
  std::string unsound() const {
    std::string problem;
    for (const CacheFile &file : listKernels(settings.folder, problem)) {
      const CacheFileContents contents = readKernel(settings.folder, file.name);
      if (!contents.entry && contents.problem != "there is no such file") // removed meanwhile
        return file.name + ": " + contents.problem;
    }
    return problem;
  }
};

/// Runs \p work in a process of its own.
pid_t start(const std::function<int()> &work) {
  const pid_t child = ::fork();
  if (child == 0)
    _exit(work());
  return child;
}

int statusOf(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

} // namespace

// A thousand processes are killed wherever they are. What they leave is whole or not there.
TEST_F(KernelCacheFaults, killedWritersLeaveWholeFiles) {
  CollectedNotes notes;
  settings.limit = 1 << 20; // so that they remove files, too
  std::vector<CacheEntry> entries;
  for (unsigned number = 0; number != 40; ++number)
    entries.push_back(sampleEntry(number, 1000 + number * 4000));
  std::mt19937 random(1);
  for (int kill = 0; kill != 1000; ++kill) {
    const unsigned seed = random();
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = start([&]() -> int {
      std::minstd_rand mine(seed);
      if (::write(ends[1], "!", 1) != 1)
        return 1;
      for (;;) {
        const unsigned number = mine() % 40;
        const std::optional<CacheEntry> found = find(number);
        if (found && !isSample(*found, number))
          return 1;
        keepKernel(settings, entries[number]);
      }
    });
    ASSERT_GT(child, 0);
    char begun = 0;
    EXPECT_EQ(::read(ends[0], &begun, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
    ::kill(child, SIGKILL);
    const int status = statusOf(child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it found another kernel than it asked for";
    if (kill % 20 == 0)
      ASSERT_EQ(unsound(), "") << kill;
  }
  int unfinished = 0;
  for (const auto &file : std::filesystem::directory_iterator(settings.folder))
    unfinished += file.path().filename().string().starts_with(".unfinished-");
  EXPECT_GT(unfinished, 0) << "some were killed while they wrote";
  EXPECT_EQ(unsound(), "");
  int there = 0;
  for (unsigned number = 0; number != 40; ++number)
    if (const std::optional<CacheEntry> entry = find(number)) {
      EXPECT_TRUE(isSample(*entry, number));
      ++there;
    }
  EXPECT_GT(there, 0) << "some were written";
  EXPECT_THAT(notes.lines, IsEmpty());
}

TEST_F(KernelCacheFaults, processesStartColdTogether) {
  for (int processes : {2, 8}) {
    settings.folder = base.path("cold-" + std::to_string(processes));
    std::vector<pid_t> children;
    for (int i = 0; i != processes; ++i)
      children.push_back(start([&] {
        CollectedNotes notes;
        for (int round = 0; round != 20; ++round)
          for (unsigned number = 0; number != 10; ++number) {
            const std::optional<CacheEntry> found = find(number);
            if (found ? !isSample(*found, number) : round != 0)
              return 1;
            if (!found)
              keepKernel(settings, sampleEntry(number));
          }
        return notes.lines.empty() ? 0 : 2;
      }));
    for (pid_t child : children)
      EXPECT_EQ(statusOf(child), 0) << processes;
    EXPECT_EQ(unsound(), "");
  }
}

// Readers find a kernel or nothing while others remove and write all the time.
TEST_F(KernelCacheFaults, removingIsSafeBesideReaders) {
  CollectedNotes notes;
  std::vector<pid_t> writers;
  for (unsigned seed = 0; seed != 3; ++seed)
    writers.push_back(start([&]() -> int {
      std::minstd_rand random(seed);
      for (;;) {
        keepKernel(settings, sampleEntry(random() % 8, 40'000));
        if (random() % 4 == 0)
          pruneKernels(settings.folder, 60'000);
      }
    }));
  int found = 0;
  for (int i = 0; i != 2000; ++i) {
    const unsigned number = static_cast<unsigned>(i) % 8;
    const std::optional<CacheEntry> entry = find(number);
    EXPECT_TRUE(!entry || isSample(*entry, number));
    found += entry.has_value();
  }
  for (pid_t writer : writers) {
    ::kill(writer, SIGKILL);
    statusOf(writer);
  }
  EXPECT_GT(found, 0);
  EXPECT_THAT(notes.lines, IsEmpty());
}

TEST_F(KernelCacheFaults, aFullDiskIsNotedOnce) {
  std::filesystem::create_directory(base.path("small"));
  if (::mount("tmpfs", base.path("small").c_str(), "tmpfs", 0, "size=128k,mode=0700") != 0)
    GTEST_SKIP() << "a small file system cannot be mounted here: " << std::strerror(errno);
  {
    CollectedNotes notes;
    settings.folder = base.path("small/cache");
    for (unsigned number = 0; number != 40; ++number)
      keepKernel(settings, sampleEntry(number, 20'000));
    EXPECT_EQ(unsound(), "");
    EXPECT_TRUE(find(0));
    EXPECT_FALSE(find(39));
    ASSERT_EQ(notes.lines.size(), 1u);
    EXPECT_THAT(notes.lines[0],
                HasSubstr("compiled kernels are not kept for the next process: cannot write a file in "));
    EXPECT_THAT(notes.lines[0], HasSubstr("No space left on device"));
    for (const auto &file : std::filesystem::directory_iterator(settings.folder))
      EXPECT_NE(file.path().filename().string().substr(0, 12), ".unfinished-") << "nothing half written stays";
    // With a limit that fits the disk, it goes on.
    settings.limit = 100'000;
    pruneKernels(settings.folder, settings.limit / 2);
    keepKernel(settings, sampleEntry(40, 20'000));
    EXPECT_TRUE(find(40));
  }
  ::umount2(base.path("small").c_str(), MNT_DETACH);
}
