//===- TuneFileTest.cpp - files of tuning records under bad conditions -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneFile.h"

#include "Support/Files.h"
#include "Support/Log.h"
#include "Support/Subprocess.h"
#include "unit/Runtime/Autotune/Records.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tessera;
using namespace tessera::rt;
using namespace tessera::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class TuneFileTest : public testing::Test {
protected:
  TuneFileTest() {
    support::resetLog([this](std::string_view line) { noted.emplace_back(line); });
  }
  ~TuneFileTest() override { support::resetLog(); }

  std::string contents() {
    std::string problem;
    std::string text = readTuneFile(path, problem);
    EXPECT_EQ(problem, "");
    return text;
  }
  /// The records of the file, all of whose lines are sound unless \p damaged are.
  std::vector<TuneRecord> records(std::size_t damaged = 0) {
    std::size_t found = 0;
    std::vector<TuneRecord> all = parseRecords(contents(), found);
    EXPECT_EQ(found, damaged);
    return all;
  }
  void write(const std::string &text) { std::ofstream(path, std::ios::binary | std::ios::app) << text; }

  const support::PrivateFolder folder;
  const std::string path = folder.file("tuning.txt");
  std::vector<std::string> noted;
};

/// Runs \p body in a process of its own; its exit status.
template <class Body> int inChild(Body body) {
  const pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace

TEST_F(TuneFileTest, findsWhatWasAppended) {
  TuneFile file(path);
  EXPECT_THAT(file.find(recordOf(1).problem), IsEmpty());
  EXPECT_EQ(appendLines(path, encodeRecord(recordOf(1)) + encodeRecord(recordOf(2, "{block=64}"))), "");
  EXPECT_THAT(file.find(recordOf(1).problem), ElementsAre(recordOf(1), recordOf(2, "{block=64}")));
  // Others append while the file is known.
  EXPECT_EQ(appendLines(path, encodeRecord(recordOf(3, "{}", "n=7"))), "");
  EXPECT_EQ(file.find(recordOf(1).problem).size(), 2u);
  EXPECT_THAT(file.find(recordOf(3, "{}", "n=7").problem), ElementsAre(recordOf(3, "{}", "n=7")));
  struct stat facts{};
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(TuneFileTest, filesAreMergedByConcatenation) {
  const std::string other = folder.file("other.txt");
  appendLines(path, encodeRecord(recordOf(1)));
  appendLines(other, encodeRecord(recordOf(2, "{block=64}")));
  std::string problem;
  write(readTuneFile(other, problem));
  EXPECT_THAT(TuneFile(path).find(recordOf(1).problem), ElementsAre(recordOf(1), recordOf(2, "{block=64}")));
}

TEST_F(TuneFileTest, skipsDamagedLinesAndSaysSoOnce) {
  write("# a comment\n\nrubbish\ntune1 0123456789abcdef 0123456789abcdef\tx\n");
  write(std::string(3 << 20, 'x') + "\n" + std::string("\0\xff\0", 3) + "\n");
  appendLines(path, encodeRecord(recordOf(1)));
  TuneFile file(path);
  EXPECT_THAT(file.find(recordOf(1).problem), ElementsAre(recordOf(1)));
  write("more rubbish\n");
  file.find(recordOf(1).problem);
  ASSERT_EQ(noted.size(), 1u);
  EXPECT_THAT(noted[0], HasSubstr("4 damaged lines in " + path + " are skipped; tessera-tune prune removes them"));
}

// A process that was killed may leave half a line.
TEST_F(TuneFileTest, aTornLineDamagesNoOther) {
  const std::string line = encodeRecord(recordOf(1));
  write(line.substr(0, line.size() / 2));
  appendLines(path, encodeRecord(recordOf(2, "{block=64}")));
  EXPECT_THAT(records(1), ElementsAre(recordOf(2, "{block=64}")));
}

// What is not finished yet is read once it is.
TEST_F(TuneFileTest, waitsForTheEndOfALine) {
  const std::string line = encodeRecord(recordOf(1));
  TuneFile file(path);
  write(line.substr(0, 50));
  EXPECT_THAT(file.find(recordOf(1).problem), IsEmpty());
  write(line.substr(50));
  EXPECT_THAT(file.find(recordOf(1).problem), ElementsAre(recordOf(1)));
  EXPECT_THAT(noted, IsEmpty());
}

TEST_F(TuneFileTest, noticesAnotherFileInItsPlace) {
  TuneFile file(path);
  appendLines(path, encodeRecord(recordOf(1)) + encodeRecord(recordOf(2, "{block=64}")));
  file.find(recordOf(1).problem);
  EXPECT_EQ(rewriteTuneFile(path, contents(), encodeRecord(recordOf(5))), "");
  EXPECT_THAT(file.find(recordOf(1).problem), ElementsAre(recordOf(5)));
  std::filesystem::remove(path);
  EXPECT_THAT(file.find(recordOf(1).problem), IsEmpty());
}

TEST_F(TuneFileTest, isNotRewrittenBehindOthersBacks) {
  appendLines(path, encodeRecord(recordOf(1)));
  EXPECT_THAT(rewriteTuneFile(path, "", "x\n"), HasSubstr("has changed meanwhile"));
  EXPECT_THAT(records(), ElementsAre(recordOf(1)));
}

// kill -9 at random points of 1,000 appends: every record whose append returned is there, no line is wrong but the
// last of a process that died.
TEST_F(TuneFileTest, killedWritersLoseNothingThatWasWritten) {
  std::mt19937 random(3);
  std::size_t appended = 0, torn = 0, killed = 0;
  for (int process = 0; process != 20; ++process) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i != 50; ++i) {
        const std::string config = fmt::format("{{process={}, i={}}}", process, i);
        if (!appendLines(path, encodeRecord(recordOf(1, config))).empty() || ::write(ends[1], "x", 1) != 1)
          _exit(1);
      }
      _exit(0);
    }
    close(ends[1]);
    usleep(std::uniform_int_distribution<useconds_t>(0, 1500)(random));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status);
    char acknowledged = 0;
    while (read(ends[0], &acknowledged, 1) == 1)
      ++appended;
    close(ends[0]);
  }
  std::size_t damaged = 0;
  const std::vector<TuneRecord> found = parseRecords(contents(), damaged);
  torn = damaged;
  EXPECT_GE(found.size(), appended);
  EXPECT_LE(found.size(), appended + killed);
  EXPECT_LE(torn, killed);
  EXPECT_GT(killed, 5u) << "otherwise nothing was tested";
}

TEST_F(TuneFileTest, processesAppendAtOnce) {
  for (const int count : {2, 8}) {
    std::filesystem::remove(path);
    std::vector<pid_t> children;
    for (int process = 0; process != count; ++process) {
      const pid_t child = fork();
      if (child == 0) {
        for (int i = 0; i != 100; ++i)
          if (!appendLines(path, encodeRecord(recordOf(1, fmt::format("{{p={}, i={}}}", process, i)))).empty())
            _exit(1);
        _exit(0);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(records().size(), static_cast<std::size_t>(count) * 100);
  }
}

// One that prunes meanwhile loses nobody's lines.
TEST_F(TuneFileTest, rewritingLosesNoLines) {
  std::atomic<bool> done{false};
  std::atomic<int> rewritten{0};
  std::size_t written = 0;
  std::jthread writer([&] {
    for (; written < 300 || rewritten == 0; ++written)
      EXPECT_EQ(appendLines(path, encodeRecord(recordOf(1, fmt::format("{{i={}}}", written)))), "");
    done = true;
  });
  while (!done) {
    std::string problem;
    const std::string now = readTuneFile(path, problem);
    rewritten += problem.empty() && rewriteTuneFile(path, now, now).empty();
    std::this_thread::sleep_for(std::chrono::microseconds(100)); // for the writer to find the file in its place
  }
  writer.join();
  EXPECT_EQ(records().size(), written);
}

TEST_F(TuneFileTest, aFullDiskIsReported) {
  appendLines(path, encodeRecord(recordOf(1)));
  const std::string line = encodeRecord(recordOf(2, "{block=64}"));
  const int status = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{line.size() + line.size() / 2, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string problem = appendLines(path, line);
    return problem.find("cannot write " + path) == 0 ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  // Where there is room again, what follows is sound.
  EXPECT_EQ(appendLines(path, line), "");
  EXPECT_THAT(records(1), ElementsAre(recordOf(1), recordOf(2, "{block=64}")));
}

TEST_F(TuneFileTest, aSmallDiskFillsUp) {
  const int status = inChild([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=16k") != 0)
      return 77;
    int written = 0;
    std::string problem;
    while (written < 1000 && (problem = appendLines(path, encodeRecord(recordOf(written)))).empty())
      ++written;
    std::size_t damaged = 0;
    std::string ignored;
    const std::size_t found = parseRecords(readTuneFile(path, ignored), damaged).size();
    return problem.find("No space left") != std::string::npos && found == static_cast<std::size_t>(written) &&
                   damaged <= 1
               ? 0
               : 1;
  });
  if (status == 77)
    GTEST_SKIP() << "this user may not mount a disk";
  EXPECT_EQ(status, 0);
}

TEST_F(TuneFileTest, aReadOnlyFolderIsReported) {
  EXPECT_THAT(appendLines("/proc/tuning.txt", encodeRecord(recordOf(1))), HasSubstr("cannot open /proc/tuning.txt"));
  EXPECT_FALSE(FileLock("/proc/tuning.lock", std::chrono::seconds(1)));
}

TEST_F(TuneFileTest, whatIsNoFileIsLeftAlone) {
  std::filesystem::create_directory(path);
  TuneFile file(path);
  EXPECT_THAT(file.find(recordOf(1).problem), IsEmpty());
  EXPECT_EQ(noted.size(), 1u);
  EXPECT_NE(appendLines(path, "x\n"), "");
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(TuneFile(path).find(recordOf(1).problem), IsEmpty()) << "and nobody waits for a writer";
  EXPECT_NE(appendLines(path, "x\n"), "");
}

TEST_F(TuneFileTest, locksAreHeldByOneAtATime) {
  const std::string lock = folder.file("lock");
  const FileLock mine(lock, std::chrono::seconds(1));
  ASSERT_TRUE(mine);
  EXPECT_FALSE(mine.waited());
  EXPECT_FALSE(FileLock(lock, std::chrono::milliseconds(30)));
  // They go with the process.
  const std::string other = folder.file("other");
  EXPECT_EQ(inChild([&] {
              const FileLock theirs(other, std::chrono::seconds(1));
              kill(getpid(), SIGKILL);
              return 0;
            }),
            -SIGKILL);
  EXPECT_TRUE(FileLock(other, std::chrono::seconds(1)));
}
