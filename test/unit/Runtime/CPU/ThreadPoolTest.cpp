//===- ThreadPoolTest.cpp - every program runs once, on some thread -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/ThreadPool.h"
#include "Runtime/CPU/HostFeatures.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace tessera;
using namespace tessera::rt::cpu;
using tessera::test::ScopedEnvironment;
using tessera::test::wordsOf;

namespace {

/// What the entries below find behind their argument block.
struct Record {
  std::atomic<int> *runs = nullptr; ///< one per program
  std::mutex mutex;
  std::vector<std::int64_t> order; ///< of program numbers, as they started
  std::set<std::thread::id> threads;
  std::atomic<int> bad{0};
  std::chrono::microseconds work{0};
};

Record &recordOf(const void *packed) {
  Record *record;
  std::memcpy(&record, packed, sizeof record);
  return *record;
}

void count(const void *packed, const std::int64_t *grid, void *, std::int64_t x0, std::int64_t x1, std::int64_t y,
           std::int64_t z) {
  Record &record = recordOf(packed);
  for (std::int64_t x = x0; x != x1; ++x)
    ++record.runs[(z * grid[1] + y) * grid[0] + x];
}

void note(const void *packed, const std::int64_t *grid, void *, std::int64_t x0, std::int64_t x1, std::int64_t y,
          std::int64_t z) {
  Record &record = recordOf(packed);
  for (std::int64_t x = x0; x != x1; ++x) {
    const std::lock_guard lock(record.mutex);
    record.order.push_back((z * grid[1] + y) * grid[0] + x);
    record.threads.insert(std::this_thread::get_id());
  }
  std::this_thread::sleep_for(record.work * (x1 - x0));
}

/// Writes all of its arena and sees whether somebody else does.
void scribble(const void *packed, const std::int64_t *, void *arena, std::int64_t x0, std::int64_t x1, std::int64_t,
              std::int64_t) {
  for (std::int64_t x = x0; x != x1; ++x) {
    auto *words = static_cast<std::int64_t *>(arena);
    for (std::size_t i = 0; i != 1 << 13; ++i)
      words[i] = x;
    recordOf(packed).bad += std::any_of(words, words + (1 << 13), [&](std::int64_t word) { return word != x; });
  }
}

void nothing(const void *, const std::int64_t *, void *, std::int64_t, std::int64_t, std::int64_t, std::int64_t) {}

Job jobOf(Entry *entry, Record *const &record, std::array<std::int64_t, 3> grid) {
  Job job;
  job.entry = entry;
  job.packed = &record;
  job.grid = grid;
  return job;
}

/// Runs `count` over a grid and checks that each program ran \p times.
void expectAllRun(ThreadPool &pool, std::array<std::int64_t, 3> grid, int times = 1, ProgramCost *cost = nullptr) {
  const auto programs = static_cast<std::size_t>(grid[0] * grid[1] * grid[2]);
  std::vector<std::atomic<int>> runs(programs);
  Record record;
  record.runs = runs.data();
  Record *const pointer = &record;
  Job job = jobOf(count, pointer, grid);
  job.cost = cost;
  for (int i = 0; i != times; ++i)
    pool.run(job);
  for (std::size_t i = 0; i != programs; ++i)
    ASSERT_EQ(runs[i], times) << "program " << i << " of " << grid[0] << " x " << grid[1] << " x " << grid[2];
}

} // namespace

TEST(ThreadPool, runsEveryProgramOnce) {
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    for (auto grid : {std::array<std::int64_t, 3>{1, 1, 1},
                      {2, 1, 1},
                      {3, 1, 1},
                      {1, 7, 1},
                      {1, 1, 5},
                      {16, 3, 2},
                      {1000, 1, 1},
                      {7, 11, 13}})
      expectAllRun(pool, grid);
  }
}

TEST(ThreadPool, countsTheSameWhetherItKnowsTheCostOrNot) {
  ThreadPool pool(3);
  for (std::uint64_t cost : {0, 1, 100, 1'000'000}) {
    ProgramCost known{cost};
    expectAllRun(pool, {37, 3, 1}, 20, &known);
    EXPECT_GT(known.load(), 0u) << "later launches must know it";
  }
}

TEST(ThreadPool, manyLaunchesInARow) {
  ThreadPool pool(4);
  expectAllRun(pool, {9, 2, 1}, 3000);
}

TEST(ThreadPool, spreadsLongProgramsOverThreads) {
  ThreadPool pool(4);
  Record record;
  record.work = std::chrono::milliseconds(5);
  Record *const pointer = &record;
  pool.run(jobOf(note, pointer, {8, 1, 1}));
  EXPECT_EQ(record.threads.size(), 4u);
}

TEST(ThreadPool, gridOrderMeansOneThread) {
  ThreadPool pool(4);
  Record record;
  record.work = std::chrono::microseconds(200);
  Record *const pointer = &record;
  Job job = jobOf(note, pointer, {3, 2, 2});
  job.inOrder = true;
  pool.run(job);
  EXPECT_THAT(record.order, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(record.threads, testing::ElementsAre(std::this_thread::get_id()));
}

TEST(ThreadPool, launchesFromManyThreads) {
  ThreadPool pool(3);
  std::vector<std::thread> launchers;
  for (int i = 0; i != 4; ++i)
    launchers.emplace_back([&] { expectAllRun(pool, {50, 2, 1}, 100); });
  for (std::thread &launcher : launchers)
    launcher.join();
}

TEST(ThreadPool, everyThreadHasItsArena) {
  ThreadPool pool(4);
  pool.reserve(1 << 16);
  Record record;
  Record *const pointer = &record;
  Job job = jobOf(scribble, pointer, {400, 1, 1});
  job.arenaBytes = 1 << 16;
  pool.run(job);
  EXPECT_EQ(record.bad, 0);
}

TEST(ThreadPool, reservesWhatNobodyReserved) {
  ThreadPool pool(4);
  Record record;
  Record *const pointer = &record;
  Job job = jobOf(scribble, pointer, {100, 1, 1});
  job.arenaBytes = 1 << 16;
  pool.run(job);
  EXPECT_EQ(record.bad, 0);
}

TEST(ThreadPool, refusesArenasThatNoMachineHas) {
  ThreadPool pool(2);
  EXPECT_THAT(wordsOf<DeviceError>([&] { pool.reserve(std::size_t{1} << 62); }), testing::HasSubstr("scratch memory"));
}

#if defined(__x86_64__)
/// Half of the smallest normal number: 0 if denormals are flushed.
static volatile float smallest = 0x1p-126f;
static void halve(const void *packed, const std::int64_t *, void *, std::int64_t, std::int64_t, std::int64_t,
                  std::int64_t) {
  const float half = smallest * 0.5f;
  recordOf(packed).bad += half == 0 || (_mm_getcsr() & 0x6000) != 0;
}

// SEMANTICS A3: denormals are kept and results rounded to nearest, whatever the program around the kernel does.
TEST(ThreadPool, keepsDenormalsInProgramsThatFlushThem) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040 | 0x2000); // flush to zero, denormals are zero, round down
  ThreadPool pool(3);                   // its workers inherit that
  Record record;
  Record *const pointer = &record;
  pool.run(jobOf(halve, pointer, {64, 1, 1}));
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(record.bad, 0);
  EXPECT_EQ(after & 0xffc0, (before | 0x8040 | 0x2000) & 0xffc0) << "the caller's environment must come back";
}
#endif

TEST(ThreadPool, leavesSignalsToTheProgram) {
  static std::atomic<bool> elsewhere;
  static std::thread::id self;
  self = std::this_thread::get_id();
  elsewhere = false;
  ThreadPool pool(4);
  Record record;
  record.work = std::chrono::milliseconds(1);
  Record *const pointer = &record;
  pool.run(jobOf(note, pointer, {8, 1, 1})); // starts the workers
  const auto handler = std::signal(SIGUSR1, [](int) { elsewhere = elsewhere || std::this_thread::get_id() != self; });
  for (int i = 0; i != 50; ++i)
    kill(getpid(), SIGUSR1);
  std::signal(SIGUSR1, handler);
  EXPECT_FALSE(elsewhere);
}

TEST(ThreadPool, worksInTheChildOfAFork) {
  expectAllRun(ThreadPool::get(), {100, 1, 1}, 3);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<std::atomic<int>> runs(100);
    Record record;
    record.runs = runs.data();
    Record *const pointer = &record;
    Job job = jobOf(count, pointer, {100, 1, 1});
    job.arenaBytes = 1 << 16;
    ThreadPool::get().run(job);
    _exit(std::all_of(runs.begin(), runs.end(), [](const auto &run) { return run == 1; }) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/// The shortest of many samples in microseconds: what it costs when nothing else runs.
template <class Run> static double shortest(int samples, std::chrono::microseconds pause, Run run) {
  double best = 1e9;
  for (int i = 0; i != samples; ++i) {
    if (pause.count())
      std::this_thread::sleep_for(pause);
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

TEST(ThreadPool, emptyLaunchesAreCheap) {
  ThreadPool one(1), two(2);
  ProgramCost known{10'000}; // long enough to be worth a second thread
  Record *const pointer = nullptr;
  Job job = jobOf(nothing, pointer, {64, 1, 1});
  const auto spread = [&] {
    known = 10'000;
    two.run(job);
  };
  EXPECT_LT(shortest(1000, {}, [&] { one.run(job); }), 2);
  job.cost = &known;
  spread();
  EXPECT_LT(shortest(1000, {}, spread), 10) << "back to back";
  EXPECT_LT(shortest(20, std::chrono::milliseconds(2), spread), 60) << "after the workers fell asleep";
}

TEST(HostFeatures, findsWhatIsMissing) {
  EXPECT_EQ(missingFeatures(""), "");
  EXPECT_EQ(missingFeatures("warp-drive"), "warp-drive");
  std::string all;
  for (std::string_view name : hostFeatures())
    all.append(all.empty() ? "" : ",").append(name);
  EXPECT_EQ(missingFeatures(all), "");
  EXPECT_EQ(missingFeatures("warp-drive," + all + ",tea"), "warp-drive,tea");
}

TEST(HostFeatures, countsCores) {
  EXPECT_GE(usableCores(), 1u);
  EXPECT_LE(usableCores(), std::max(1u, std::thread::hardware_concurrency()));
  EXPECT_FALSE(hostName().empty());
}
